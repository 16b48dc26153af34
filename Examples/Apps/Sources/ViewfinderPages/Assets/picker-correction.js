// The edges of a card in a photo: four corners that mouse, fingers or keys move, and a magnifier for the one that moves.

import { make } from "./picker-actions.js";
import { words } from "./words.js";

const svg = (name, className) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  if (className) element.setAttribute("class", className);
  return element;
};

const set = (element, attributes) => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
};

const names = [0, 1, 2, 3].map((at) => words(`picker.corner.${at}`));
/// The magnifier: its width on the screen, and how much larger it shows the picture.
const lensWidth = 124;
const lensFactor = 2.5;

export class EdgeEditor {
  #picture = svg("svg");
  #shade = svg("path", "shade");
  #lens = make("div", { className: "magnifier" });
  #lensPicture = svg("svg");
  #handles = names.map((name) => make("button", { type: "button", className: "handle", ariaLabel: name }));
  #images = [svg("image"), svg("image")];
  #lines = [svg("polygon", "edges"), svg("polygon", "edges")];
  #top = svg("line", "top");
  #program;
  #act;

  words = make("p", { className: "pill glass small-text", role: "status" });
  #photo = null;
  #size = [1, 1];
  #corners = [];
  #current = 0;
  #view = { scale: 1, left: 0, top: 0 };

  element = make("div", { className: "live adjust edges-editor" });

  /// What keys do here.
  keys = [["Tab", words("picker.key.corner")], ["← → ↑ ↓", words("picker.key.moveCorner")]];

