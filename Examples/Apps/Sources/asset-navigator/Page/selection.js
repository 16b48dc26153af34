// What is selected in the grid: by presses, by dragging, by days and by keys.

import { words } from "/ui/words.js";

const element = (id) => document.getElementById(id);
/// At so many pixels from the window's edges the page scrolls while somebody drags.
const edge = 72;
/// So many are asked for in one go, while more are being selected than the page knows.
const step = 1000;
/// So long a finger rests before dragging selects; a shorter one scrolls.
const press = 350;

/// Selects assets of a grid. Event: "change".
export class Selection extends EventTarget {
  #grid;
  #assets;
  /// What dragging does: where it began, what was selected before, and whether it selects or takes away.
  #drag = null;
  #timer = 0;

  constructor(grid, assets) {
    super();
    [this.#grid, this.#assets] = [grid, assets];
    const frame = element("frame");
    frame.addEventListener("pointerdown", (event) => this.#down(event));
    frame.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) frame.addEventListener(name, (event) => this.#up(event));
    // Once a finger selects it doesn't scroll.
    frame.addEventListener("touchmove", (event) => { if (this.#drag?.isOn) event.preventDefault(); }, { passive: false });
    // Dragging ends with a press on the tile where it ended.
    frame.addEventListener("click", (event) => { if (this.#drag?.isOn) event.stopPropagation(); this.#drag = null; }, true);
    frame.addEventListener("contextmenu", (event) => { if (this.#drag) event.preventDefault(); });
    grid.addEventListener("extend", ({ detail }) => this.#extend(detail));
    grid.addEventListener("chooseDay", ({ detail }) => this.#toggleDay(detail));
  }

  get isOn() { return this.#grid.selected !== null; }
  get ids() { return [...(this.#grid.selected ?? [])]; }

  /// Begins to select, or ends.
  set(isOn) {
    this.#grid.selected = isOn ? new Set() : null;
    document.body.classList.toggle("selecting", isOn);
    this.#tell();
  }

  toggle(id) {
    const { selected } = this.#grid;
    if (!selected.delete(id)) selected.add(id);
    this.#tell();
  }

  /// Forgets what isn't there any more.
  forget(id) { if (this.#grid.selected?.delete(id)) this.#tell(); }

  /// Selects all that there is.
  async all() {
    if (!this.isOn) this.set(true);
    await this.#add(0, this.#assets.count);
  }

  async #add(first, end) {
    const { selected } = this.#grid;
    // Of very many the page says how far it is.
    for (let at = first; at < end; at += step) {
      const items = await this.#assets.all(at, Math.min(at + step, end));
      // Somebody may have had enough.
      if (this.#grid.selected !== selected) return;
      for (const { id } of items) selected.add(id);
      this.#tell();
    }
  }

  async #toggleDay(number) {
    const { first, count } = this.#grid.layout.sections[number];
    const ids = (await this.#assets.all(first, first + count)).map(({ id }) => id);
    const { selected } = this.#grid;
    const isWhole = ids.every((id) => selected.has(id));
    for (const id of ids) if (isWhole) selected.delete(id); else selected.add(id);
    this.#tell();
  }

  async #extend([from, to]) {
    if (this.isOn) await this.#add(Math.min(from, to), Math.max(from, to) + 1);
  }

  // MARK: Dragging

  #down(event) {
    if (!event.isPrimary || event.button || event.target.closest(".day")) return;
    const place = this.#grid.placeAt(event.clientX, event.clientY);
    if (place < 0) return;
    this.#drag = { from: place, last: place, isOn: false, x: event.clientX, y: event.clientY, pointer: event.pointerId };
    const isMouse = event.pointerType === "mouse";
    // A finger that rests begins to select, wherever it is; what moves at once scrolls, and a mouse presses and drags.
    if (!isMouse) this.#timer = setTimeout(() => this.#begin(), press);
  }

  /// A finger has rested: selecting begins with what is below it, and dragging goes on with it.
  #begin() {
    const drag = this.#drag;
    const item = drag && this.#assets.at(drag.from);
    if (!item) return;
    if (!this.isOn) this.set(true);
    this.#drag = Object.assign(drag, { isReady: true });
    this.#grid.selected.add(item.id);
    this.#start(drag, element("frame"));
    this.#tell();
  }

  #move(event) {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.pointer) return;
    const isFar = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 8;
    if (!drag.isOn) {
      if (!isFar) return;
      if (event.pointerType !== "mouse") {
        clearTimeout(this.#timer);
        this.#drag = null;
        return;
      }
      if (!this.isOn) { this.#drag = null; return; }
      this.#start(drag, event.currentTarget);
    }
    [drag.clientX, drag.clientY] = [event.clientX, event.clientY];
    this.#follow();
    this.#scroll();
  }

  #start(drag, frame) {
    const item = this.#assets.at(drag.from);
    drag.isOn = true;
    drag.before = new Set(this.#grid.selected);
    drag.adds = drag.isReady || !item || !drag.before.has(item.id);
    frame.setPointerCapture(drag.pointer);
  }

  /// Selects from where it began to where the pointer is, rows between as well.
  #follow() {
    const drag = this.#drag;
    const place = this.#grid.placeAt(drag.clientX, drag.clientY);
    if (place < 0) return;
    drag.last = place;
    const { selected } = this.#grid;
    selected.clear();
    for (const id of drag.before) selected.add(id);
    for (let at = Math.min(drag.from, place); at <= Math.max(drag.from, place); at += 1) {
      const id = this.#assets.at(at)?.id;
      if (id && drag.adds) selected.add(id);
      if (id && !drag.adds) selected.delete(id);
    }
    this.#tell();
  }

  /// Goes on as long as the pointer is at the window's edge.
  #scroll() {
    const drag = this.#drag;
    if (drag.isScrolling) return;
    drag.isScrolling = true;
    const step = () => {
      const { clientY, isOn } = drag;
      const below = clientY - (innerHeight - edge - 60);
      const above = edge - clientY;
      const speed = below > 0 ? Math.min(below / 3, 24) : above > 0 ? -Math.min(above / 3, 24) : 0;
      if (this.#drag !== drag || !isOn || !speed || drag.isOver) { drag.isScrolling = false; return; }
      scrollBy(0, speed);
      this.#follow();
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  #up(event) {
    clearTimeout(this.#timer);
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.pointer) return;
    drag.isOver = true;
    // A press comes after this, unless the pointer was elsewhere by then.
    if (drag.isOn) setTimeout(() => { if (this.#drag === drag) this.#drag = null; });
    else this.#drag = null;
  }

  #tell() {
    const count = this.#grid.selected?.size ?? 0;
    element("selecting").hidden = !this.isOn;
    element("head").hidden = this.isOn;
    element("actions").hidden = !this.isOn;
    element("selected").textContent = count ? words("selected", { count }) : words("selectPhotos");
    this.#grid.draw();
    this.dispatchEvent(new Event("change"));
  }
}
