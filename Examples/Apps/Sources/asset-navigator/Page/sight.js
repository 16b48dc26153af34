// What is in sight of a grid, and stays there while things change.

import { Layout } from "/layout.js";

/// The part of a list that the element around it shows.
export class Sight {
  #scroller;
  #list;
  /// The place that stays where it is when things change; null for the first in sight, after the person has scrolled.
  #anchor = null;
  /// How far below its top the sight begins, in fractions of pixels, which scrolling doesn't have.
  #offset = 0;
  /// How far the grid itself has scrolled.
  #ownTop = 0;
  layout = new Layout();

  constructor(scroller, list) { [this.#scroller, this.#list] = [scroller, list]; }

  get height() { return this.#scroller.clientHeight; }

  /// How far the list is scrolled.
  get #top() { return this.#scroller.scrollTop - this.#list.offsetTop; }
  set #top(top) { this.#scroller.scrollTop = top + this.#list.offsetTop; }

  /// The first place of which more than half is in sight.
  get first() {
    return Math.max(Math.round(this.#top / this.layout.rowHeight), 0) * this.layout.columns;
  }

  /// The first and the last row of which something is in sight.
  get rows() {
    return [this.#top, this.#top + this.height].map((y) => Math.floor(y / this.layout.rowHeight));
  }

  /// Begins at the top of a new list, or where a place of it is in sight.
  begin(place, count) {
    this.#anchor = null;
    this.#layOut(count);
    if (place) this.#hold(place);
    else this.#scroller.scrollTop = 0;
  }

  /// Follows a change of the list; what is in sight stays where it is.
  follow({ after, stays }, count) {
    const offset = this.#anchor === null ? this.#top - this.layout.y(this.first) : this.#offset;
    // What is gone, or went elsewhere, leaves its place to what came behind it.
    let anchor = this.#anchor ?? this.first;
    while (!stays(anchor)) anchor += 1;
    this.#layOut(count);
    // At the top people want to see what is new.
    if (this.#scroller.scrollTop > 0) this.#hold(after(anchor), offset);
  }

  /// Fits the list into another width.
  resize(count) {
    const [first, { side }] = [this.#anchor ?? this.first, this.layout];
    const isAtTop = this.#top <= 0;
    this.#layOut(count);
    if (side !== this.layout.side && !isAtTop) this.#hold(first);
  }

  /// Lets go of what was held when it was the person who scrolled.
  scrolled() {
    if (Math.abs(this.#scroller.scrollTop - this.#ownTop) > 1) this.#anchor = null;
  }

  /// Brings a place into sight.
  reveal(place) {
    const top = this.layout.y(place);
    if (top < this.#top) this.#top = top;
    const end = top + this.layout.rowHeight - this.height;
    if (end > this.#top) this.#top = end;
  }

  /// Scrolls to a place, and lets it be what stays where it is: else many small changes would move all, row by row.
  #hold(place, offset = 0) {
    [this.#anchor, this.#offset] = [place, offset];
    this.#top = this.layout.y(place) + offset;
    this.#ownTop = this.#scroller.scrollTop;
  }

  #layOut(count) {
    const width = this.#list.clientWidth;
    if (!width) return;
    this.layout.fit(width);
    this.#list.style.height = `${this.layout.height(count)}px`;
    this.#list.style.setProperty("--side", `${this.layout.side}px`);
  }
}
