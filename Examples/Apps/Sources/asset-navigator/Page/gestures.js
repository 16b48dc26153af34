// Fingers, pens and the mouse on what is shown in full: zoom to a point, move, turn, pull down, press.

/// How far a finger goes that means something, in pixels.
const far = 60;
const [largest, double] = [8, 2.5];
/// A second press within that time is part of the first, in milliseconds.
const pause = 280;

/// Events: "turn" with 1 or -1, "close", "press", "zoom".
export class Gestures extends EventTarget {
  #area;
  #picture = null;
  #pointers = new Map();
  #start = null;
  #pinch = null;
  #lastPress = null;
  #timer = 0;
  #scale = 1;
  #x = 0;
  #y = 0;

  constructor(area) {
    super();
    this.#area = area;
    area.addEventListener("pointerdown", (event) => this.#down(event));
    area.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) area.addEventListener(name, (event) => this.#up(event));
    area.addEventListener("wheel", (event) => {
      if (!this.#picture) return;
      event.preventDefault();
      this.zoomBy(Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400)), event);
    }, { passive: false });
    area.addEventListener("dragstart", (event) => event.preventDefault());
  }

  get scale() { return this.#scale; }

  /// Begins with a picture; with null there is nothing to zoom.
  begin(picture) {
    clearTimeout(this.#timer);
    [this.#picture, this.#start, this.#pinch, this.#lastPress] = [picture, null, null, null];
    this.#pointers.clear();
    this.zoomTo(1);
  }

  /// Enlarges by a factor; the point of an event stays where it is, else the middle.
  zoomBy(factor, event) { this.zoomTo(Math.min(Math.max(this.#scale * factor, 1), largest), event); }

  zoomTo(scale, event) {
    const box = this.#area.getBoundingClientRect();
    const [x, y] = event ? [event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2] : [0, 0];
    const change = scale / this.#scale;
    [this.#x, this.#y, this.#scale] = [x - (x - this.#x) * change, y - (y - this.#y) * change, scale];
    this.#apply();
    this.dispatchEvent(new Event("zoom"));
  }

  #apply() {
    const { clientWidth, clientHeight } = this.#area;
    const [across, down] = [clientWidth, clientHeight].map((side) => ((this.#scale - 1) * side) / 2);
    this.#x = Math.min(Math.max(this.#x, -across), across);
    this.#y = Math.min(Math.max(this.#y, -down), down);
    this.#show(this.#x, this.#y, this.#scale);
  }

  #show(x, y, scale) {
    if (this.#picture) this.#picture.style.transform = scale === 1 && !x && !y ? "" : `translate(${x}px, ${y}px) scale(${scale})`;
  }

  #down(event) {
    if (event.target.closest("button, a, input") || event.button) return;
    this.#pointers.set(event.pointerId, event);
    if (this.#pointers.size === 2) {
      this.#start = null;
      this.#pinch = this.#spread();
      this.#apply();
    } else if (this.#pointers.size === 1 && event.isPrimary) {
      this.#start = { event, x: this.#x, y: this.#y };
    }
  }

  #spread() {
    const [a, b] = [...this.#pointers.values()];
    return {
      distance: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) || 1,
      clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2,
    };
  }

  #move(event) {
    if (!this.#pointers.has(event.pointerId)) return;
    this.#pointers.set(event.pointerId, event);
    if (this.#pinch) {
      const next = this.#spread();
      this.zoomBy(next.distance / this.#pinch.distance, next);
      this.#x += next.clientX - this.#pinch.clientX;
      this.#y += next.clientY - this.#pinch.clientY;
      this.#pinch = next;
      return this.#apply();
    }
    if (!this.#start) return;
    const [across, down] = this.#way(event);
    if (this.#scale > 1) {
      [this.#x, this.#y] = [this.#start.x + across, this.#start.y + down];
      this.#apply();
    } else if (event.pointerType !== "mouse") {
      const isDown = down > Math.abs(across);
      this.#show(isDown ? 0 : across, isDown ? down : 0, isDown ? Math.max(1 - down / 1200, 0.7) : 1);
    }
  }

  #way({ clientX, clientY }) { return [clientX - this.#start.event.clientX, clientY - this.#start.event.clientY]; }

  #up(event) {
    const isKnown = this.#pointers.delete(event.pointerId);
    if (this.#pinch) {
      if (this.#pointers.size < 2) this.#pinch = null;
      return;
    }
    if (!isKnown || !this.#start || !event.isPrimary) return;
    const [across, down] = this.#way(event);
    this.#start = null;
    if (this.#scale > 1 && Math.hypot(across, down) > 8) return;
    this.#apply();
    if (event.type === "pointercancel") return;
    if (Math.hypot(across, down) <= 8) return this.#press(event);
    // A mouse has buttons for that.
    if (event.pointerType === "mouse") return;
    if (Math.abs(across) >= Math.max(far, Math.abs(down))) {
      const forward = getComputedStyle(this.#area).direction === "rtl" ? -1 : 1;
      this.dispatchEvent(new CustomEvent("turn", { detail: across < 0 ? forward : -forward }));
    } else if (down >= 2 * far && down > Math.abs(across)) this.dispatchEvent(new Event("close"));
  }

  #press(event) {
    clearTimeout(this.#timer);
    const before = this.#lastPress;
    this.#lastPress = null;
    if (before && event.timeStamp - before.timeStamp < pause && Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) < 40) {
      return this.#picture && this.zoomTo(this.#scale > 1 ? 1 : double, event);
    }
    this.#lastPress = event;
    this.#timer = setTimeout(() => this.dispatchEvent(new Event("press")), pause);
  }
}
