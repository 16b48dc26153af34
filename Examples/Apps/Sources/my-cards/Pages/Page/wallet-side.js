// A side of a card in the editor: its photo, and the button that asks for another.

import { button, cardPicture, make, send } from "/wallet-server.js";

export class SideField {
  #value = null;
  #request = null;
  #picture = make("div", { className: "side" });
  // Stays until another photo is asked for: who makes room on a disk needs more than a moment.
  #problem = make("p", { className: "alert", role: "alert" });
  #changed;
  #listen = (event) => this.#take(event.detail);

  element;

  /// changed is called with the bar codes of a new photo.
  constructor(name, changed) {
    this.name = name;
    this.#changed = changed;
    this.button = button("", () => this.#pick());
    this.element = make("div", { className: "sideField", role: "group", ariaLabel: name }, this.#picture, this.button, this.#problem);
    addEventListener("photo", this.#listen);
    this.value = null;
  }

  close() { removeEventListener("photo", this.#listen); }

  get value() { return this.#value; }

  set value(value) {
    this.#value = value;
    this.#picture.replaceChildren(cardPicture(value?.picture, `${this.name} of the card`));
    this.button.textContent = value ? `Another photo of the ${this.name}` : `Photo of the ${this.name}`;
  }

  async #pick() {
    this.#problem.textContent = "";
    this.#request = send("POST", "/photos");
    await this.#request;
  }

  /// A photo may be told of before the answer comes that says which request it is of, and more than once.
  async #take({ id, picture, original, barcodes, problem }) {
    const request = this.#request;
    const answer = await request?.catch(() => null);
    if (id !== answer?.id || request !== this.#request) return;
    this.#request = null;
    this.#problem.textContent = problem ?? "";
    if (!picture) return;
    this.value = { picture, original };
    this.#changed(barcodes);
  }
}
