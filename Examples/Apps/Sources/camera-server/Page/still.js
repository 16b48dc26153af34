// The last live picture, kept for the time when there is none: a server that went away leaves nothing in the browser.

import { locale, words } from "/ui/words.js";

const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

export class Still {
  #live;
  #canvas;
  #taken = null;

  constructor(live, canvas) {
    this.#live = live;
    this.#canvas = canvas;
  }

  get #picture() { return this.#live.picture; }

  /// When it was live, in words.
  get time() { return this.#taken ? clock.format(this.#taken) : ""; }

  /// Whether a live picture is there.
  get isMoving() {
    const picture = this.#picture;
    return Boolean(picture && !picture.hidden && picture.naturalWidth);
  }

  /// Keeps what is seen now.
  take() {
    if (document.hidden || !this.isMoving) return;
    const picture = this.#picture;
    Object.assign(this.#canvas, { width: picture.naturalWidth, height: picture.naturalHeight });
    this.#canvas.getContext("2d").drawImage(picture, 0, 0);
    this.#taken = new Date();
  }

  /// Shows what was kept; false where nothing is.
  show() {
    this.#canvas.hidden = !this.#taken;
    this.#canvas.classList.toggle("mirrored", this.#live.hasAttribute("mirrored"));
    if (this.#taken) this.#canvas.ariaLabel = words("stillPicture", { time: this.time });
    return Boolean(this.#taken);
  }

  hide() { this.#canvas.hidden = true; }
}
