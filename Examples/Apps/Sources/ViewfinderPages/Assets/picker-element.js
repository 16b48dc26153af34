// What the picker and its parts have in common, each an element of its own: they follow the picker of a program, show its
// screens, and act.

import "./picker-words.js";
import { attempt } from "./elements.js";
import { follow, followConnection } from "./events.js";
import { showKeys } from "./keys.js";
import { PickerProgram } from "./picker-actions.js";
import { styles } from "./styles.js";
import { toast } from "./toast.js";
import { told, words } from "./words.js";

const sheets = await styles("tokens", "parts", "tiles", "picker");

/// The screen of a picker: a source, "review", "editing" or "correcting"; none where it isn't presented to this page.
const screenOf = ({ isPresented, screen, source }) => (!isPresented ? "" : screen === "source" ? source : screen);

const hasNoFocus = () => [null, document.body, document.documentElement].includes(document.activeElement);

/// An element that shows some screens of a picker while the program presents it to this page.
///
/// Its kinds have `build(program, act)`, which gives `screens` by their names, and a `tray` if there is one. A screen has
/// `enter(state, name)`, which gives what is shown, `show(state, name)`, `press(event, at, name)` and `keys(name)`; if it
/// wants to, `leave()`, `connectionIs(state)` and `draws(problem)`.
///
/// Attributes: `base`, where the program is, if not above the folder of these modules; `screen` is the one that is shown.
/// Events: "state" has the picker's state as its detail. "photos" tells that others are picked, "done" that picking has ended;
/// both have the photos: [{ id, name, isVideo, isFromCamera, address, thumbnail }, …].
export class PickerElement extends HTMLElement {
  #stops = [];
  #program = null;
  #screens = {};
  #tray = null;
  #state = null;
  #screen = "";
  #message = "";
  #picked = "";
  #opener = null;
  #act = (verb, rest) => attempt(() => this.#program.act(verb, rest));
  #goodbye = () => this.#state?.isPresented && this.#program.leave();

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = sheets;
    // Once for all places in the tree where the element will be.
    this.addEventListener("click", (event) => this.#click(event));
    this.addEventListener("keydown", (event) => this.press(event));
  }

  /// The program that this element picks from.
  get program() { return this.#program; }

  /// Where its screens are shown.
  get place() { return this.shadowRoot; }

  /// Whether nothing else on the page can be used while it is there.
  get isModal() { return false; }

  connectedCallback() {
    this.#program = new PickerProgram(this.getAttribute("base") ?? undefined);
    const { screens, tray = null } = this.build(this.#program, this.#act);
    [this.#screens, this.#tray] = [screens, tray];
    addEventListener("pagehide", this.#goodbye);
    const { options } = this.#program;
    this.#stops = [
      follow("picker", (state) => this.#show(state), {}, { whileHidden: true, ...options }),
      followConnection((state) => this.#connectionIs(state), options),
    ];
  }

  disconnectedCallback() {
    for (const stop of this.#stops) stop();
    removeEventListener("pagehide", this.#goodbye);
    this.#state = null;
    this.#leave();
    [this.#stops, this.#screens, this.#tray] = [[], {}, null];
    this.shadowRoot.replaceChildren();
  }

  /// Its first screen is to come.
  appear() {}

  /// Its last screen has gone.
  disappear() { this.place.replaceChildren(); }

  /// A state was shown.
  shown() {}

  /// Leaves the picker for another way, which `press` begins when it has closed.
  goInstead(press) {
    this.#opener = { focus: press };
    return this.#act("cancel");
  }

  #click(event) {
    const pressed = event.composedPath().find((part) => part instanceof HTMLElement && part.dataset.do);
    if (!pressed || pressed.disabled) return;
    const { do: verb, value, name } = pressed.dataset;
    if (verb === "done") this.#tray?.element.close();
    this.#act(verb, { value: value === undefined ? undefined : Number(value), name });
  }

  /// Keys are the element's while it is shown: what lies behind it hears none of them.
  press(event) {
    const screen = this.#screens[this.#screen];
    if (!screen) return;
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey || this.place.querySelector("viewfinder-sheet[open]")) return;
    const at = event.composedPath()[0];
    if (at.closest("input:not([type=range]), textarea, select")) return;
    if (event.key === "?") showKeys(screen.keys(this.#screen), this.place);
    else if (!screen.press(event, at, this.#screen)) return;
    event.preventDefault();
  }

  #connectionIs(state) {
    for (const screen of new Set(Object.values(this.#screens))) screen.connectionIs?.(state);
    const shown = this.#screens[this.#screen];
    // The camera has a drawing of its own.
    if (["open", "opening"].includes(state) || !shown || shown.connectionIs) return;
    toast(words(`connection.${state}`));
  }

  #show(state) {
    const wasPresented = Boolean(this.#state?.isPresented);
    this.#state = state;
    this.dispatchEvent(new CustomEvent("state", { detail: state }));
    this.#tellPhotos();
    // To where the picker was opened.
    if (state.isPresented && !wasPresented) this.#opener = document.activeElement;
    const name = screenOf(state);
    const screen = this.#screens[name];
    if (!screen) {
      this.#leave();
    } else {
      if (name !== this.#screen) this.#enter(name, wasPresented);
      this.#tell(state.problem, screen);
      this.#tray?.show(state);
      screen.show(state, name);
      this.shown(state, name);
    }
    if (wasPresented && !state.isPresented) this.dispatchEvent(new CustomEvent("done", { detail: this.#photos }));
  }

  #tell(problem, screen) {
    const message = problem && !screen.draws?.(problem) ? told(problem) : "";
    if (message && message !== this.#message) toast(message);
    this.#message = message;
  }

  get #photos() {
    return this.#state.selection.map((photo) => ({
      ...photo, address: this.#program.address(`picker/photo/${photo.id}`), thumbnail: this.#program.thumbnail(photo),
    }));
  }

  #tellPhotos() {
    if (this.#state.isElsewhere) return;
    const picked = this.#state.selection.map(({ id }) => id).join();
    if (picked === this.#picked) return;
    this.#picked = picked;
    this.dispatchEvent(new CustomEvent("photos", { detail: this.#photos }));
  }

  #enter(name, wasPresented) {
    const hadFocus = this.matches(":focus-within");
    this.#screens[this.#screen]?.leave?.();
    if (!this.#screen) this.appear();
    this.#screen = name;
    this.setAttribute("screen", name);
    this.place.replaceChildren(...[this.#screens[name].enter(this.#state, name), this.#tray?.element].filter(Boolean));
    if (this.isModal) this.#takeFocus();
    // Beside other things it takes the focus that was in it, or in the part before it, which may not have left yet.
    else if (wasPresented) queueMicrotask(() => (hadFocus || hasNoFocus()) && this.#takeFocus());
  }

  #takeFocus() { (this.place.querySelector("[data-focus]") ?? this.place.querySelector("button"))?.focus(); }

  #leave() {
    if (this.#screen) {
      this.#screens[this.#screen].leave?.();
      this.#tray?.element.close();
      this.#screen = "";
      this.removeAttribute("screen");
      this.disappear();
    }
    if (!this.#state?.isPresented) this.#giveBack();
  }

  /// Gives the focus back, unless somebody took it elsewhere, or begins the other way.
  #giveBack() {
    const opener = this.#opener;
    this.#opener = null;
    if (hasNoFocus() || !(opener instanceof Node)) opener?.focus?.();
  }
}
