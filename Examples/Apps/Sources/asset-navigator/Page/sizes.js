// How large the tiles are: by a button and by two fingers; then months.

const sizes = ["large", "medium", "small", "months"];
const key = "viewfinder-grid-size";

/// Event: "change" with the size and the place that stays in sight.
export class Sizes extends EventTarget {
  #grid;
  #fingers = new Map();
  #distance = 0;
  size = "large";

  constructor(frame, grid) {
    super();
    this.#grid = grid;
    try { this.size = sizes.includes(localStorage.getItem(key)) ? localStorage.getItem(key) : "large"; } catch { /* Nothing may be kept here. */ }
    frame.addEventListener("pointerdown", (event) => this.#down(event));
    frame.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) frame.addEventListener(name, (event) => this.#fingers.delete(event.pointerId));
    // Desktops tell of a pinch as a wheel with Ctrl.
    frame.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.#wheel += event.deltaY;
      if (Math.abs(this.#wheel) < 60) return;
      this.step(this.#wheel > 0 ? 1 : -1, grid.placeAt(event.clientX, event.clientY));
      this.#wheel = 0;
    }, { passive: false });
    // Two fingers are the page's, one scrolls.
    frame.addEventListener("touchmove", (event) => { if (event.touches.length > 1) event.preventDefault(); }, { passive: false });
  }

  #wheel = 0;

  /// Larger or smaller tiles, as far as it goes.
  step(step, place) {
    const next = sizes[sizes.indexOf(this.size) + step];
    if (next) this.choose(next, place);
  }

  /// The next size, and after the last the first.
  cycle() { this.choose(sizes[(sizes.indexOf(this.size) + 1) % sizes.length]); }

  choose(size, place) {
    this.size = size;
    try { localStorage.setItem(key, size); } catch { /* It is so until the page is left. */ }
    this.dispatchEvent(new CustomEvent("change", { detail: { size, place } }));
  }

  get #spread() {
    const [a, b] = [...this.#fingers.values()];
    return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  }

  #down(event) {
    if (event.pointerType !== "touch") return;
    this.#fingers.set(event.pointerId, event);
    if (this.#fingers.size === 2) this.#distance = this.#spread;
  }

  #move(event) {
    if (!this.#fingers.has(event.pointerId)) return;
    this.#fingers.set(event.pointerId, event);
    if (this.#fingers.size !== 2) return;
    const change = this.#spread / this.#distance;
    if (change > 0.7 && change < 1.4) return;
    const [a, b] = [...this.#fingers.values()];
    this.step(change < 1 ? 1 : -1, this.#grid.placeAt((a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2));
    this.#distance = this.#spread;
  }
}
