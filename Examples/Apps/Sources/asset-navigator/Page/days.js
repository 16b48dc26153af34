// The titles of the days that are in sight; each stays at the top while its photos pass.

import { make } from "/ui/elements.js";
import { dayTitle } from "/ui/photo-lists.js";
import { words } from "/ui/words.js";

export class Days {
  #element;
  #shown = new Map();

  /// `choose` gets the section of which all is to be selected.
  constructor(element, choose) {
    this.#element = element;
    element.addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (button) choose(Number(button.dataset.section));
    });
  }

  /// Has the titles of these sections of a layout, and no others.
  show(first, last, { sections }, isSelecting) {
    const wanted = new Map();
    for (let number = Math.max(first, 0); number <= last; number += 1) {
      const section = sections[number];
      if (section && section.day !== null) wanted.set(section.day, { ...section, number });
    }
    for (const [day, { element }] of this.#shown) {
      if (wanted.has(day)) continue;
      element.remove();
      this.#shown.delete(day);
    }
    let before = null;
    for (const [day, section] of wanted) {
      const entry = this.#shown.get(day) ?? this.#make(day);
      this.#shown.set(day, entry);
      const { element, button } = entry;
      // Not a transform: the title's place at the top wouldn't count it.
      element.style.top = `${section.top}px`;
      element.style.height = `${section.end - section.top}px`;
      button.dataset.section = section.number;
      button.hidden = !isSelecting;
      // In their order, for those who go from title to title.
      if ((before ? before.nextElementSibling : this.#element.firstElementChild) !== element) {
        if (before) before.after(element);
        else this.#element.prepend(element);
      }
      before = element;
    }
  }

  #make(day) {
    const title = dayTitle(day);
    const button = make("button", {
      type: "button", className: "button plain", textContent: words("selectAll"),
      ariaLabel: words("selectAllOf", { name: title }), hidden: true,
    });
    const element = make("div", { className: "day-span" },
      make("div", { className: "day" }, make("h2", { textContent: title }), button));
    return { element, button };
  }
}
