// A grid of any number of assets, of which only what is in or near sight is there.

import { Layout } from "/layout.js";
import { Thumbnails, thumbnailPath } from "/thumbnails.js";
import { Tile } from "/tile.js";

/// Rows that are there above and below what is in sight.
const spareRows = 2;

/// Shows Assets in a list that lies in a scrolling element. Event: "choose" with the place.
export class Grid extends EventTarget {
  #scroller;
  #list;
  #assets;
  #layout = new Layout();
  #thumbnails = new Thumbnails();
  #tiles = new Map();
  #frame = 0;
  /// The place that the keyboard is at.
  #focused = 0;
  /// The place that stays where it is when things change; null for the first in sight, after the person has scrolled.
  #anchor = null;
  /// How far below its top the sight begins, in fractions of pixels, which scrolling doesn't have.
  #offset = 0;
  /// How far the grid itself has scrolled.
  #ownTop = 0;
  /// The ids that are selected; null while nothing is being selected.
  selected = null;

  constructor(scroller, list, assets) {
    super();
    [this.#scroller, this.#list, this.#assets] = [scroller, list, assets];
    scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    new ResizeObserver(() => this.#resize()).observe(list);
    assets.addEventListener("load", () => this.draw());
    this.#thumbnails.addEventListener("load", ({ detail }) => this.#showThumbnail(detail));
    list.addEventListener("click", (event) => this.#choose(event.target.closest("button")));
    list.addEventListener("focusin", (event) => {
      this.#focused = Number(event.target.dataset.place);
    });
    list.addEventListener("keydown", (event) => this.#key(event));
  }

  /// How far the list is scrolled.
  get #top() { return this.#scroller.scrollTop - this.#list.offsetTop; }
  set #top(top) { this.#scroller.scrollTop = top + this.#list.offsetTop; }

  /// Begins at the top of a new list, or where a place of it is in sight.
  begin(place = 0) {
    this.#focused = place;
    this.#anchor = null;
    this.#layOut();
    if (place) this.#hold(place);
    else this.#scroller.scrollTop = 0;
    this.draw();
  }

  /// Follows a change of the assets; what is in sight stays where it is.
  follow({ after, stays }) {
    const { count } = this.#assets;
    const offset = this.#anchor === null
      ? this.#top - this.#layout.y(this.firstInSight) : this.#offset;
    // What is gone, or went elsewhere, leaves its place to what came behind it.
    let anchor = this.#anchor ?? this.firstInSight;
    while (!stays(anchor)) anchor += 1;
    this.#focused = Math.max(Math.min(after(this.#focused) ?? this.#focused, count - 1), 0);
    this.#layOut();
    // At the top people want to see what is new.
    if (this.#scroller.scrollTop > 0) this.#hold(after(anchor), offset);
    this.draw();
  }

  /// Scrolls to a place, and lets it be what stays where it is: else many small changes would move all, row by row.
  #hold(place, offset = 0) {
    [this.#anchor, this.#offset] = [place, offset];
    this.#top = this.#layout.y(place) + offset;
    this.#ownTop = this.#scroller.scrollTop;
  }

  #scrolled() {
    if (Math.abs(this.#scroller.scrollTop - this.#ownTop) > 1) this.#anchor = null;
    this.draw();
  }

  /// The first place of which more than half is in sight.
  get firstInSight() {
    return Math.max(Math.round(this.#top / this.#layout.rowHeight), 0) * this.#layout.columns;
  }

  /// Draws before the screen is shown next.
  draw() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  /// Brings a place into sight, and the keyboard to it.
  focus(place) {
    if (!this.#assets.count) return;
    this.#focused = Math.min(Math.max(place, 0), this.#assets.count - 1);
    const [top, height] = [this.#layout.y(this.#focused), this.#scroller.clientHeight];
    if (top < this.#top) this.#top = top;
    const end = top + this.#layout.rowHeight - height;
    if (end > this.#top) this.#top = end;
    this.#draw();
    this.#tiles.get(this.#focused)?.button.focus({ preventScroll: true });
  }

  #resize() {
    const [first, { side }] = [this.#anchor ?? this.firstInSight, this.#layout];
    const isAtTop = this.#top <= 0;
    this.#layOut();
    if (side !== this.#layout.side && !isAtTop) this.#hold(first);
    this.draw();
  }

  #layOut() {
    const width = this.#list.clientWidth;
    if (!width) return;
    this.#layout.fit(width);
    this.#list.style.height = `${this.#layout.height(this.#assets.count)}px`;
    this.#list.style.setProperty("--side", `${this.#layout.side}px`);
  }

  #draw() {
    const { columns, rowHeight } = this.#layout;
    const top = Math.floor(this.#top / rowHeight);
    const bottom = Math.floor((this.#top + this.#scroller.clientHeight) / rowHeight);
    const first = Math.max(top - spareRows, 0) * columns;
    const last = Math.min((bottom + spareRows + 1) * columns, this.#assets.count) - 1;
    const places = [];
    for (let place = first; place <= last; place += 1) places.push(place);
    // What has the keyboard's focus stays there, wherever it is.
    const hasFocus = this.#list.contains(document.activeElement) && this.#assets.count > 0;
    if (hasFocus && this.#focused < first) places.unshift(this.#focused);
    if (hasFocus && this.#focused > last) places.push(this.#focused);
    this.#place(places);
    for (const tile of this.#tiles.values()) this.#show(tile);
    if (hasFocus) this.#tiles.get(this.#focused)?.button.focus({ preventScroll: true });
    this.#assets.want(first, last);
    const isSeen = (place) => this.#layout.row(place) >= top && this.#layout.row(place) <= bottom;
    const urgent = [
      ...places.filter(isSeen), ...places.filter((place) => !isSeen(place)),
    ];
    this.#thumbnails.want(
      urgent.map((place) => this.#assets.at(place)).filter(Boolean).map(thumbnailPath));
  }

  /// Has a tile at each of these places, in their order, and nowhere else.
  #place(places) {
    const wanted = new Set(places);
    const spare = [];
    for (const [place, tile] of this.#tiles) {
      if (wanted.has(place)) continue;
      this.#tiles.delete(place);
      spare.push(tile);
    }
    let next = this.#list.firstElementChild;
    for (const place of places) {
      const tile = this.#tiles.get(place) ?? spare.pop() ?? new Tile();
      this.#tiles.set(place, tile);
      tile.move(place, this.#assets.count, this.#layout.x(place), this.#layout.y(place));
      if (tile.element === next) next = next.nextElementSibling;
      else this.#list.insertBefore(tile.element, next);
    }
    for (const tile of spare) tile.element.remove();
  }

  #show(tile) {
    const item = this.#assets.at(tile.place);
    tile.path = item ? thumbnailPath(item) : null;
    tile.show(item, tile.path && this.#thumbnails.get(tile.path));
    tile.select(this.selected && Boolean(item) && this.selected.has(item.id));
    // One stop for the Tab key; arrows do the rest.
    tile.button.tabIndex = tile.place === this.#focused ? 0 : -1;
  }

  #showThumbnail(path) {
    for (const tile of this.#tiles.values()) if (tile.path === path) this.#show(tile);
  }

  #choose(button) {
    const place = Number(button?.dataset.place ?? NaN);
    if (this.#assets.at(place)) this.dispatchEvent(new CustomEvent("choose", { detail: place }));
    this.draw();
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = this.#layout.step(event.key, this.#scroller.clientHeight, this.#assets.count);
    if (step === undefined) return;
    event.preventDefault();
    this.focus(this.#focused + step);
  }
}
