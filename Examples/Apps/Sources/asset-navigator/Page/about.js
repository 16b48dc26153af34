// What is known of an asset, and its files.

import { make } from "/ui/picker-actions.js";
import { roles, size, when } from "/words.js";

/// Event: "choose" with a file that is to be shown.
export class About extends EventTarget {
  #facts = make("dl");
  #files = make("ul", { role: "list", ariaLabel: "Files of this photo" });
  element = make(
    "aside", { hidden: true, ariaLabel: "About this photo" },
    this.#facts, make("h3", { textContent: "Files" }), this.#files);

  clear() {
    this.#facts.replaceChildren();
    this.#files.replaceChildren();
  }

  show({ taken, written, facts, files }) {
    const date = taken == null
      ? { name: "Written", value: new Date(written).toLocaleString() }
      : { name: "Taken", value: when(taken) };
    this.#facts.replaceChildren(...[date, ...facts].flatMap(({ name, value }) =>
      [make("dt", { textContent: name }), make("dd", { textContent: value })]));
    this.#files.replaceChildren(...files.map((file) => this.#item(file)));
  }

  /// Says which file is shown.
  mark({ id }) {
    for (const choice of this.#files.querySelectorAll("button")) {
      choice.setAttribute("aria-pressed", String(choice.dataset.file === id));
    }
  }

  /// A file of the asset, to be shown in place of the one that is.
  #item(file) {
    const pixels = file.width ? `${file.width} × ${file.height}` : null;
    const words = [file.name, file.type ?? "unknown", pixels, size(file.size)];
    const choice = make(
      "button", { type: "button" }, make("strong", { textContent: roles[file.role] }),
      make("span", { textContent: words.filter(Boolean).join(" · ") }));
    choice.dataset.file = file.id;
    choice.addEventListener("click", () =>
      this.dispatchEvent(new CustomEvent("choose", { detail: file })));
    return make("li", {}, choice);
  }
}
