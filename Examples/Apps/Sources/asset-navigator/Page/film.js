// The film strip: small pictures of what comes before and after the one in full; a press shows one.

import { make, setChildren } from "/ui/elements.js";
import { thumbnailPath } from "/thumbnails.js";

/// How many on each side.
const beside = 8;

/// Event: "go" with a place.
export class Film extends EventTarget {
  // The buttons and keys beside it do the same with names.
  element = make("div", { className: "film", ariaHidden: "true" });
  #pictures = new Map();

  constructor() {
    super();
    this.element.addEventListener("click", ({ target }) => {
      if (target.dataset.place) this.dispatchEvent(new CustomEvent("go", { detail: Number(target.dataset.place) }));
    });
  }

  show(place, assets) {
    const pictures = new Map();
    for (let at = place - beside; at <= place + beside; at += 1) {
      const item = assets.at(at);
      // What isn't there keeps its room, so that the one in full is in the middle.
      const path = item ? thumbnailPath(item, 128) : `none ${at}`;
      const picture = this.#pictures.get(path) ?? (item ? this.#small(path) : make("span"));
      if (item) picture.dataset.place = at;
      picture.classList.toggle("on", at === place);
      pictures.set(path, picture);
    }
    this.#pictures = pictures;
    setChildren(this.element, [...pictures.values()]);
  }

  #small(path) {
    const picture = make("img", { alt: "", draggable: false, src: path });
    // Of what has no small picture its place is shown, and not that of a broken one.
    picture.addEventListener("error", () => {
      const place = make("span", { className: `none ${picture.className}`, data: { place: picture.dataset.place } });
      if (this.#pictures.get(path) === picture) this.#pictures.set(path, place);
      picture.replaceWith(place);
    }, { once: true });
    return picture;
  }
}
