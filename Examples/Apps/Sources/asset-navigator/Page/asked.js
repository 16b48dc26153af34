// A part of the page that the program is asked for: what it will look like while that takes long, and why it isn't there
// where it fails.

import { Bones } from "/ui/bones.js";
import { button, icon, make } from "/ui/elements.js";
import { words } from "/ui/words.js";
import { emptyPage } from "/list-page.js";

/// Event: "change" when it has come, or can't be had.
export class Asked extends EventTarget {
  #load;
  #failed;
  #place = make("div");
  #bones;
  #problem = make("section", { className: "empty", hidden: true });
  #isKnown = false;
  content = make("div", { hidden: true });

  /// `load` asks and fills `content`. `loading` and `failed` are words: what is waited for, and that it can't be had.
  constructor(element, shape, { loading, failed }, load) {
    super();
    [this.#failed, this.#load] = [failed, load];
    this.#bones = new Bones(this.#place, shape, loading);
    element.append(this.#place, this.#problem, this.content);
  }

  /// Says that it comes, if that takes long.
  wait() { this.#bones.show(!this.#isKnown && this.#problem.hidden); }

  /// Asks for it; what is there already stays until something else has come.
  async refresh() {
    this.wait();
    try {
      await this.#load();
      this.#show(true, null);
    } catch (error) {
      if (this.#isKnown) throw error;
      this.#show(false, error.message);
    }
  }

  #show(isKnown, problem) {
    this.#isKnown = isKnown;
    this.content.hidden = !isKnown;
    this.#bones.show(false);
    if (isKnown) this.#place.remove();
    // What says the same stays, with the keyboard's focus on its button.
    const isSame = !this.#problem.hidden && this.#problem.querySelector("p").textContent === problem;
    if (!isSame) {
      this.#problem.hidden = problem === null;
      this.#problem.replaceChildren(...(problem === null ? [] : emptyPage(icon("warning", "big"), this.#failed, problem,
        button(words("retry"), () => this.#retry()))));
    }
    this.dispatchEvent(new Event("change"));
  }

  async #retry() {
    this.#problem.hidden = true;
    await this.refresh();
    this.#problem.querySelector("button")?.focus();
  }
}
