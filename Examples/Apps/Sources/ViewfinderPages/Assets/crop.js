// The crop of a picker, in a place of a page's own: a frame over the photo, or the four corners of a card in it.
//
//   <viewfinder-crop></viewfinder-crop>
//   <viewfinder-crop base="https://example.org/camera/"></viewfinder-crop>
//
// It shows itself while a photo of the picker that the program presents to this page is to be cropped or corrected, as large as
// the page's style sheet says. The event "change" tells how it is cropped by now: its detail has `corners`, clockwise in units of
// the photo, or `crop`, how the photo lies under a frame that is 1 wide: { aspectRatio, width, height, x, y, angle, zoom }.
// Attributes and other events are those of PickerElement.

import { PickerElement } from "./picker-element.js";
import { ReviewScreen } from "./picker-review.js";

class ViewfinderCrop extends PickerElement {
  #told = "";

  build(program, act) {
    const review = new ReviewScreen(program, act, { heading: "h2" });
    return { screens: { editing: review, correcting: review } };
  }

  shown({ photo, editor, correction }) {
    const text = [photo.id, ...(correction?.corners ?? Object.entries(editor).sort())].join();
    if (this.#told === text) return;
    this.#told = text;
    this.dispatchEvent(new CustomEvent("change", { detail: correction ? { corners: correction.corners } : { crop: editor } }));
  }
}

customElements.define("viewfinder-crop", ViewfinderCrop);
