// Crop and turn: a frame, straightening, a shape. The original stays; Done writes a version beside it.

import { attempt, button, icon, make } from "/ui/elements.js";
import { ask, send } from "/ui/requests.js";
import { words } from "/ui/words.js";
import { CropFrame } from "/crop-frame.js";

const shapes = ["free", "original", "square", "4:3", "card"];
const corners = ["nw", "ne", "sw", "se"];
/// Room around the picture for fingers, in pixels.
const margin = 48;

/// Event: "done" with what takes it back.
export class Crop extends EventTarget {
  #dialog = make("dialog", { className: "full viewer cropping", id: "crop", ariaLabel: words("cropAndTurn") });
  #picture = make("img", { alt: words("thePhoto"), draggable: false });
  #area = make("div", { className: "crop-area" });
  #box = make("div", { className: "crop-frame" }, make("div", { className: "crop-picture" }, this.#picture), this.#area);
  #stage = make("div", { className: "viewer-picture crop-stage" }, this.#box);
  #range = make("input", { className: "range", type: "range", min: -45, max: 45, step: 0.5, value: 0, ariaLabel: words("straighten") });
  #degrees = make("output", { className: "figures" });
  #shapes = make("div", { className: "chips scrolls", role: "radiogroup", ariaLabel: words("shape") }, shapes.map((shape) =>
    make("label", { className: "chip" }, make("input", { type: "radio", name: "shape", value: shape }), words(`shape.${shape}`))));
  #done = button(words("done"), () => this.#finish(), { kind: "primary", id: "crop-done" });
  #frame = null;
  #id = null;
  #before = null;

  constructor() {
    super();
    const reset = button(words("reset"), () => { this.#frame.reset(); this.#show(); }, { kind: "plain", id: "crop-reset" });
    this.#area.append(...corners.map((corner) => this.#handle(corner)));
    this.#dialog.append(
      make("h1", { className: "visually-hidden", textContent: words("cropAndTurn") }),
      make("header", { className: "viewer-top" }, button(words("cancel"), () => this.close(), { kind: "plain" }),
        make("p", { className: "bar-title" }, reset), this.#done),
      this.#stage,
      make("footer", { className: "viewer-foot" },
        make("div", { className: "dial" }, make("span", { className: "quiet", textContent: words("straighten") }), this.#range, this.#degrees),
        this.#shapes,
        make("div", { className: "tools", role: "toolbar", ariaLabel: words("turn") },
          this.#tool("turn", "turnRight", () => this.#frame.turn()), this.#tool("mirror", "mirror", () => this.#frame.mirror()))));
    document.body.append(this.#dialog);
    this.#range.addEventListener("input", () => { this.#frame.angle = Number(this.#range.value); this.#show(); });
    this.#shapes.addEventListener("change", ({ target }) => { this.#frame.take(target.value); this.#show(); });
    this.#follow(this.#area, (across, down) => this.#frame.move(across, down));
    new ResizeObserver(() => this.#show()).observe(this.#stage);
    // Keys that mean something behind it don't reach there.
    this.#dialog.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter" && event.target.matches(".handle")) attempt(() => this.#finish());
    });
  }

  get isOpen() { return this.#dialog.open; }

  async open(id) {
    const { file, width, height, recipe } = await ask(`/assets/${id}/crop`);
    this.#id = id;
    this.#before = recipe ?? null;
    // What another program cropped begins with the whole picture.
    this.#frame = new CropFrame(width, height, recipe?.adjustment ?? {});
    this.#picture.src = `/assets/${id}/files/${file}/picture`;
    this.#dialog.showModal();
    this.#show();
  }

  close() {
    this.#dialog.close();
    // The next one begins without this picture.
    this.#picture.removeAttribute("src");
  }

  async #finish() {
    const [id, before, frame] = [this.#id, this.#before, this.#frame];
    if (frame.isWhole && !before) return this.close();
    this.#done.disabled = true;
    try {
      if (frame.isWhole) await send("POST", `/assets/${id}/revert`, undefined, { time: 120_000 });
      else await send("POST", `/assets/${id}/crop`, frame.recipe, { time: 120_000 });
    } finally {
      this.#done.disabled = false;
    }
    this.close();
    const undo = () => (before?.adjustment ? send("POST", `/assets/${id}/crop`, before) : send("POST", `/assets/${id}/revert`));
    this.dispatchEvent(new CustomEvent("done", { detail: undo }));
  }

  #tool(name, code, press) {
    const tool = make("button", { type: "button", data: { tool: code } }, icon(name), make("span", { textContent: words(code) }));
    tool.addEventListener("click", () => { press(); this.#show(); });
    return tool;
  }

  #handle(corner) {
    const handle = make("button", { type: "button", className: `handle ${corner}`, ariaLabel: words(`corner.${corner}`) });
    this.#follow(handle, (across, down) => this.#frame.drag(corner, across, down));
    handle.addEventListener("keydown", (event) => {
      const far = event.shiftKey ? 10 : 1;
      const [across, down] = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far] }[event.key] ?? [];
      if (across === undefined) return;
      event.preventDefault();
      this.#frame.drag(corner, across / this.#box.clientWidth, down / this.#box.clientHeight);
      this.#show();
    });
    return handle;
  }

  /// Calls `move` with how far a pointer goes, in units of the box.
  #follow(element, move) {
    let at = null;
    element.addEventListener("pointerdown", (event) => {
      if (event.target !== element) return;
      at = event;
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener("pointermove", (event) => {
      if (!at || event.pointerId !== at.pointerId) return;
      move((event.clientX - at.clientX) / this.#box.clientWidth, (event.clientY - at.clientY) / this.#box.clientHeight);
      at = event;
      this.#show();
    });
    for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, () => { at = null; });
  }

  #show() {
    const frame = this.#frame;
    const { clientWidth, clientHeight } = this.#stage;
    if (!frame || !clientWidth) return;
    const [width, height] = frame.box;
    const scale = Math.min((clientWidth - margin) / width, (clientHeight - margin) / height);
    this.#box.style.width = `${width * scale}px`;
    this.#box.style.height = `${height * scale}px`;
    this.#picture.style.width = `${frame.width * scale}px`;
    this.#picture.style.height = `${frame.height * scale}px`;
    this.#picture.style.transform = `translate(-50%, -50%) rotate(${frame.angle}deg) scale(${frame.scale})`
      + ` scaleX(${frame.isMirrored ? -1 : 1}) rotate(${frame.turns * 90}deg)`;
    const { rect } = frame;
    for (const [name, value] of Object.entries({ left: rect.x, top: rect.y, width: rect.width, height: rect.height })) {
      this.#area.style[name] = `${value * 100}%`;
    }
    this.#range.value = frame.angle;
    const degrees = frame.angle.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 });
    this.#degrees.textContent = `${degrees}°`;
    this.#range.setAttribute("aria-valuetext", words("degrees", { degrees }));
    this.#shapes.querySelector(`[value="${frame.shape}"]`).checked = true;
  }
}
