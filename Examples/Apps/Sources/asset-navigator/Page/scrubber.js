// The scrubber: it lies at the page's end side while somebody scrolls, names the month, and goes to any of them.

import { make } from "/ui/elements.js";
import { words } from "/ui/words.js";
import { monthTitle } from "/format.js";

/// How long it stays after the page has scrolled.
const stay = 1500;
/// Fewer windows than that are scrolled through by hand.
const fewest = 3;

export class Scrubber {
  #element;
  #grid;
  #range = make("input", { type: "range", min: 0, max: 1000, step: 1, ariaLabel: words("goToMonth"), "aria-orientation": "vertical" });
  #bubble = make("span", { className: "bubble", ariaHidden: "true", hidden: true });
  #timer = 0;
  #isHeld = false;

  constructor(element, grid) {
    [this.#element, this.#grid] = [element, grid];
    element.append(this.#range, this.#bubble);
    addEventListener("scroll", () => this.#scrolled(), { passive: true });
    grid.addEventListener("draw", () => this.#follow());
    this.#range.addEventListener("input", () => this.#go(Number(this.#range.value) / 1000));
    this.#range.addEventListener("keydown", (event) => this.#key(event));
    this.#range.addEventListener("pointerdown", () => this.#hold(true));
    for (const name of ["pointerup", "pointercancel", "change"]) {
      this.#range.addEventListener(name, () => this.#hold(false));
    }
  }

  get #length() { return Math.max(this.#grid.layout.height - innerHeight, 1); }

  #scrolled() {
    if (this.#element.hidden) return;
    this.#element.classList.add("shown");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { if (!this.#isHeld) this.#element.classList.remove("shown"); }, stay);
  }

  #hold(isHeld) {
    this.#isHeld = isHeld;
    this.#bubble.hidden = !isHeld;
    document.body.classList.toggle("scrubbing", isHeld);
    this.#scrolled();
    this.#follow();
  }

  /// Says where the page is.
  #follow() {
    const { layout, top } = this.#grid;
    const isOf = layout.days !== null && layout.days !== undefined && layout.height > fewest * innerHeight;
    this.#element.hidden = !isOf;
    if (!isOf) return;
    const share = Math.min(Math.max(top / this.#length, 0), 1);
    if (!this.#isHeld) this.#range.value = Math.round(share * 1000);
    const section = layout.sections[Math.max(layout.sectionAt(Math.max(top, 0)), 0)];
    const month = section ? monthTitle(section.day) : "";
    this.#range.setAttribute("aria-valuetext", month);
    if (this.#bubble.textContent !== month) this.#bubble.textContent = month;
    this.#bubble.style.insetBlockStart = `${this.#range.value / 10}%`;
  }

  #go(share) { this.#grid.top = share * this.#length; }

  /// Keys go from month to month.
  #key(event) {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const { layout, top } = this.#grid;
    const at = Math.max(layout.sectionAt(Math.max(top, 0) + 1), 0);
    const month = monthTitle(layout.sections[at].day);
    let next = at;
    while (layout.sections[next] && monthTitle(layout.sections[next].day) === month) next += step;
    // Back to the month's own beginning.
    if (step < 0) {
      const other = layout.sections[next] && monthTitle(layout.sections[next].day);
      while (layout.sections[next - 1] && monthTitle(layout.sections[next - 1].day) === other) next -= 1;
    }
    const section = layout.sections[Math.min(Math.max(next, 0), layout.sections.length - 1)];
    this.#grid.top = section.top;
  }
}
