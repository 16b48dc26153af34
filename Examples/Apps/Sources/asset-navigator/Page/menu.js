// The menu behind ⋯: made anew each time that it opens.

import { attempt, icon, make } from "/ui/elements.js";

export class Menu {
  #element;

  /// `entries` gives what there is: { icon, text, press | href, isOn, isOff, isDanger, id }.
  constructor(element, entries) {
    this.#element = element;
    element.addEventListener("beforetoggle", ({ newState }) => {
      if (newState === "open") element.replaceChildren(...entries().map((entry) => this.#entry(entry)));
    });
    element.addEventListener("keydown", (event) => {
      const items = [...element.children];
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      items[(items.indexOf(document.activeElement) + step + items.length) % items.length].focus();
    });
  }

  #entry({ icon: name, text, press, href, isOn, isOff, isDanger, id }) {
    const content = [icon(name), make("span", { textContent: text })];
    const entry = href ? make("a", { href }, content)
      : make("button", { type: "button", disabled: isOff ?? false, ...(id ? { id } : {}), className: isDanger ? "danger" : "" }, content);
    if (isOn !== undefined) {
      entry.setAttribute("role", "switch");
      entry.setAttribute("aria-checked", String(isOn));
    }
    entry.addEventListener("click", () => {
      this.#element.hidePopover();
      if (press) attempt(press);
    });
    return entry;
  }
}
