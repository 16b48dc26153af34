// What the parts of a picker ask of their program.

import { icon, make } from "./elements.js";
import { address, ask, send } from "./requests.js";

export { make } from "./elements.js";

/// The program of one picker.
export class PickerProgram {
  #base;
  #last = Promise.resolve();
  #round = 0;

  /// `base`: where the program is, if not above these modules.
  constructor(base) { this.#base = base; }

  get options() { return this.#base ? { base: this.#base } : {}; }

  /// Tells the program what the person does, one thing after the other: over two connections the second could overtake
  /// the first; throws what the program says against it.
  act(verb, rest = {}) {
    const isCancel = verb === "cancel";
    // Who cancels doesn't wait for what hangs, and what waits behind that isn't wanted any more.
    if (isCancel) this.#round += 1;
    const [turn, round] = [isCancel ? Promise.resolve() : this.#last, this.#round];
    const done = turn.then(() => (round === this.#round ? send("POST", "picker/act", { do: verb, ...rest }, this.options) : null));
    this.#last = done.catch(() => {});
    return done;
  }

  /// Tells the program that this page is left, which it would else notice only after some time.
  leave() { send("POST", "picker/leave", undefined, { keepalive: true, ...this.options }).catch(() => {}); }

  ask(path, query) { return ask(path, query, this.options); }

  /// A small picture of a photo that is picked.
  thumbnail({ id, isFromCamera }) {
    return isFromCamera ? this.address(`picker/photo/${id}`, { size: "small" }) : this.address(`picker/thumbnail/${id}`);
  }

  address(path, query) { return String(address(path, query, this.#base)); }
}

/// A button that does what a person does, such as "usePhoto": words, or an icon that has them as its name.
export const actionButton = (verb, text, className, { name, value, icon: iconName } = {}) => make("button", {
  type: "button", className, data: { do: verb, ...(name ? { name } : {}), ...(value ? { value } : {}) },
  ...(iconName ? { ariaLabel: text, title: text } : {}),
}, iconName && icon(iconName), iconName ? null : make("span", { textContent: text }));
