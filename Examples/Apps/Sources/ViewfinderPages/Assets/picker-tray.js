// The photos that are picked, in their order: to take one back, or to use them all.

import { setChildren } from "./elements.js";
import "./sheet.js";
import { actionButton, make } from "./picker-actions.js";
import { words } from "./words.js";

export class Tray {
  #program;
  #list = make("ul", { className: "tray", ariaLabel: words("picker.tray") });
  #use = actionButton("done", "", "button primary");

  element = make("viewfinder-sheet", { label: words("picker.tray") }, this.#list, this.#use);

  constructor(program) { this.#program = program; }

  show({ selection, limit, camera }) {
    const known = new Map([...this.#list.children].map((item) => [item.dataset.id, item]));
    setChildren(this.#list, (limit === 1 ? [] : selection).map((photo, place) => {
      const item = known.get(photo.id) ?? this.#item(photo);
      item.lastElementChild.ariaLabel = words("picker.remove", { count: place + 1 });
      return item;
    }));
    this.#use.firstElementChild.textContent = words("picker.useTaken", { count: selection.length });
    this.#use.disabled = camera.activity !== "idle";
    if (selection.length === 0 || limit === 1) this.element.close();
  }

  #item(photo) {
    const picture = make("img", { src: this.#program.thumbnail(photo), alt: "" });
    const remove = actionButton("remove", words("picker.remove"), "icon-button glass", { name: photo.id, icon: "trash" });
    return make("li", { data: { id: photo.id } }, picture, remove);
  }
}
