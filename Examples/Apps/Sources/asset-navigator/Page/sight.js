// What is in sight of a grid, and stays there while things change. The page itself scrolls.

import { Layout } from "/layout.js";

const scroller = document.documentElement;

/// The part of a list that the window shows.
export class Sight {
  #frame;
  /// The place that stays where it is when things change; null for the first in sight, after the person has scrolled.
  #anchor = null;
  /// How far below its top the sight begins, in fractions of pixels, which scrolling doesn't have.
  #offset = 0;
  /// How far the grid itself has scrolled.
  #ownTop = 0;
  layout = new Layout();

  constructor(frame) { this.#frame = frame; }

  get height() { return window.innerHeight; }

  /// Where the list begins on the page.
  get start() { return this.#frame.getBoundingClientRect().top + window.scrollY; }

  /// How far the list is scrolled.
  get top() { return window.scrollY - this.start; }
  set top(top) { scroller.scrollTop = top + this.start; }

  /// The first place of which more than half is in sight.
  get first() {
    const { layout } = this;
    return this.top <= 0 ? 0 : layout.firstAt(this.top + layout.rowHeight / 2);
  }

  /// Begins at the top of a new list, or where a place of it is in sight.
  begin(place, count, days) {
    this.#anchor = null;
    this.layOut(count, days);
    if (place) this.#hold(place, -this.height / 3);
    else scroller.scrollTop = 0;
  }

  /// Follows a change of the list; what is in sight stays where it is.
  follow({ after, stays }, count, days) {
    const before = this.#anchor ?? this.first;
    const offset = this.#anchor === null ? this.top - this.layout.y(before) : this.#offset;
    // What is gone, or went elsewhere, leaves its place to what came behind it.
    let anchor = before;
    while (!stays(anchor)) anchor += 1;
    const isAtTop = window.scrollY <= 0;
    this.layOut(count, days);
    // At the top people want to see what is new.
    if (!isAtTop && count) this.#hold(Math.min(after(anchor), count - 1), offset);
  }

  /// Fits the list into another width, or into tiles of another size; a place stays in sight.
  resize(count, days, place = this.#anchor ?? this.first) {
    const isAtTop = this.top <= 0 && place === 0;
    if (this.layOut(count, days) && !isAtTop && count) this.#hold(place, -this.height / 3);
  }

  /// Lets go of what was held when it was the person who scrolled.
  scrolled() {
    if (Math.abs(window.scrollY - this.#ownTop) > 1) this.#anchor = null;
  }

  /// Brings a place into sight, below the title of its day and above what lies at the page's end.
  reveal(place) {
    const { layout } = this;
    const top = layout.y(place);
    if (top - 48 < this.top) this.top = place < layout.columns ? -this.start : top - 48;
    const end = top + layout.rowHeight + 90 - this.height;
    if (end > this.top) this.top = end;
  }

  /// Scrolls to a place, and lets it be what stays where it is: else many small changes would move all, row by row.
  #hold(place, offset = 0) {
    [this.#anchor, this.#offset] = [place, offset];
    this.top = this.layout.y(place) + offset;
    this.#ownTop = window.scrollY;
  }

  /// Says whether anything lies elsewhere than before.
  layOut(count, days) {
    const width = this.#frame.clientWidth;
    if (!width) return false;
    const isOther = this.layout.fit(width, count, days, getComputedStyle(this.#frame).direction === "rtl");
    if (isOther) {
      this.#frame.style.height = `${this.layout.height}px`;
      this.#frame.style.setProperty("--side", `${this.layout.side}px`);
    }
    return isOther;
  }
}
