// Where a list of photos takes long: what it will look like.

import { make } from "./elements.js";
import "./photo-lists.js";
import { words } from "./words.js";

/// They come where it takes longer than this, in milliseconds.
const patience = 300;

/// Tiles without pictures.
export const tileBones = () =>
  make("div", { className: "tiles" }, Array.from({ length: 12 }, () => make("span", { className: "tile bone" })));

const day = () => make("div", { className: "bleed" },
  make("div", { className: "day" }, make("span", { className: "bone line short" })), tileBones());

export class Bones {
  #element;
  #timer = 0;

  /// Without a shape of its own it is a day with its photos.
  constructor(element, shape = day(), label = words("loadingPhotos")) {
    this.#element = element;
    Object.assign(element, { role: "status", ariaLabel: label, hidden: true });
    shape.ariaHidden = "true";
    element.append(shape);
  }

  show(isWaiting) {
    if (isWaiting) {
      this.#timer ||= setTimeout(() => { this.#element.hidden = false; }, patience);
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#element.hidden = true;
  }
}
