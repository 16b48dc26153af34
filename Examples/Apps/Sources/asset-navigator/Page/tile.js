// A place in the grid. Tiles are used again for other places.

import { make } from "/ui/picker-actions.js";
import { label, length } from "/words.js";

export class Tile {
  #picture = make("img", { alt: "", draggable: false });
  #words = make("span", { className: "words" });
  #mark = make("span", { className: "mark", ariaHidden: "true" });
  button = make("button", { type: "button" }, this.#picture, this.#words, this.#mark);
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
    const problem = item?.problem ?? (item?.isVideo ? null : thumbnail?.problem);
    this.button.dataset.id = item?.id ?? "";
    this.button.classList.toggle("video", item?.isVideo ?? false);
    this.button.classList.toggle("bad", Boolean(problem));
    const source = thumbnail?.source ?? null;
    this.#picture.hidden = !source;
    if (source && this.#picture.src !== source) this.#picture.src = source;
    if (!source) this.#picture.removeAttribute("src");
    const words = item && (problem || thumbnail?.problem) ? item.name : "";
    if (this.#words.textContent !== words) this.#words.textContent = words;
    const mark = item?.isVideo ? `▶ ${item.duration ? length(item.duration) : ""}`.trim() : "";
    if (this.#mark.textContent !== mark) this.#mark.textContent = mark;
    this.button.setAttribute("aria-label", item ? label({ ...item, problem }) : "Loading");
    this.button.title = problem ?? item?.name ?? "";
  }

  /// Shows whether it is selected; null where nothing is being selected.
  select(isSelected) {
    if (isSelected === null) this.button.removeAttribute("aria-pressed");
    else this.button.setAttribute("aria-pressed", String(isSelected));
  }
}
