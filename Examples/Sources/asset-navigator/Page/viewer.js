// An asset as large as the window, with its files and what is known of it.

import { make } from "/ui/picker-actions.js";
import { details } from "/assets.js";
import { roles, size, when } from "/words.js";

/// What browsers show by themselves, and the library only lists.
const shownByBrowser = ["image/gif", "image/webp", "image/avif", "image/bmp"];
/// How far a finger goes to turn a page, in pixels.
const swipe = 60;

const button = (className, textContent, ariaLabel) =>
  make("button", { type: "button", className, textContent, ariaLabel });

/// Events: "step" with -1 or 1; "trash" and "close" with the asset's id.
export class Viewer extends EventTarget {
  #dialog;
  #name = make("h2");
  #place = make("p", { className: "quiet" });
  #stage = make("div", { className: "full" });
  #facts = make("dl");
  #files = make("ul", { role: "list", ariaLabel: "Files of this photo" });
  #info = make("aside", { hidden: true, ariaLabel: "About this photo" });
  #about = button("about", "Info", "Info about this photo");
  #previous = button("previous", "‹", "Previous");
  #next = button("next", "›", "Next");
  #trash = button("trash", "Trash", "Trash this photo");
  /// Changes with each asset, so that what is late isn't shown.
  #turn = 0;
  #start = null;
  #key = "";
  id = null;

  constructor(dialog) {
    super();
    this.#dialog = dialog;
    const close = button("close", "‹", "Back to the album");
    const title = make("div", { className: "title" }, this.#name, this.#place);
    this.#info.append(this.#facts, make("h3", { textContent: "Files" }), this.#files);
    this.#about.setAttribute("aria-expanded", "false");
    dialog.append(
      make("header", {}, close, title, this.#trash, this.#about), this.#stage, this.#info,
      this.#previous, this.#next);
    close.addEventListener("click", () => dialog.close());
    this.#about.addEventListener("click", () => this.#showInfo(this.#info.hidden));
    this.#previous.addEventListener("click", () => this.#tell("step", -1));
    this.#next.addEventListener("click", () => this.#tell("step", 1));
    this.#trash.addEventListener("click", () => this.#tell("trash", this.id));
    dialog.addEventListener("keydown", (event) => this.#press(event));
    dialog.addEventListener("close", () => this.#close());
    this.#stage.addEventListener("pointerdown", (event) => { this.#start = event.clientX; });
    this.#stage.addEventListener("pointerup", (event) => this.#swiped(event));
    this.#stage.addEventListener("pointercancel", () => { this.#start = null; });
  }

  /// Whether photos may be put into the trash.
  set canSave(canSave) { this.#trash.disabled = !canSave; }

  /// Says where in the album it is.
  move(place, count) {
    this.#place.textContent = `${(place + 1).toLocaleString()} of ${count.toLocaleString()}`;
    [this.#previous.disabled, this.#next.disabled] = [place <= 0, place >= count - 1];
  }

  /// Shows an asset that the grid knows; once, until it is another one or its files are others.
  async show(item) {
    const key = `${item.id} ${item.version}`;
    if (key === this.#key && this.#dialog.open) return;
    [this.id, this.#key] = [item.id, key];
    const turn = this.#turn += 1;
    this.#name.textContent = item.name;
    this.#stage.replaceChildren();
    this.#files.replaceChildren();
    this.#facts.replaceChildren();
    if (!this.#dialog.open) this.#dialog.showModal();
    try {
      const asset = await details(item.id);
      if (turn !== this.#turn) return;
      this.#name.textContent = asset.name;
      this.#showFacts(asset);
      this.#files.replaceChildren(...asset.files.map((file) => this.#file(asset, file)));
      this.#showFile(asset, asset.files[0]);
    } catch (error) {
      if (turn === this.#turn) this.#fail(error.message);
    }
  }

  close() { if (this.#dialog.open) this.#dialog.close(); }

  #close() {
    const { id } = this;
    this.id = null;
    this.#turn += 1;
    // A video that is away doesn't play on.
    this.#stage.replaceChildren();
    this.#tell("close", id);
  }

  #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }

  #showInfo(isShown) {
    this.#info.hidden = !isShown;
    this.#about.setAttribute("aria-expanded", String(isShown));
  }

  #showFacts({ taken, written, facts }) {
    const date = taken == null
      ? { name: "Written", value: new Date(written).toLocaleString() }
      : { name: "Taken", value: when(taken) };
    this.#facts.replaceChildren(...[date, ...facts].flatMap(({ name, value }) =>
      [make("dt", { textContent: name }), make("dd", { textContent: value })]));
  }

  /// A file of the asset, to be shown in place of the one that is.
  #file(asset, file) {
    const pixels = file.width ? `${file.width} × ${file.height}` : null;
    const words = [file.name, file.type ?? "unknown", pixels, size(file.size)];
    const choice = make(
      "button", { type: "button" }, make("strong", { textContent: roles[file.role] }),
      make("span", { textContent: words.filter(Boolean).join(" · ") }));
    choice.dataset.file = file.id;
    choice.addEventListener("click", () => this.#showFile(asset, file));
    return make("li", {}, choice);
  }

  #showFile({ id, version }, file) {
    for (const choice of this.#files.querySelectorAll("button")) {
      choice.setAttribute("aria-pressed", String(choice.dataset.file === file.id));
    }
    const path = `/assets/${id}/files/${file.id}`;
    // A file whose type isn't known may be told by nobody else either.
    if (file.problem && !file.isVideo) return this.#fail(file.problem, file, path);
    const isOwn = file.isVideo || shownByBrowser.includes(file.type);
    const picture = file.isVideo
      ? make("video", { controls: true, playsInline: true, preload: "metadata", ariaLabel: file.name })
      : make("img", { alt: `${roles[file.role]} ${file.name}`, draggable: false });
    picture.addEventListener("error", () => this.#explain(picture, file, path));
    picture.src = isOwn ? path : `${path}/picture?version=${version}`;
    this.#stage.replaceChildren(picture);
  }

  /// Says why a picture isn't shown: its element doesn't tell.
  async #explain(picture, file, path) {
    const answer = file.isVideo ? null : await fetch(picture.src).catch(() => null);
    const reason = answer && !answer.ok ? (await answer.json()).error : file.problem;
    if (picture.parentNode !== this.#stage) return;
    this.#fail(reason ?? `This browser doesn't show ${file.type ?? "such files"}.`, file, path);
  }

  #fail(words, file, path) {
    const parts = [make("p", { className: "reason", role: "alert", textContent: words })];
    if (file) {
      parts.push(make("a", {
        className: "button", href: path, download: file.name, textContent: "Save the file",
      }));
    }
    this.#stage.replaceChildren(make("div", { className: "missing" }, ...parts));
  }

  #press(event) {
    // A video's own keys are its own.
    if (event.target.closest("video") || event.ctrlKey || event.altKey || event.metaKey) return;
    const action = {
      ArrowLeft: () => this.#previous.click(), ArrowRight: () => this.#next.click(),
      Delete: () => this.#trash.click(), i: () => this.#about.click(),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  #swiped(event) {
    const way = this.#start === null ? 0 : event.clientX - this.#start;
    this.#start = null;
    if (event.target.closest("video") || Math.abs(way) < swipe) return;
    (way > 0 ? this.#previous : this.#next).click();
  }
}
