// A sheet: a dialog that comes from below on phones and stands in the middle on desktops.
//
//   <viewfinder-sheet label="Settings">…</viewfinder-sheet>
//   sheet.show()
//
// label: its title. Its children are what it shows; one with `autofocus` takes the focus. Its button, Escape and a press beside it close it, `close` does so, too;
// the focus goes back to where it was, and the event "close" tells of it. While it is open it has the attribute `open`, and
// the page behind it hears no key.

import { iconButton, make } from "./elements.js";
import { styles } from "./styles.js";
import { words } from "./words.js";

// Without them it looks as browsers have it, where the program ended before they came.
const looks = styles("tokens", "parts").catch(() => []);

class ViewfinderSheet extends HTMLElement {
  static observedAttributes = ["label"];

  #title = make("h2", { id: "title" });
  #dialog = make("dialog", { className: "sheet", "aria-labelledby": "title" },
    make("div", { className: "head-row" }, this.#title, iconButton("close", words("close"), () => this.close())), make("slot"));
  // Where nothing has the focus, keys don't come by the element.
  #keys = (event) => [document.body, document.documentElement].includes(event.target) && event.stopPropagation();

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    // Nothing waits for them: nothing is shown before they are there.
    looks.then((sheets) => { root.adoptedStyleSheets = sheets; });
    root.append(this.#dialog);
    this.#dialog.addEventListener("click", (event) => this.#isBeside(event) && this.close());
    this.#dialog.addEventListener("close", () => this.#closed());
    this.addEventListener("keydown", (event) => event.stopPropagation());
  }

  get label() { return this.getAttribute("label") ?? ""; }
  set label(text) { this.setAttribute("label", text); }

  /// Whether it is shown.
  get open() { return this.#dialog.open; }

  attributeChangedCallback() { this.#title.textContent = this.label; }

  disconnectedCallback() { this.close(); }

  /// Shows it above all else.
  show() {
    if (this.open) return;
    this.#dialog.showModal();
    // Dialogs themselves don't look for it in what they show of others.
    this.querySelector("[autofocus]")?.focus();
    this.toggleAttribute("open", true);
    addEventListener("keydown", this.#keys, { capture: true });
  }

  close() { this.#dialog.close(); }

  /// Whether a pointer was pressed beside the sheet; on its edge, where nothing is, belongs to it.
  #isBeside({ target, detail, clientX, clientY }) {
    if (target !== this.#dialog || !detail) return false;
    const { left, right, top, bottom } = this.#dialog.getBoundingClientRect();
    return clientX < left || clientX > right || clientY < top || clientY > bottom;
  }

  #closed() {
    // It may have been opened again before the event came.
    if (this.open) return;
    this.toggleAttribute("open", false);
    removeEventListener("keydown", this.#keys, { capture: true });
    this.dispatchEvent(new Event("close"));
  }
}

customElements.define("viewfinder-sheet", ViewfinderSheet);
