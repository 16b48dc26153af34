// One photo after the other, over the whole screen, which stays awake.

import { iconButton, make } from "/ui/elements.js";
import { ask } from "/ui/requests.js";
import { words } from "/ui/words.js";
import { label } from "/format.js";

/// How long each photo is shown, in milliseconds.
const interval = 4000;

export class Slideshow {
  #dialog = make("dialog", { className: "full viewer slideshow", id: "slideshow", ariaLabel: words("slideshow") });
  #stage = make("div", { className: "viewer-picture" });
  #pause = iconButton("pause", words("pause"), () => this.#hold(!this.#isHeld), { kind: "glass" });
  #assets;
  #place = 0;
  #timer = 0;
  #turn = 0;
  #isHeld = false;
  #lock = null;

  constructor(assets) {
    this.#assets = assets;
    const close = iconButton("close", words("close"), () => this.#dialog.close(), { kind: "glass" });
    this.#dialog.append(this.#stage, make("div", { className: "slideshow-tools" }, this.#pause, close));
    document.body.append(this.#dialog);
    this.#dialog.addEventListener("close", () => this.#end());
    this.#dialog.addEventListener("keydown", (event) => {
      const forward = getComputedStyle(this.#dialog).direction === "rtl" ? -1 : 1;
      const step = { ArrowRight: forward, ArrowLeft: -forward }[event.key];
      if (step) this.#go(step);
      else if (event.key === " " && !event.target.closest("button")) this.#hold(!this.#isHeld);
      else return;
      event.preventDefault();
    });
    document.addEventListener("visibilitychange", () => this.#dialog.open && !document.hidden && this.#stayAwake());
  }

  async open(place = 0) {
    this.#place = place - 1;
    this.#dialog.showModal();
    this.#hold(false);
    this.#stayAwake();
    await this.#go(1);
  }

  /// Where the browser lets pages do so; where it doesn't nothing is said.
  async #stayAwake() { this.#lock = await navigator.wakeLock?.request("screen").catch(() => null); }

  #end() {
    clearTimeout(this.#timer);
    this.#turn += 1;
    this.#stage.replaceChildren();
    this.#lock?.release().catch(() => {});
    this.#lock = null;
  }

  #hold(isHeld) {
    this.#isHeld = isHeld;
    this.#pause.ariaLabel = this.#pause.title = words(isHeld ? "goOn" : "pause");
    this.#pause.firstElementChild.firstElementChild.setAttribute("href", `/ui/icons.svg#${isHeld ? "play" : "pause"}`);
    clearTimeout(this.#timer);
    if (!isHeld) this.#timer = setTimeout(() => this.#go(1), interval);
  }

  /// The next photo; videos and what can't be shown are passed over.
  async #go(step) {
    clearTimeout(this.#timer);
    const turn = this.#turn += 1;
    const { count } = this.#assets;
    for (let tries = 0; tries < count; tries += 1) {
      this.#place = (this.#place + step + count) % count;
      const picture = await this.#picture(this.#place);
      if (turn !== this.#turn) return;
      if (!picture) continue;
      this.#show(picture);
      if (!this.#isHeld) this.#timer = setTimeout(() => this.#go(1), interval);
      return;
    }
    this.#dialog.close();
  }

  async #picture(place) {
    try {
      const [item] = await this.#assets.all(place, place + 1);
      if (!item || item.isVideo || item.problem) return null;
      const { files: [file] } = await ask(`/assets/${item.id}`);
      const picture = make("img", { alt: label(item), src: `/assets/${item.id}/files/${file.id}/picture?version=${item.version}` });
      await picture.decode();
      return picture;
    } catch {
      return null;
    }
  }

  #show(picture) {
    const before = [...this.#stage.children];
    picture.classList.add("coming");
    this.#stage.append(picture);
    const clear = () => before.forEach((old) => old.remove());
    // With less motion it is a cut.
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) clear();
    else picture.addEventListener("animationend", clear, { once: true });
  }
}
