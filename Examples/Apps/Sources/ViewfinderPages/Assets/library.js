// The library of a picker, in a place of a page's own: albums, days, and photos to choose, one or several.
//
//   <viewfinder-library></viewfinder-library>
//   <viewfinder-library base="https://example.org/camera/"></viewfinder-library>
//
// It shows itself while the program presents a picker's library to this page, as large as the page's style sheet says. Where
// the program wants photos cropped, a viewfinder-crop does that. Attributes and events are those of PickerElement: "photos"
// tells of each choice, "done" that somebody has chosen.

import { PickerElement } from "./picker-element.js";
import { LibraryScreen } from "./picker-library.js";

class ViewfinderLibrary extends PickerElement {
  build(program, act) {
    const library = new LibraryScreen(program, act, { heading: "h2" });
    return { screens: { photoLibrary: library, savedPhotosAlbum: library } };
  }
}

customElements.define("viewfinder-library", ViewfinderLibrary);
