// An asset as large as the window, and the way to the ones beside it.

import { make } from "/ui/picker-actions.js";
import { About } from "/about.js";
import { details } from "/assets.js";
import { Stage } from "/stage.js";
import { onSwipe } from "/swipe.js";

const button = (className, textContent, ariaLabel) =>
  make("button", { type: "button", className, textContent, ariaLabel });

/// Events: "step" with -1 or 1; "trash" and "close" with the asset's id.
export class Viewer extends EventTarget {
  #dialog;
  #name = make("h2", { id: "viewer-title" });
  #place = make("p", { className: "quiet" });
  #stage = new Stage();
  #about = new About();
  /// What went wrong: the page's own words are behind this.
  #news = make("p", { className: "news", role: "alert" });
  #info = button("about", "Info", "Info about this photo");
  #previous = button("previous", "‹", "Previous");
  #next = button("next", "›", "Next");
  #trash = button("trash", "Trash", "Trash this photo");
  /// Changes with each asset, so that what is late isn't shown.
  #turn = 0;
  #key = "";
  #asset = null;
  id = null;

  constructor(dialog) {
    super();
    this.#dialog = dialog;
    const close = button("close", "‹", "Back to the album");
    const title = make("div", { className: "title" }, this.#name, this.#place);
    this.#info.setAttribute("aria-expanded", "false");
    dialog.setAttribute("aria-labelledby", this.#name.id);
    dialog.tabIndex = -1;
    dialog.append(
      make("header", {}, close, title, this.#trash, this.#info), this.#stage.element,
      this.#about.element, this.#previous, this.#next, this.#news);
    close.addEventListener("click", () => this.close());
    this.#info.addEventListener("click", () => this.#showAbout(this.#about.element.hidden));
    this.#previous.addEventListener("click", () => this.#tell("step", -1));
    this.#next.addEventListener("click", () => this.#tell("step", 1));
    this.#trash.addEventListener("click", () => this.#tell("trash", this.id));
    this.#about.addEventListener("choose", ({ detail }) => this.#showFile(detail));
    dialog.addEventListener("keydown", (event) => this.#press(event));
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.close();
    });
    // Where the browser closes it, and a while later: by then another asset may be shown.
    dialog.addEventListener("close", () => { if (!dialog.open) this.#leave(); });
    onSwipe(this.#stage.element, (step) => (step > 0 ? this.#next : this.#previous).click());
  }

  /// Whether photos may be put into the trash.
  set canSave(canSave) { this.#trash.disabled = !canSave; }

  /// Says what went wrong.
  say(words) { this.#news.textContent = words ?? ""; }

  /// Says where in the album it is.
  move(place, count) {
    this.#place.textContent = `${(place + 1).toLocaleString()} of ${count.toLocaleString()}`;
    [this.#previous.disabled, this.#next.disabled] = [place <= 0, place >= count - 1];
    this.#keepFocus();
  }

  /// Shows an asset that the grid knows; once, until it is another one or its files are others.
  async show(item) {
    const key = `${item.id} ${item.version}`;
    if (key === this.#key && this.#dialog.open) return;
    if (item.id !== this.id) this.say(null);
    [this.id, this.#key] = [item.id, key];
    const turn = this.#turn += 1;
    this.#name.textContent = item.name;
    this.#stage.clear();
    this.#about.clear();
    this.#keepFocus();
    if (!this.#dialog.open) this.#dialog.showModal();
    try {
      const asset = await details(item.id);
      if (turn !== this.#turn) return;
      this.#asset = asset;
      this.#name.textContent = asset.name;
      this.#about.show(asset);
      this.#showFile(asset.files[0]);
    } catch (error) {
      if (turn === this.#turn) this.#stage.fail(error.message);
    }
  }

  close() {
    if (!this.#dialog.open) return;
    this.#dialog.close();
    this.#leave();
  }

  #leave() {
    const { id } = this;
    if (!id) return;
    this.id = null;
    this.#turn += 1;
    // A video that is away doesn't play on.
    this.#stage.clear();
    this.#tell("close", id);
  }

  #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }

  #showAbout(isShown) {
    this.#about.element.hidden = !isShown;
    this.#info.setAttribute("aria-expanded", String(isShown));
    this.#keepFocus();
  }

  /// What had the keyboard's focus may be gone, hidden, or of no use any more: then keys would reach nobody.
  #keepFocus() {
    const { activeElement } = document;
    const isKept = this.#dialog.contains(activeElement) && !activeElement.disabled
      && activeElement.checkVisibility();
    if (this.#dialog.open && !isKept) this.#dialog.focus();
  }

  #showFile(file) {
    this.#about.mark(file);
    this.#stage.show(this.#asset, file);
  }

  #press(event) {
    // A video's own keys are its own.
    if (event.target.closest("video") || event.ctrlKey || event.altKey || event.metaKey) return;
    const action = {
      ArrowLeft: () => this.#previous.click(), ArrowRight: () => this.#next.click(),
      Delete: () => this.#trash.click(), i: () => this.#info.click(),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
