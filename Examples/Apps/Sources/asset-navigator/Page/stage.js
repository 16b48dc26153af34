// A file of an asset as large as there is room: the picture, the video, or why neither can be shown.

import { make } from "/ui/picker-actions.js";
import { roles } from "/words.js";

/// What browsers show by themselves, and the library only lists.
const shownByBrowser = ["image/gif", "image/webp", "image/avif", "image/bmp"];

export class Stage {
  element = make("div", { className: "full" });

  /// Shows nothing, and ends a video.
  clear() { this.element.replaceChildren(); }

  show({ id, version }, file) {
    const path = `/assets/${id}/files/${file.id}`;
    // A file whose type isn't known may be told by nobody else either.
    if (file.problem && !file.isVideo) return this.fail(file.problem, file, path);
    const isOwn = file.isVideo || shownByBrowser.includes(file.type);
    const picture = file.isVideo
      ? make("video", { controls: true, playsInline: true, preload: "metadata", ariaLabel: file.name })
      : make("img", { alt: `${roles[file.role]} ${file.name}`, draggable: false });
    picture.addEventListener("error", () => this.#explain(picture, file, path));
    picture.src = isOwn ? path : `${path}/picture?version=${version}`;
    this.element.replaceChildren(picture);
  }

  /// Says why there is nothing to see, and offers the file where one is known.
  fail(words, file, path) {
    const parts = [make("p", { className: "reason", role: "alert", textContent: words })];
    if (file) {
      parts.push(make("a", {
        className: "button", href: path, download: file.name, textContent: "Save the file",
      }));
    }
    this.element.replaceChildren(make("div", { className: "missing" }, ...parts));
  }

  /// Says why a picture isn't shown: its element doesn't tell.
  async #explain(picture, file, path) {
    const answer = file.isVideo ? null : await fetch(picture.src).catch(() => null);
    const reason = answer && !answer.ok ? (await answer.json()).error : file.problem;
    if (picture.parentNode !== this.element) return;
    this.fail(reason ?? `This browser doesn't show ${file.type ?? "such files"}.`, file, path);
  }
}
