// An image picker: the camera or the library, a photo to use or to take again, and a crop.
//
//   <viewfinder-picker></viewfinder-picker>
//   <viewfinder-picker base="https://example.org/camera/"></viewfinder-picker>
//
// It shows itself, over the whole page, while the program presents a picker to this page; one element is all that a page
// needs. Its children with slot="overlay" take the place of the controls where the program shows none of the picker's own;
// buttons among them act by data-do, data-value and data-name, such as <button data-do="takePicture" data-value="5">.
//
// The property `task` says what the page wants a photo for. Attributes and events are those of PickerElement. What it is made
// of are elements as well, for pages that give it another place: viewfinder-camera, viewfinder-library and viewfinder-crop.

import { actionButton, make } from "./picker-actions.js";
import { CameraScreen } from "./picker-camera.js";
import { PickerElement } from "./picker-element.js";
import { LibraryScreen } from "./picker-library.js";
import { ReviewScreen } from "./picker-review.js";
import { Tray } from "./picker-tray.js";
import { words } from "./words.js";

const sourceNames = ["camera", "photoLibrary", "savedPhotosAlbum"];

/// The choice of a picker's sources.
const makeSources = ({ sources }) => make("div", { className: "sources", role: "group", ariaLabel: words("picker.source") },
  ...sourceNames.filter((name) => sources.includes(name)).map((name) =>
    actionButton("showSource", words(`picker.${name}`), "", { name })));

class ViewfinderPicker extends PickerElement {
  #dialog = null;
  // Where nothing has the focus, keys don't come by the element.
  #keys = (event) => [document.body, document.documentElement].includes(event.target) && this.press(event);

  /// What the page wants the photo for, to be set before the picker is shown: { title, skip, instead }, each if it is wanted.
  ///
  /// The title stands above the camera's picture. `skip` goes on without this photo; `instead` is the way that works without
  /// a camera, where there is none. Both are { text, press } and cancel the picker: skip's `press` is called before,
  /// that of `instead` when the picker has closed and gives the focus back.
  // A page may have set it before this module was there.
  task = this.task ?? null;

  get place() { return this.#dialog; }
  get isModal() { return true; }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("keydown", this.#keys, { capture: true });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("keydown", this.#keys, { capture: true });
  }

  build(program, act) {
    this.#dialog = make("dialog", { className: "full picker", ariaLabel: words("picker.title") });
    // Escape asks the program; the dialog goes when the picker does.
    this.#dialog.addEventListener("cancel", (event) => {
      if (event.target !== this.#dialog) return;
      event.preventDefault();
      act("cancel");
    });
    this.shadowRoot.append(this.#dialog);
    const camera = new CameraScreen(program, act, this, { sources: makeSources });
    const review = new ReviewScreen(program, act);
    const library = new LibraryScreen(program, act, { sources: makeSources });
    const tray = new Tray(program);
    camera.openTray = () => tray.element.show();
    camera.goInstead = (press) => this.goInstead(press);
    return {
      screens: {
        camera, photoLibrary: library, savedPhotosAlbum: library, review, editing: review, correcting: review,
      },
      tray,
    };
  }

  appear() { this.#dialog.showModal(); }

  disappear() {
    this.#dialog.close();
    super.disappear();
  }

  shown({ sources, source, camera }, name) {
    this.#dialog.dataset.screen = name;
    for (const group of this.#dialog.querySelectorAll(".sources")) {
      group.hidden = sources.length < 2;
      group.classList.toggle("away", camera.activity !== "idle");
      for (const choice of group.children) choice.setAttribute("aria-pressed", String(choice.dataset.name === source));
    }
  }
}

customElements.define("viewfinder-picker", ViewfinderPicker);
