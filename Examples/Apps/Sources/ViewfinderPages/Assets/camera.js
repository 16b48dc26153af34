// The camera of a picker, in a place of a page's own: live picture, shutter, zoom, flash, timer, series, and each photo
// to use or to take again.
//
//   <viewfinder-camera></viewfinder-camera>
//   <viewfinder-camera base="https://example.org/camera/"></viewfinder-camera>
//
// It shows itself while the program presents a picker's camera to this page, as large as the page's style sheet says. Where the
// program wants photos cropped or corrected, a viewfinder-crop does that. Children with slot="overlay" and the property
// `task` are as in viewfinder-picker; attributes and events are those of PickerElement: "photos" tells of each photo that is
// taken, "done" that somebody has enough.

import { CameraScreen } from "./picker-camera.js";
import { PickerElement } from "./picker-element.js";
import { ReviewScreen } from "./picker-review.js";
import { Tray } from "./picker-tray.js";

class ViewfinderCamera extends PickerElement {
  // A page may have set it before this module was there.
  task = this.task ?? null;

  build(program, act) {
    const camera = new CameraScreen(program, act, this, { heading: "h2" });
    const review = new ReviewScreen(program, act, { heading: "h2" });
    const tray = new Tray(program);
    camera.openTray = () => tray.element.show();
    camera.goInstead = (press) => this.goInstead(press);
    return { screens: { camera, review }, tray };
  }
}

customElements.define("viewfinder-camera", ViewfinderCamera);
