// A file of an asset as large as there is room: the picture, the video, or why neither can be shown.

import { icon, make } from "/ui/elements.js";
import { request } from "/ui/requests.js";
import { told, words } from "/ui/words.js";
import { whenWords } from "/format.js";
import { Gestures } from "/gestures.js";
import { VideoControls } from "/video.js";

/// What browsers show by themselves, and the library only lists.
const shownByBrowser = ["image/gif", "image/webp", "image/avif", "image/bmp"];
/// So long nothing is said while a picture comes.
const patience = 300;

export class Stage {
  element = make("div", { className: "viewer-picture" });
  gestures = new Gestures(this.element);
  video = new VideoControls();
  #shown = make("div", { className: "stage" });
  #timer = 0;

  constructor() { this.element.append(this.#shown); }

  /// Shows nothing, and ends a video.
  clear() {
    clearTimeout(this.#timer);
    this.video.end();
    this.#shown.replaceChildren();
    this.gestures.begin(null);
  }

  /// Says that something comes, if that takes long.
  wait() {
    this.clear();
    this.#timer = setTimeout(() => this.#shown.replaceChildren(
      make("span", { className: "spinner", role: "status", ariaLabel: words("loadingPhoto") })), patience);
  }

  show({ id, version, taken }, file) {
    this.clear();
    const path = `/assets/${id}/files/${file.id}`;
    // A file whose type isn't known may be told by nobody else either.
    if (file.problem && !file.isVideo) return this.fail(told(file.problem), file, path);
    const name = words(file.isVideo ? "videoNamed" : "photoNamed", { name: file.name });
    const isOwn = file.isVideo || shownByBrowser.includes(file.type);
    const picture = file.isVideo
      ? make("video", { playsInline: true, preload: "metadata", ariaLabel: name })
      : make("img", { alt: taken ? `${name}, ${whenWords(taken)}` : name, draggable: false });
    picture.addEventListener("error", () => this.#explain(picture, file, path));
    picture.src = isOwn ? path : `${path}/picture?version=${version}`;
    this.#shown.replaceChildren(picture);
    if (file.isVideo) this.#shown.append(this.video.begin(picture));
    else this.gestures.begin(picture);
  }

  /// Says why there is nothing to see, and offers the file where one is known.
  fail(text, file, path) {
    this.clear();
    this.#shown.replaceChildren(make("section", { className: "empty" }, icon("warning", "big"),
      make("h2", { textContent: file ? words("broken", { name: file.name }) : words("notHere") }),
      make("p", { className: "reason", role: "alert", textContent: text }),
      file && make("div", { className: "row" }, make("a", { className: "button", href: path, download: file.name },
        make("span", { textContent: words("saveCopy") })))));
  }

  /// Says why a picture isn't shown: its element doesn't tell.
  async #explain(picture, file, path) {
    let reason = file.problem ? told(file.problem) : null;
    if (!file.isVideo) {
      try {
        await (await request("GET", picture.getAttribute("src"))).body?.cancel();
      } catch ({ message }) {
        reason = message;
      }
    }
    if (picture.parentNode !== this.#shown) return;
    this.fail(reason ?? words("notByBrowser", { type: file.type ?? words("suchFiles") }), file, path);
  }
}
