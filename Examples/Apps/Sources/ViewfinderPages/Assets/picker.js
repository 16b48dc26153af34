// An image picker: the camera or the library, a photo to use or to take again, and a crop.
//
//   <viewfinder-picker></viewfinder-picker>
//   <viewfinder-picker base="https://example.org/camera/"></viewfinder-picker>
//
// base: where the program is, if not above the folder of this module. It shows itself while the program presents a picker
// to this page; one element is all that a page needs. Its children with slot="overlay" take the place of the controls
// where the program shows none of the picker's own; buttons among them act by data-do, data-value and data-name, such as
// <button data-do="takePicture" data-value="5">.
//
// The event "state" has the picker's state as its detail. The property `task` says what the page wants a photo for.

import "./picker-words.js";
import "./live.js";
import { attempt, icon, iconButton } from "./elements.js";
import { follow, followConnection } from "./events.js";
import { showKeys } from "./keys.js";
import { make, PickerProgram } from "./picker-actions.js";
import { CameraScreen } from "./picker-camera.js";
import { EdgeEditor } from "./picker-correction.js";
import { CropEditor } from "./picker-crop.js";
import { LibraryGrid } from "./picker-library.js";
import { styles } from "./styles.js";
import { toast } from "./toast.js";
import { told, words } from "./words.js";

const sheets = await styles("tokens", "parts", "tiles", "picker");
const sourceNames = ["camera", "photoLibrary", "savedPhotosAlbum"];

