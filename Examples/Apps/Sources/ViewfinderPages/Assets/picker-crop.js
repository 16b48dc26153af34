// The crop: a frame that stands still, and the picture under it, moved, zoomed and turned by mouse, fingers or keys.
//
// Where the picture lies is computed by the program (PhotoAdjustment); this only draws it.

import { make } from "./picker-actions.js";
import { words } from "./words.js";

export class CropEditor {
  #picture = make("img", { alt: "", draggable: false });
  #frame = make("div", { className: "frame" });
  #straighten = make("input", {
    type: "range", min: -45, max: 45, step: 0.5, value: 0, ariaLabel: words("picker.straighten"), className: "range",
  });
  #proportions = make("select", { ariaLabel: words("picker.shape") });
  #view = make("div", { className: "crop", tabIndex: 0, role: "application" });
  #pointers = new Map();
  #place = null;
  #photo = null;
  #quarter = 0;
  #waiting = 0;
  #program;
  #act;

  element = this.#view;
  tools = make("div", { className: "crop-tools" });

  /// What keys do here.
  keys = [
    ["← → ↑ ↓", words("picker.key.movePhoto")], ["+ −", words("picker.key.zoom")], [", .", words("picker.key.turn")],
  ];

  constructor(program, act) {
    this.#program = program;
    this.#act = act;
    this.#view.setAttribute("aria-label", words("picker.crop"));
    this.#frame.append(this.#picture);
    this.#view.append(this.#frame, make("div", { className: "edge" }));
    for (const [name, ratio] of [[words("picker.shape.0"), 0], [words("picker.shape.1"), 1], ["4:3", 4 / 3], ["3:2", 1.5], ["16:9", 16 / 9]]) {
      this.#proportions.append(make("option", { textContent: name, value: ratio }));
    }
    this.tools.append(this.#proportions, this.#straighten);
    this.#view.addEventListener("pointerdown", (event) => this.#down(event));
    this.#view.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) {
      this.#view.addEventListener(end, (event) => this.#pointers.delete(event.pointerId));
    }
    this.#view.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.#view.addEventListener("keydown", (event) => this.#key(event));
    this.#straighten.addEventListener("input", () =>
      this.#send("setAngle", { value: this.#quarter + Number(this.#straighten.value) }));
    this.#proportions.addEventListener("change", () => {
      const ratio = Number(this.#proportions.value) || this.#picture.naturalWidth / this.#picture.naturalHeight;
      this.#send("setAspectRatio", { value: ratio });
    });
    new ResizeObserver(() => this.#draw()).observe(this.#view);
  }

  show(photo, place) {
    this.#place = place;
    if (this.#photo !== photo.id) {
      this.#photo = photo.id;
      this.#picture.src = this.#program.address(`picker/photo/${photo.id}`, { version: "original" });
    }
    const { angle } = place;
    this.#quarter = (Math.round(angle / 90) % 4) * 90;
    const rest = ((angle - this.#quarter + 540) % 360) - 180;
    if (this.#straighten.getRootNode().activeElement !== this.#straighten) this.#straighten.value = rest;
    this.#proportions.hidden = !place.isFree;
    this.#draw();
  }

  #draw() {
    if (!this.#place || !this.#view.clientWidth) return;
    const { aspectRatio, cornerRadius, width, height, x, y, angle } = this.#place;
    const scale = Math.min(
      this.#view.clientWidth * 0.86, this.#view.clientHeight * 0.86 * aspectRatio);
    for (const element of this.#view.children) {
      element.style.width = `${scale}px`;
      element.style.height = `${scale / aspectRatio}px`;
      element.style.borderRadius = `${cornerRadius * scale}px`;
    }
    this.#picture.style.width = `${width * scale}px`;
    this.#picture.style.height = `${height * scale}px`;
    this.#picture.style.transform =
      `translate(-50%, -50%) translate(${x * scale}px, ${y * scale}px) rotate(${angle}deg)`;
    this.#scale = scale;
  }

  #scale = 1;

  /// No more than twenty wait for their turn: a finger moves faster than a slow program hears of it.
  async #send(verb, rest) {
    if (this.#waiting > 20) return;
    this.#waiting += 1;
    await this.#act(verb, rest);
    this.#waiting -= 1;
  }

  #down(event) {
    this.#view.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, [event.clientX, event.clientY]);
    event.preventDefault();
    this.#view.focus();
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    const others = [...this.#pointers].filter(([id]) => id !== event.pointerId);
    this.#pointers.set(event.pointerId, now);
    const share = 1 / (others.length + 1) / this.#scale;
    this.#send("pan", { x: (now[0] - before[0]) * share, y: (now[1] - before[1]) * share });
    if (others.length === 1) {
      const [, other] = others[0];
      const distance = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]);
      const middle = [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2];
      if (distance(before) > 0) this.#zoom(distance(now) / distance(before), ...middle);
    }
  }

  #wheel(event) {
    event.preventDefault();
    this.#zoom(Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
  }

  #zoom(factor, clientX, clientY) {
    const box = this.#view.getBoundingClientRect();
    this.#send("zoom", {
      value: factor,
      x: (clientX - box.left - box.width / 2) / this.#scale,
      y: (clientY - box.top - box.height / 2) / this.#scale,
    });
  }

  #key(event) {
    const step = event.shiftKey ? 0.1 : 0.02;
    const actions = {
      ArrowLeft: ["pan", { x: -step, y: 0 }],
      ArrowRight: ["pan", { x: step, y: 0 }],
      ArrowUp: ["pan", { x: 0, y: -step }],
      ArrowDown: ["pan", { x: 0, y: step }],
      "+": ["zoom", { value: 1.1, x: 0, y: 0 }],
      "-": ["zoom", { value: 1 / 1.1, x: 0, y: 0 }],
      ",": ["turn", { value: -1 }],
      ".": ["turn", { value: 1 }],
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    this.#send(...action);
  }
}
