// A video's controls: a large button to begin, then a position.

import { icon, make } from "/ui/elements.js";
import { words } from "/ui/words.js";
import { length } from "/format.js";

export class VideoControls {
  #video = null;
  #play = make("button", { type: "button", className: "play glass", ariaLabel: words("play") }, icon("play"));
  #at = make("span", { textContent: "0:00" });
  #whole = make("span");
  #range = make("input", { className: "range", type: "range", min: 0, max: 1, step: 0.1, value: 0, ariaLabel: words("position") });
  /// Shown in the foot of the viewer while there is a video.
  time = make("div", { className: "time", hidden: true }, this.#at, this.#range, this.#whole);

  constructor() {
    this.#play.addEventListener("click", () => this.toggle());
    this.#range.addEventListener("input", () => {
      if (this.#video) this.#video.currentTime = Number(this.#range.value);
    });
  }

  get isOn() { return this.#video !== null; }

  /// Controls a video; gives the button that lies on it.
  begin(video) {
    this.#video = video;
    this.time.hidden = false;
    for (const name of ["timeupdate", "durationchange", "play", "pause", "ended"]) video.addEventListener(name, () => this.#show());
    this.#show();
    return this.#play;
  }

  toggle() {
    if (!this.#video) return;
    // What can't be played says so by itself, as an error of the element.
    if (this.#video.paused) this.#video.play().catch(() => {});
    else this.#video.pause();
  }

  end() {
    this.#video?.pause();
    this.#video = null;
    this.time.hidden = true;
    this.#play.remove();
  }

  #show() {
    const { currentTime, duration, paused } = this.#video ?? {};
    if (!this.#video) return;
    const seconds = Number.isFinite(duration) ? duration : 0;
    this.#range.max = seconds || 1;
    this.#range.value = currentTime;
    this.#range.setAttribute("aria-valuetext", words("ofSeconds", { at: Math.round(currentTime), count: Math.round(seconds) }));
    this.#at.textContent = length(currentTime);
    this.#whole.textContent = length(seconds);
    this.#play.ariaLabel = words(paused ? "play" : "pause");
    this.#play.classList.toggle("away", !paused);
    this.#play.replaceChildren(icon(paused ? "play" : "pause"));
  }
}
