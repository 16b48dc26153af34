// An asset as large as the window, and the way to the ones beside it.

import { attempt, button, icon, iconButton, make } from "/ui/elements.js";
import { followConnection } from "/ui/events.js";
import { showKeys } from "/ui/keys.js";
import { ask, send } from "/ui/requests.js";
import { toast } from "/ui/toast.js";
import { words } from "/ui/words.js";
import { About } from "/about.js";
import { canShare, save, setFavorite, share, trash } from "/actions.js";
import { Beside } from "/beside.js";
import { Crop } from "/crop.js";
import { Film } from "/film.js";
import { dateTitle, number, timeTitle } from "/format.js";
import { viewerKeys } from "/key-lists.js";
import { Stage } from "/stage.js";

/// Events: "step" with -1 or 1, "go" with a place, "close" with the asset's id.
export class Viewer extends EventTarget {
  #dialog;
  #assets;
  #title = make("h1", { id: "viewer-title" });
  #caption = make("span", { className: "caption quiet" });
  #stage = new Stage();
  #about = new About();
  #film = new Film();
  #crop = new Crop();
  #beside = new Beside();
  #edit = button(words("edit"), () => this.#crop.open(this.id), { kind: "plain", id: "edit" });
  #back = iconButton("back", words("backToPhotos"), () => this.close(), { turns: true, id: "viewer-back" });
  #previous = iconButton("back", words("previous"), () => this.#tell("step", -1), { kind: "glass turn-page previous", turns: true });
  #next = iconButton("forward", words("next"), () => this.#tell("step", 1), { kind: "glass turn-page next", turns: true });
  #tools = {
    share: this.#tool("share", "share", () => share([this.id])),
    favorite: this.#tool("heart", "favorite", () => this.#favor()),
    save: this.#tool("save", "save", () => save([this.id])),
    about: this.#tool("info", "about", () => this.#showAbout(this.#about.element.hidden)),
    trash: this.#tool("trash", "toTrash", () => trash([this.id])),
  };
  /// Changes with each asset, so that what is late isn't shown.
  #turn = 0;
  #key = "";
  #item = null;
  #asset = null;
  #date = "";
  id = null;

  constructor(dialog, assets) {
    super();
    [this.#dialog, this.#assets] = [dialog, assets];
    dialog.setAttribute("aria-labelledby", this.#title.id);
    dialog.tabIndex = -1;
    this.#tools.share.hidden = !canShare;
    this.#stage.element.append(this.#previous, this.#next);
    this.#stage.addEventListener("load", () => {
      this.#keepFocus();
      this.#beside.load(this.#position[0], this.#assets);
    });
    followConnection((state) => { if (state === "open") this.#stage.comeBack(); });
    dialog.append(
      make("header", { className: "viewer-top" }, this.#back, make("div", { className: "bar-title" }, this.#title, this.#caption), this.#edit),
      this.#stage.element, this.#about.element,
      make("footer", { className: "viewer-foot" }, this.#stage.video.time, this.#film.element,
        make("div", { className: "tools", role: "toolbar", ariaLabel: words("actions") }, Object.values(this.#tools))));
    this.#about.addEventListener("choose", ({ detail }) => this.#showFile(detail));
    this.#about.addEventListener("close", () => this.#showAbout(false));
    this.#about.addEventListener("revert", () => attempt(() => this.#revert()));
    this.#crop.addEventListener("done", ({ detail }) => toast(words("edited"), { undo: detail }));
    this.#film.addEventListener("go", ({ detail }) => this.#tell("go", detail));
    const { gestures } = this.#stage;
    gestures.addEventListener("turn", ({ detail }) => this.#tell("step", detail));
    gestures.addEventListener("close", () => this.close());
    gestures.addEventListener("press", () => this.#dialog.classList.toggle("chromeless"));
    dialog.addEventListener("keydown", (event) => this.#press(event));
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      if (!this.#about.element.hidden) this.#showAbout(false);
      else this.close();
    });
    // Where the browser closes it, and a while later: by then another asset may be shown.
    dialog.addEventListener("close", () => { if (!dialog.open) this.#leave(); });
  }

  /// Whether photos may be changed.
  set canSave(canSave) {
    this.#about.canSave = canSave;
    for (const tool of [this.#tools.trash, this.#tools.favorite, this.#edit]) tool.disabled = !canSave;
    this.#keepFocus();
  }

  /// Says where in the list it is.
  move(place, count) {
    this.#caption.textContent = [this.#date, words("placeOf", { place: number(place + 1), count: number(count) })].filter(Boolean).join(" · ");
    this.#position = [place, count];
    [this.#previous.disabled, this.#next.disabled] = [place <= 0, place >= count - 1];
    this.#film.show(place, this.#assets);
    this.#keepFocus();
  }

  #position = [0, 0];

  /// Shows an asset that the grid knows; once, until it is another one or its files are others.
  async show(item) {
    this.#showFavorite(item.isFavorite);
    this.#item = item;
    const key = `${item.id} ${item.version}`;
    if (key === this.#key && this.#dialog.open) return;
    const isSame = item.id === this.id;
    [this.id, this.#key] = [item.id, key];
    const turn = this.#turn += 1;
    this.#name(item);
    this.#stage.wait();
    if (!isSame) this.#about.clear();
    this.#edit.hidden = true;
    if (!this.#dialog.open) {
      this.#dialog.classList.remove("chromeless");
      this.#dialog.showModal();
      // On the first button Space would press that, and close what it should play.
      this.#dialog.focus();
    }
    this.#keepFocus();
    await this.#load(turn);
  }

  async #load(turn) {
    try {
      const asset = await ask(`/assets/${this.id}`);
      if (turn !== this.#turn) return;
      this.#asset = asset;
      this.#name(asset);
      this.#about.show(asset);
      this.#edit.hidden = !asset.canEdit;
      this.#showFile(asset.files[0]);
      this.#keepFocus();
    } catch (error) {
      if (turn !== this.#turn) return;
      if (error.status === 0) this.#stage.later(() => this.#load(turn));
      else this.#stage.fail(error.message);
    }
  }

  #name({ name, taken }) {
    this.#title.textContent = taken === undefined || taken === null ? name : timeTitle(taken);
    this.#date = taken === undefined || taken === null ? "" : dateTitle(taken);
    this.move(...this.#position);
  }

  close() {
    if (!this.#dialog.open) return;
    this.#dialog.close();
    this.#leave();
  }

  #leave() {
    const { id } = this;
    if (!id) return;
    [this.id, this.#key] = [null, ""];
    this.#turn += 1;
    this.#crop.close();
    this.#showAbout(false);
    // A video that is away doesn't play on.
    this.#stage.clear();
    this.#beside.forget();
    this.#tell("close", id);
  }

  #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }

  #tool(name, code, press) {
    const element = make("button", { type: "button", data: { tool: code } }, icon(name), make("span", { textContent: words(code) }));
    element.addEventListener("click", () => attempt(press));
    return element;
  }

  async #favor() {
    const isFavorite = !this.#item.isFavorite;
    this.#item = { ...this.#item, isFavorite };
    this.#showFavorite(isFavorite);
    try {
      await setFavorite([this.id], isFavorite, this.#assets);
    } catch (error) {
      this.#showFavorite(!isFavorite);
      throw error;
    }
  }

  #showFavorite(isFavorite) {
    const { favorite } = this.#tools;
    favorite.setAttribute("aria-pressed", String(isFavorite));
    favorite.replaceChild(icon(isFavorite ? "heart-on" : "heart"), favorite.firstElementChild);
  }

  #showAbout(isShown) {
    this.#about.element.hidden = !isShown;
    this.#dialog.classList.toggle("with-about", isShown);
    this.#tools.about.setAttribute("aria-expanded", String(isShown));
    if (isShown) this.#about.element.querySelector("button").focus();
    else this.#keepFocus();
  }

  /// What had the keyboard's focus may be gone, hidden, or of no use any more: then keys would reach nobody.
  #keepFocus() {
    const { activeElement } = document;
    const isKept = this.#dialog.contains(activeElement) && !activeElement.disabled && activeElement.checkVisibility();
    if (this.#dialog.open && !isKept && !this.#crop.isOpen) this.#dialog.focus();
  }

  #showFile(file) {
    this.#about.mark(file);
    this.#stage.show(this.#asset, file);
  }

  async #revert() {
    await send("POST", `/assets/${this.id}/revert`);
    toast(words("reverted"));
  }

  #press(event) {
    // A list that lies over it has its own keys, and so has a slider.
    if (event.target.closest("dialog") !== this.#dialog || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input") && /^(Arrow|Home|End|Page)/.test(event.key)) return;
    const forward = getComputedStyle(this.#dialog).direction === "rtl" ? -1 : 1;
    const { gestures, video } = this.#stage;
    // Also what lies under the sheet with what is known.
    const click = (element) => () => element.hidden || element.disabled || element.click();
    const action = {
      ArrowLeft: () => this.#step(-forward), ArrowRight: () => this.#step(forward), Delete: click(this.#tools.trash),
      i: () => this.#showAbout(this.#about.element.hidden), h: click(this.#tools.favorite), e: click(this.#edit),
      "+": () => gestures.zoomBy(1.5), "-": () => gestures.zoomBy(1 / 1.5), 0: () => gestures.zoomTo(1),
      "?": () => showKeys(viewerKeys(), this.#dialog),
      " ": video.isOn && !event.target.closest("button") ? () => video.toggle() : undefined,
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  #step(step) { (step > 0 ? this.#next : this.#previous).click(); }
}
