// Says what was done or what went wrong, with a way back:
//
//   <viewfinder-toast></viewfinder-toast>
//   toast("“Toy Box” is deleted.", { undo: () => … })
//
// A toast stays for six seconds, longer under the pointer or with the focus, and lies above all else. A page needs no
// element of its own; where its body has one, toasts come from that. With its methods `show` and `hide` an element says
// something itself; the event "close" tells that it has gone.
// The custom property --toast-place moves toasts: it is their inset-block.

import { styles } from "./styles.js";
import { words } from "./words.js";

const time = 6000;
// Without them it looks as browsers have it, where the program ended before they came.
const looks = styles("tokens", "parts").catch(() => []);
/// The element whose toast came last.
let last = null;

class ViewfinderToast extends HTMLElement {
  #box = null;
  #undo = null;
  #before = null;
  #timer = 0;

  constructor() {
    super();
    this.attachShadow({ mode: "open" });
    // Nothing waits for them: nothing is shown before they are there.
    looks.then((sheets) => { this.shadowRoot.adoptedStyleSheets = sheets; });
  }

  /// What is shown goes with the element, and comes with it to another place.
  connectedCallback() { this.#box?.showPopover(); }

  /// Shows words in place of those before.
  ///
  /// `undo` is what brings back what was done; the button says `action`, if not Undo. Ctrl+Z does it, too, while the toast is there.
  show(text, { undo, action } = {}) {
    this.#clear();
    if (last !== this) last?.hide();
    last = this;
    const box = this.#box = document.createElement("div");
    Object.assign(box, { className: "toast", role: "status", popover: "manual" });
    const place = document.createElement("span");
    box.append(place);
    this.#undo = undo ?? null;
    if (undo) {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "button", textContent: action ?? words("undo") });
      button.addEventListener("click", () => this.goBack());
      box.append(button);
    }
    box.addEventListener("focusin", ({ relatedTarget }) => { this.#before ??= relatedTarget; });
    this.shadowRoot.append(box);
    box.showPopover();
    // Set after it is there, so that it is read aloud.
    place.textContent = text;
    this.#timer = setTimeout(() => this.#go(), time);
  }

  /// Goes, unless somebody is at it.
  #go() {
    if (this.#box.matches(":hover, :focus-within")) this.#timer = setTimeout(() => this.#go(), 2000);
    else this.hide();
  }

  /// Takes what is shown away.
  hide() {
    if (!this.#box) return;
    this.#clear();
    this.dispatchEvent(new Event("close"));
  }

  /// The focus goes back to where it was.
  #clear() {
    if (!this.#box) return;
    const before = this.#box.matches(":focus-within") ? this.#before : null;
    clearTimeout(this.#timer);
    this.#box.remove();
    [this.#box, this.#undo, this.#before] = [null, null, null];
    before?.focus();
  }

  /// Whether there is something that can be brought back.
  get canGoBack() { return this.isConnected && Boolean(this.#undo); }

  /// Brings back what was done.
  async goBack() {
    const undo = this.#undo;
    this.hide();
    try {
      await undo?.();
    } catch (error) {
      toast(error.message);
    }
  }
}

customElements.define("viewfinder-toast", ViewfinderToast);

/// Shows words in place of those before; see the element's `show`.
export const toast = (text, options) => {
  // In the topmost dialog: what lies behind that can't be used.
  const place = topDialog() ?? document.body;
  (place.querySelector(":scope > viewfinder-toast") ?? passing(place)).show(text, options);
};

/// An element for one toast.
const passing = (place) => {
  const element = document.createElement("viewfinder-toast");
  element.addEventListener("close", () => element.remove());
  place.append(element);
  return element;
};

/// The dialog that lies above all others, also when it is within an element of its own.
const topDialog = () => {
  const find = (root) => [...root.querySelectorAll("*")].flatMap((element) => [
    ...(element.matches("dialog:modal") ? [element] : []), ...(element.shadowRoot ? find(element.shadowRoot) : []),
  ]);
  return find(document).at(-1);
};

// Before elements that keep their keys for themselves.
addEventListener("keydown", (event) => {
  if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.composedPath()[0].closest?.("input, textarea")) return;
  if (!last?.canGoBack) return;
  event.preventDefault();
  last.goBack();
}, { capture: true });
