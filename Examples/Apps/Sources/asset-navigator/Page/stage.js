// A file of an asset as large as there is room: the picture, the video, or why neither can be shown.

import { button, icon, make } from "/ui/elements.js";
import { request } from "/ui/requests.js";
import { told, words } from "/ui/words.js";
import { whenWords } from "/format.js";
import { Gestures } from "/gestures.js";
import { VideoControls } from "/video.js";

/// What browsers show by themselves, and the library only lists.
const shownByBrowser = ["image/gif", "image/webp", "image/avif", "image/bmp"];
/// So long nothing is said while a picture comes; and after how long one is asked for again, in milliseconds.
const [patience, rest] = [300, 5000];

/// Where a file is.
const pathOf = ({ id }, file) => `/assets/${id}/files/${file.id}`;

/// Where the picture that is shown of a file is.
export const picturePath = (asset, file) =>
  (file.isVideo || shownByBrowser.includes(file.type) ? pathOf(asset, file) : `${pathOf(asset, file)}/picture?version=${asset.version}`);

/// Event: "load" when a picture is there.
export class Stage extends EventTarget {
  element = make("div", { className: "viewer-picture" });
  gestures = new Gestures(this.element);
  video = new VideoControls();
  #shown = make("div", { className: "stage" });
  #timer = 0;
  /// Asks again for what the program is to send, while it doesn't answer.
  #again = null;

  constructor() {
    super();
    this.element.append(this.#shown);
  }

  /// Shows nothing, and ends a video.
  clear() {
    clearTimeout(this.#timer);
    this.#again = null;
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

  show(asset, file) {
    this.clear();
    // A file whose type isn't known may be told by nobody else either.
    if (file.problem && !file.isVideo) return this.fail(told(file.problem), file, pathOf(asset, file));
    const name = words(file.isVideo ? "videoNamed" : "photoNamed", { name: file.name });
    const picture = file.isVideo
      ? make("video", { playsInline: true, preload: "metadata", ariaLabel: name })
      : make("img", { alt: asset.taken ? `${name}, ${whenWords(asset.taken)}` : name, draggable: false });
    picture.addEventListener("error", () => this.#explain(asset, file, picture));
    picture.addEventListener(file.isVideo ? "loadedmetadata" : "load", () => this.dispatchEvent(new Event("load")));
    picture.src = picturePath(asset, file);
    this.#shown.replaceChildren(picture);
    if (file.isVideo) this.#shown.append(this.video.begin(picture));
    else this.gestures.begin(picture);
  }

  /// Says why there is nothing to see, and offers the file where one is known.
  fail(text, file, path) {
    this.clear();
    this.#say("warning", file ? words("broken", { name: file.name }) : words("notHere"),
      make("p", { className: "reason", role: "alert", textContent: text }),
      file && make("a", { className: "button", href: path, download: file.name }, make("span", { textContent: words("saveCopy") })));
  }

  #say(name, title, text, way) {
    this.#shown.replaceChildren(make("section", { className: "empty" }, icon(name, "big"), make("h2", { textContent: title }), text,
      way && make("div", { className: "row" }, way)));
  }

  // MARK: While the program doesn't answer

  /// Says that it comes later; `again` asks for it once more, now and then and when somebody wants it.
  later(again) {
    const isSaid = this.#again !== null;
    if (!isSaid) this.clear();
    this.#again = again;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.comeBack(), rest);
    // What is said stays, with the keyboard's focus on its button.
    if (isSaid) return;
    this.#say("cloud-off", words("notYet"), make("p", { role: "status", textContent: words("notYetWhy") }),
      button(words("tryNow"), () => this.comeBack()));
  }

  /// Asks again for what didn't come.
  comeBack() { this.#again?.(); }

  /// Says why a picture isn't shown: its element doesn't tell.
  async #explain(asset, file, picture) {
    const isCurrent = () => picture.parentNode === this.#shown;
    let reason = file.problem ? told(file.problem) : null;
    try {
      await this.#reach(picture);
    } catch ({ status, message }) {
      if (!isCurrent()) return;
      if (status === 0) return this.#awaitPicture(asset, file, picture);
      if (!file.isVideo) reason = message;
    }
    if (isCurrent()) this.fail(reason ?? words("notByBrowser", { type: file.type ?? words("suchFiles") }), file, pathOf(asset, file));
  }

  /// A picture is shown again once its program answers, whatever that says.
  #awaitPicture(asset, file, picture) {
    const again = async () => {
      const isWanted = () => this.#again === again;
      try {
        await this.#reach(picture);
      } catch ({ status }) {
        if (status === 0) return isWanted() ? this.later(again) : undefined;
      }
      if (isWanted()) this.show(asset, file);
    };
    this.later(again);
  }

  /// Asks for the first of a picture's bytes; all that is wanted is the answer.
  async #reach(picture) {
    const answer = await request("GET", picture.getAttribute("src"), { headers: { Range: "bytes=0-0" } });
    await answer.body?.cancel();
  }
}
