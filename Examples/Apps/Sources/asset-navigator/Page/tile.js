// A place in the grid. Tiles are used again for other places.

import { icon, make } from "/ui/elements.js";
import { told, words } from "/ui/words.js";
import { label, length } from "/format.js";

export class Tile {
  #picture = make("img", { alt: "", draggable: false, hidden: true });
  #words = make("span", { className: "words" });
  #length = make("span");
  #tag = make("span", { className: "tag", hidden: true }, icon("play"), this.#length);
  #heart = icon("heart-on", "mark");
  #tick = make("span", { className: "tick", hidden: true }, icon("check"));
  button = make("button", { type: "button", className: "tile" }, this.#picture, this.#words, this.#tag, this.#heart, this.#tick);
  element = make("li", {}, this.button);
  place = -1;
  path = null;

  /// Puts it at a place of the grid.
  move(place, count, x, y) {
    this.place = place;
    this.element.style.transform = `translate(${x}px, ${y}px)`;
    this.button.dataset.place = place;
    // Most of the list isn't there to be counted.
    this.element.setAttribute("aria-posinset", place + 1);
    this.element.setAttribute("aria-setsize", count);
  }

  /// Shows an asset, or that it isn't known yet.
  show(item, thumbnail) {
    const problem = item?.problem ? told(item.problem) : (item?.isVideo ? null : thumbnail?.problem);
    this.button.dataset.id = item?.id ?? "";
    this.button.classList.toggle("video", item?.isVideo ?? false);
    this.button.classList.toggle("bad", Boolean(problem));
    const source = thumbnail?.source ?? null;
    this.#picture.hidden = !source;
    if (source && this.#picture.src !== source) this.#picture.src = source;
    if (!source) this.#picture.removeAttribute("src");
    set(this.#words, item && (problem || thumbnail?.problem) ? item.name : "");
    this.#tag.hidden = !item?.isVideo;
    set(this.#length, item?.isVideo && item.duration ? length(item.duration) : "");
    this.#heart.style.display = item?.isFavorite ? "" : "none";
    this.button.setAttribute("aria-label", item ? label({ ...item, problem }) : words("loading"));
    this.button.title = problem ?? item?.name ?? "";
  }

  /// Shows whether it is selected; null where nothing is being selected.
  select(isSelected) {
    this.#tick.hidden = isSelected === null;
    if (isSelected === null) {
      this.button.removeAttribute("role");
      this.button.removeAttribute("aria-checked");
    } else {
      this.button.setAttribute("role", "checkbox");
      this.button.setAttribute("aria-checked", String(isSelected));
    }
  }
}

const set = (element, text) => { if (element.textContent !== text) element.textContent = text; };
