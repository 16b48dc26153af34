// The months of a list, each with its newest photo: the smallest size of the grid.

import { icon, make } from "/ui/elements.js";
import { words } from "/ui/words.js";
import { monthOf, monthTitle } from "/format.js";
import { thumbnailPath } from "/thumbnails.js";

export class Months {
  #element;
  #assets;
  #seen;

  /// `choose` gets the place of a month's first asset.
  constructor(element, assets, choose) {
    [this.#element, this.#assets] = [element, assets];
    element.addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (button) choose(Number(button.dataset.place));
    });
    // A poster is asked for when its month comes into sight.
    this.#seen = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) this.#load(target);
    }, { rootMargin: "300px" });
  }

  show() {
    const months = [];
    let place = 0;
    for (const [day, count] of this.#assets.days ?? []) {
      const month = monthOf(day);
      if (months.at(-1)?.month === month) months.at(-1).count += count;
      else months.push({ month, title: monthTitle(day), place, count });
      place += count;
    }
    this.#seen.disconnect();
    this.#element.replaceChildren(make("ul", { className: "albums", role: "list" }, months.map(({ title, place: at, count }) => {
      const button = make("button", { type: "button", data: { place: at } },
        make("span", { className: "poster" }, icon("photos", "big")), make("strong", { textContent: title }),
        make("span", { className: "caption quiet figures", textContent: words("photos", { count }) }));
      this.#seen.observe(button);
      return make("li", {}, button);
    })));
  }

  async #load(button) {
    this.#seen.unobserve(button);
    const place = Number(button.dataset.place);
    const [item] = await this.#assets.all(place, place + 1).catch(() => []);
    if (!item) return;
    const picture = make("img", { alt: "", src: thumbnailPath(item) });
    picture.addEventListener("load", () => button.firstElementChild.replaceChildren(picture));
  }
}
