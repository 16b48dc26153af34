// What is known of an asset, and its files: a sheet, or beside the photo where there is room.

import { button, iconButton, make } from "/ui/elements.js";
import { words } from "/ui/words.js";
import { size, whenWords } from "/format.js";

/// What is told in the line of the camera.
const together = ["camera", "aperture", "exposure", "iso"];

/// Events: "choose" with a file that is to be shown, "revert", "close".
export class About extends EventTarget {
  #facts = make("dl", { className: "facts" });
  #files = make("ul", { className: "files", role: "list", ariaLabel: words("filesOf") });
  #original = button(words("showOriginal"), () => this.#tell("choose", this.#originalFile));
  #revert = button(words("backToOriginal"), () => this.#tell("revert"));
  #originalFile = null;
  element = make(
    "aside", { className: "about stack", hidden: true, "aria-labelledby": "about-title" },
    make("div", { className: "row" }, make("h2", { className: "grow", id: "about-title", textContent: words("about") }),
      iconButton("close", words("close"), () => this.#tell("close"))),
    this.#facts, make("h3", { textContent: words("files") }), this.#files,
    make("div", { className: "row" }, this.#original, this.#revert));

  set canSave(canSave) { this.#revert.disabled = !canSave; }

  clear() {
    this.#facts.replaceChildren();
    this.#files.replaceChildren();
    [this.#original.hidden, this.#revert.hidden] = [true, true];
  }

  show({ name, taken, written, facts, files, albums, isFavorite, isCropped }) {
    const known = new Map(facts.map(({ code, value }) => [code, value]));
    const [file] = files;
    const iso = known.get("iso");
    const camera = [known.get("camera"), known.get("aperture"), known.get("exposure"), iso && `ISO ${iso}`].filter(Boolean).join(", ");
    const lines = [
      ["name", name],
      taken === undefined || taken === null ? ["written", new Date(written).toLocaleString(document.documentElement.lang)] : ["taken", whenWords(taken)],
      ["with", camera], ["size", [file.width && `${file.width} × ${file.height}`, size(file.size)].filter(Boolean).join(", ")],
      ["place", known.get("place")],
      ["albums", [...(isFavorite ? [words("album.favorites")] : []), ...albums].join(", ")],
      ...facts.filter(({ code }) => !together.includes(code) && code !== "place")
        .map(({ code, value }) => [code, code === "flash" ? words(`flash.${value}`) : value]),
    ];
    this.#facts.replaceChildren(...lines.filter(([, value]) => value).flatMap(([code, value]) =>
      [make("dt", { textContent: words(`fact.${code}`) }), make("dd", {}, make("bdi", { textContent: value }))]));
    this.#files.replaceChildren(...files.map((each) => this.#item(each)));
    this.#originalFile = files.find(({ role }) => role === "original");
    this.#original.hidden = !this.#originalFile || files.length < 2;
    this.#revert.hidden = !isCropped;
  }

  /// Says which file is shown.
  mark({ id }) {
    for (const choice of this.#files.querySelectorAll("button")) {
      choice.setAttribute("aria-pressed", String(choice.dataset.file === id));
    }
  }

  #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }

  /// A file of the asset, to be shown in place of the one that is.
  #item(file) {
    const pixels = file.width ? `${file.width} × ${file.height}` : null;
    const text = [file.name, file.type ?? words("unknownType"), pixels, size(file.size)].filter(Boolean).join(" · ");
    const choice = make("button", { type: "button", className: "item", data: { file: file.id } },
      make("span", { className: "grow" }, make("strong", { textContent: words(`role.${file.role}`) }), make("bdi", { className: "caption quiet", textContent: text })));
    choice.addEventListener("click", () => this.#tell("choose", file));
    return make("li", {}, choice);
  }
}