  constructor(program, act) {
    this.#program = program;
    this.#act = act;
    set(this.#picture, { role: "img", "aria-label": words("picker.card") });
    this.#lens.setAttribute("aria-hidden", "true");
    this.#picture.append(this.#images[0], this.#shade, this.#lines[0], this.#top);
    this.#lensPicture.append(this.#images[1], this.#lines[1]);
    this.#lens.append(this.#lensPicture);
    this.element.append(this.#picture, this.#lens, ...this.#handles);
    this.#images[0].addEventListener("load", () => this.element.toggleAttribute("data-ready", true));
    this.#handles.forEach((handle, at) => this.#listen(handle, at));
    new ResizeObserver(() => this.#fit()).observe(this.element);
  }

  show(photo, { width, height, corners, first, isFound }) {
    this.#size = [width, height];
    if (this.#photo !== photo.id) {
      this.#photo = photo.id;
      this.#current = 0;
      this.element.removeAttribute("data-ready");
      for (const image of this.#images) {
        set(image, { href: this.#program.address(`picker/photo/${photo.id}`, { version: "original" }), width, height, preserveAspectRatio: "none" });
      }
      this.#corners = [];
    }
    const text = words(isFound ? "picker.edgesFound" : "picker.edgesMissing");
    if (this.words.textContent !== text) this.words.textContent = text;
    this.first = first;
    // What a hand is moving isn't pulled away from it.
    if (this.#handles.some((handle) => handle.dataset.moves)) return;
    const isNew = this.#corners.length === 0;
    this.#corners = corners.map(([x, y]) => [x * width, y * height]);
    if (isNew) this.#fit();
    else this.#place();
  }

  #listen(handle, at) {
    handle.addEventListener("focus", () => this.#choose(at));
    handle.addEventListener("keydown", (event) => {
      const far = (event.shiftKey ? 10 : 1) / Math.min(this.#view.scale, 1);
      const step = {
        ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far],
      }[event.key];
      if (!step) return;
      event.preventDefault();
      const [x, y] = this.#corners[at];
      this.#move(at, x + step[0], y + step[1]);
      this.#send(at);
    });
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      handle.dataset.moves = "true";
      this.#choose(at);
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const box = this.element.getBoundingClientRect();
      const { scale, left, top } = this.#view;
      this.#move(at, (event.clientX - box.left - left) / scale, (event.clientY - box.top - top) / scale);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      handle.addEventListener(end, () => {
        if (!handle.dataset.moves) return;
        delete handle.dataset.moves;
        this.#send(at);
        this.#fit();
      });
    }
  }

  #choose(at) {
    this.#current = at;
    this.#place();
  }

  #move(at, x, y) {
    const [width, height] = this.#size;
    this.#corners[at] = [Math.min(1.1 * width, Math.max(-0.1 * width, x)), Math.min(1.1 * height, Math.max(-0.1 * height, y))];
    this.#place();
  }

  #send(at) {
    const [x, y] = [this.#corners[at][0] / this.#size[0], this.#corners[at][1] / this.#size[1]];
    this.#act("moveCorner", { value: at, x, y });
  }

  /// Shows the picture so that the card fills the space.
  #fit() {
    const { clientWidth, clientHeight } = this.element;
    if (!clientWidth || this.#corners.length === 0) return;
    const [xs, ys] = [this.#corners.map(([x]) => x), this.#corners.map(([, y]) => y)];
    const [wide, high] = [Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)];
    // What is free of controls is what the padding leaves.
    const style = getComputedStyle(this.element);
    const [above, right, below, before] = ["Top", "Right", "Bottom", "Left"].map((side) => Number.parseFloat(style[`padding${side}`]));
    const room = [clientWidth - before - right, clientHeight - above - below];
    const scale = Math.max(Math.min(room[0] / wide, room[1] / high), 0.01);
    this.#view = {
      scale,
      left: before + (room[0] - wide * scale) / 2 - Math.min(...xs) * scale,
      top: above + (room[1] - high * scale) / 2 - Math.min(...ys) * scale,
    };
    const { left, top } = this.#view;
    set(this.#picture, {
      viewBox: `${-left / scale} ${-top / scale} ${clientWidth / scale} ${clientHeight / scale}`,
    });
    this.#place();
  }

  #place() {
    if (this.#corners.length === 0) return;
    const { scale, left, top } = this.#view;
    const [width, height] = this.#size;
    const points = this.#corners.map((corner) => corner.join(",")).join(" ");
    for (const line of this.#lines) line.setAttribute("points", points);
    set(this.#shade, {
      "fill-rule": "evenodd",
      d: `M${-width} ${-height}H${2 * width}V${2 * height}H${-width}ZM${this.#corners.map((corner) => corner.join(" ")).join("L")}Z`,
    });
    const [from, to] = [this.#corners[this.first ?? 0], this.#corners[((this.first ?? 0) + 1) % 4]];
    set(this.#top, { x1: from[0], y1: from[1], x2: to[0], y2: to[1] });
    this.#handles.forEach((handle, at) => {
      const [x, y] = this.#corners[at];
      handle.style.left = `${left + x * scale}px`;
      handle.style.top = `${top + y * scale}px`;
      handle.setAttribute("aria-current", String(at === this.#current));
    });
    const [x, y] = this.#corners[this.#current];
    const seen = lensWidth / scale / lensFactor;
    set(this.#lensPicture, { viewBox: `${x - seen / 2} ${y - seen / 2} ${seen} ${seen}` });
    // Where the finger isn't: above the card on the other side, or on the card's middle.
    const width0 = this.element.clientWidth;
    const [xs, ys] = [this.#corners.map(([at]) => at), this.#corners.map(([, at]) => at)];
    const middle = (values) => (Math.min(...values) + Math.max(...values)) / 2;
    const cardTop = top + Math.min(...ys) * scale;
    const half = lensWidth / 2;
    const hasRoom = cardTop > 210;
    const side = Math.min(width0 / 2 - half - 16, 0.3 * width0, 180);
    const across = hasRoom ? width0 / 2 + (left + x * scale < width0 / 2 ? side : -side) : left + middle(xs) * scale;
    this.#lens.style.left = `${across - half}px`;
    this.#lens.style.top = `${hasRoom ? cardTop - lensWidth - 18 : top + middle(ys) * scale - half}px`;
  }
}