class ViewfinderPicker extends HTMLElement {
  #stops = [];
  #state = null;
  #screen = "";
  #message = "";
  #opener = null;
  #program = null;
  #parts = null;
  // Where nothing has the focus, keys don't come by the element.
  #keys = (event) => [document.body, document.documentElement].includes(event.target) && this.#press(event);
  #goodbye = () => this.#state?.isPresented && this.#program.leave();

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = sheets;
    // Once for all places in the tree where the element will be.
    this.addEventListener("click", (event) => this.#click(event));
    this.addEventListener("keydown", (event) => this.#press(event));
  }

  /// What the page wants the photo for, to be set before the picker is shown: { title, skip, instead }, each if it is wanted.
  ///
  /// The title stands above the camera's picture. `skip` goes on without this photo; `instead` is the way that works without
  /// a camera, where there is none. Both are { text, press } and cancel the picker: skip's `press` is called before,
  /// that of `instead` when the picker has closed and gives the focus back.
  // A page may have set it before this module was there.
  task = this.task ?? null;

  /// The program that this element picks from.
  get program() { return this.#program; }

  connectedCallback() {
    this.#program = new PickerProgram(this.getAttribute("base") ?? undefined);
    this.#build();
    addEventListener("keydown", this.#keys, { capture: true });
    addEventListener("pagehide", this.#goodbye);
    const { options } = this.#program;
    this.#stops = [
      follow("picker", (state) => this.#show(state), {}, { whileHidden: true, ...options }),
      followConnection((state) => this.#connectionIs(state), options),
    ];
  }

  disconnectedCallback() {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    removeEventListener("keydown", this.#keys, { capture: true });
    removeEventListener("pagehide", this.#goodbye);
    this.#leave();
    this.shadowRoot.replaceChildren();
  }

  #build() {
    const act = (verb, rest) => attempt(() => this.#program.act(verb, rest));
    const dialog = make("dialog", { className: "full picker", ariaLabel: words("picker.title") });
    const camera = new CameraScreen(this.#program, act, make("slot", { name: "overlay" }), () => this.task ?? {});
    const crop = new CropEditor(this.#program, act);
    const edges = new EdgeEditor(this.#program, act);
    const grid = new LibraryGrid(this.#program, act);
    const tray = make("ul", { className: "tray", ariaLabel: words("picker.tray") });
    const sheet = make("dialog", { className: "sheet", ariaLabel: words("picker.tray") },
      make("div", { className: "head-row" }, make("h2", { textContent: words("picker.tray") }),
        iconButton("close", words("close"), () => sheet.close())), tray);
    const useTaken = this.#actionButton("done", "", "button primary");
    sheet.append(useTaken);
    camera.openTray = () => sheet.showModal();
    camera.goInstead = (press) => {
      this.#opener = { focus: press };
      return act("cancel");
    };
    // Escape asks the program; the dialog goes when the picker does.
    dialog.addEventListener("cancel", (event) => {
      if (event.target !== dialog) return;
      event.preventDefault();
      act("cancel");
    });
    this.shadowRoot.append(dialog);
    this.#parts = { dialog, camera, crop, edges, grid, tray, sheet, useTaken, act };
  }

  #actionButton(verb, text, className, { name, value, icon: iconName } = {}) {
    return make("button", {
      type: "button", className, data: { do: verb, ...(name ? { name } : {}), ...(value ? { value } : {}) },
      ...(iconName ? { ariaLabel: text, title: text } : {}),
    }, iconName && icon(iconName), iconName ? null : make("span", { textContent: text }));
  }

  #click(event) {
    const pressed = event.composedPath().find((part) => part instanceof HTMLElement && part.dataset.do);
    if (!pressed || pressed.disabled) return;
    const { do: verb, value, name } = pressed.dataset;
    if (verb === "done") this.#parts.sheet.close();
    this.#parts.act(verb, { value: value === undefined ? undefined : Number(value), name });
  }

  /// Keys are the picker's while it is open: what lies behind it hears none of them.
  #press(event) {
    if (!this.#parts?.dialog.open) return;
    event.stopPropagation();
    const { dialog } = this.#parts;
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.querySelector("dialog[open]")) return;
    const at = event.composedPath()[0];
    if (at.closest("input:not([type=range]), textarea, select")) return;
    if (event.key === "?") showKeys(this.#screenKeys, dialog);
    else if (!this.#key(event, at)) return;
    event.preventDefault();
  }

  /// Does what a key does on the screen that is shown; false for others.
  #key(event, at) {
    const { camera, act } = this.#parts;
    // Space and Return work what has the focus where that is a control.
    if (this.#screen === "camera") {
      if (at.closest("input") || (event.key === " " && at.closest("button, a"))) return false;
      return camera.press(event.key, this.querySelector('[slot="overlay"]'));
    }
    const isUse = event.key === "Enter" && ["editing", "correcting"].includes(this.#screen);
    if (!isUse || event.repeat || at.closest("button:not(.handle), a")) return false;
    act("usePhoto");
    return true;
  }

  get #screenKeys() {
    const { camera, crop, edges, grid } = this.#parts;
    const use = [words("key.return"), words("picker.usePhoto")];
    return {
      camera: () => camera.keys, review: () => [use], editing: () => [...crop.keys, use], correcting: () => [...edges.keys, use],
    }[this.#screen]?.() ?? grid.keys;
  }

  #connectionIs(state) {
    const { camera, dialog } = this.#parts;
    camera.connectionIs(state);
    // The camera has a drawing of its own.
    if (["open", "opening"].includes(state) || !dialog.open || this.#screen === "camera") return;
    toast(words(`connection.${state}`));
  }

  #show(state) {
    this.#state = state;
    this.dispatchEvent(new CustomEvent("state", { detail: state }));
    if (!state.isPresented) {
      this.#leave();
      return;
    }
    const { dialog, camera, crop, edges, grid } = this.#parts;
    const screen = state.screen === "source" ? state.source : state.screen;
    if (!dialog.open) {
      this.#opener = document.activeElement;
      dialog.showModal();
    }
    if (screen !== this.#screen) this.#enter(screen);
    // The camera has a drawing of its own for a full disk.
    const isDrawn = screen === "camera" && state.problem?.code === "fullAt";
    const message = state.problem && !isDrawn ? told(state.problem) : "";
    if (message && message !== this.#message) toast(message);
    this.#message = message;
    this.#showTray();
    if (screen === "camera") camera.show(state, this.querySelector('[slot="overlay"]'));
    else if (screen === "editing") crop.show(state.photo, state.editor);
    else if (screen === "correcting") edges.show(state.photo, state.correction);
    else if (screen !== "review") grid.show(state);
    this.#showSources(screen);
  }

  #leave() {
    this.#screen = "";
    if (!this.#parts) return;
    const { dialog, camera, sheet } = this.#parts;
    camera.leave();
    sheet.close();
    if (!dialog.open) return;
    dialog.close();
    dialog.replaceChildren();
    // To where the picker was opened.
    this.#opener?.focus?.();
    this.#opener = null;
  }

  #enter(screen) {
    const { dialog, camera, crop, edges, grid, sheet } = this.#parts;
    this.#screen = screen;
    dialog.dataset.screen = screen;
    camera.leave();
    if (screen === "camera") camera.enter(this.#state);
    const view = {
      camera: () => camera.element,
      review: () => this.#reviewScreen("review", this.#still(), []),
      editing: () => this.#reviewScreen("editing", make("div", { className: "live still" }, crop.element), [crop.tools]),
      correcting: () => this.#reviewScreen("correcting", edges.element, []),
    }[screen]?.() ?? this.#libraryScreen(screen, grid);
    dialog.replaceChildren(view, sheet);
    (dialog.querySelector("[data-focus]") ?? dialog.querySelector("button"))?.focus();
  }

  #still() {
    const { id, name } = this.#state.photo;
    return make("div", { className: "live still" }, make("img", {
      className: "whole", src: this.#program.address(`picker/photo/${id}`), alt: words("picker.photo", { name }),
    }));
  }

  /// Retake and Use, where the thumb is; cropping and turning at the top.
  #reviewScreen(name, picture, tools) {
    const { canBeCropped } = this.#state.photo;
    const again = this.#state.photo.isFromCamera ? "picker.retake" : "picker.back";
    const use = this.#actionButton("usePhoto", words("picker.usePhoto"), "button large primary");
    use.dataset.focus = "";
    return make("section", { className: "camera", data: { screen: name }, ariaLabel: words(`picker.${name}`) },
      make("h1", { className: "visually-hidden", textContent: words(`picker.${name}`) }),
      picture,
      make("header", { className: "camera-top" },
        this.#actionButton("cancel", words("cancel"), "icon-button glass", { icon: "close" }),
        make("span", { className: "grow" }),
        name === "review" && canBeCropped ? this.#actionButton("crop", words("picker.cropIt"), "icon-button glass", { icon: "crop" }) : null,
        name === "review" && !canBeCropped ? null : this.#actionButton("turnRight", words("picker.turnRight"), "icon-button glass", { icon: "turn" })),
      make("div", { className: "camera-mid" }, make("span"),
        name === "correcting" ? this.#parts.edges.words : null),
      make("footer", { className: "camera-controls" }, ...tools,
        make("div", { className: "review-actions" },
          this.#actionButton("retake", words(again), "button large"), use)));
  }

  #libraryScreen(screen, grid) {
    grid.begin();
    const use = this.#actionButton("done", "", "button primary use");
    return make("section", { className: "picker-library", ariaLabel: words(`picker.${screen}`) },
      make("header", { className: "bar" },
        make("button", { type: "button", className: "button plain", data: { do: "cancel" } },
          icon("close"), make("span", { textContent: words("cancel") })),
        make("h1", { textContent: words(`picker.${screen}`) }), use),
      grid.filters, grid.element,
      make("footer", { className: "foot" }, this.#sources()));
  }

  #sources() {
    return make("div", { className: "sources", role: "group", ariaLabel: words("picker.source") },
      ...sourceNames.filter((name) => this.#state.sources.includes(name)).map((name) =>
        this.#actionButton("showSource", words(`picker.${name}`), "", { name })));
  }

  #showSources(screen) {
    const { sources, source, camera, selection, limit } = this.#state;
    const { dialog, camera: view } = this.#parts;
    if (screen === "camera") view.placeSources(() => this.#sources());
    for (const group of dialog.querySelectorAll(".sources")) {
      group.hidden = sources.length < 2;
      group.classList.toggle("away", camera.activity !== "idle");
      for (const choice of group.children) choice.setAttribute("aria-pressed", String(choice.dataset.name === source));
    }
    const use = dialog.querySelector(".use");
    if (!use) return;
    use.hidden = limit === 1;
    use.disabled = selection.length === 0;
    use.firstElementChild.textContent = words("picker.use", { count: selection.length });
  }

  #showTray() {
    const { tray, useTaken, sheet } = this.#parts;
    const { selection, limit, camera } = this.#state;
    const known = new Map([...tray.children].map((item) => [item.dataset.id, item]));
    tray.replaceChildren(...(limit === 1 ? [] : selection).map((photo, place) => {
      const item = known.get(photo.id) ?? this.#trayItem(photo);
      item.lastElementChild.ariaLabel = words("picker.remove", { count: place + 1 });
      return item;
    }));
    useTaken.firstElementChild.textContent = words("picker.useTaken", { count: selection.length });
    useTaken.disabled = camera.activity !== "idle";
    if (sheet.open && (selection.length === 0 || limit === 1)) sheet.close();
  }

  #trayItem(photo) {
    const picture = make("img", { src: this.#program.thumbnail(photo), alt: "" });
    const remove = this.#actionButton("remove", words("picker.remove"), "icon-button glass", { name: photo.id, icon: "trash" });
    return make("li", { data: { id: photo.id } }, picture, remove);
  }
}

customElements.define("viewfinder-picker", ViewfinderPicker);
