// Where a list of photos takes long: what it will look like.

import { make } from "./elements.js";
import "./photo-lists.js";
import { words } from "./words.js";

/// They come where it takes longer than this, in milliseconds.
const patience = 300;

export class Bones {
  #element;
  #timer = 0;

  constructor(element) {
    this.#element = element;
    Object.assign(element, { role: "status", ariaLabel: words("loadingPhotos") });
    element.append(make("div", { className: "bleed", ariaHidden: "true" },
      make("div", { className: "day" }, make("span", { className: "bone line short" })),
      make("div", { className: "tiles" }, Array.from({ length: 12 }, () => make("span", { className: "tile bone" })))));
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
