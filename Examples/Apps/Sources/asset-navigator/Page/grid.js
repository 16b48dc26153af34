// A grid of any number of assets, of which only what is in or near sight is there.

import { Sight } from "/sight.js";
import { Thumbnails, thumbnailPath } from "/thumbnails.js";
import { Tiles } from "/tiles.js";

/// Rows that are there above and below what is in sight.
const spareRows = 2;

/// Shows Assets in a list that lies in a scrolling element. Event: "choose" with the place.
export class Grid extends EventTarget {
  #list;
  #assets;
  #sight;
  #tiles;
  #thumbnails = new Thumbnails();
  #frame = 0;
  /// The place that the keyboard is at.
  #focused = 0;
  /// The ids that are selected; null while nothing is being selected.
  selected = null;

  constructor(scroller, list, assets) {
    super();
    [this.#list, this.#assets] = [list, assets];
    [this.#sight, this.#tiles] = [new Sight(scroller, list), new Tiles(list)];
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

  /// The first place of which more than half is in sight.
  get firstInSight() { return this.#sight.first; }

  /// Begins at the top of a new list, or where a place of it is in sight.
  begin(place = 0) {
    this.#focused = place;
    this.#thumbnails.forgetProblems();
    this.#sight.begin(place, this.#assets.count);
    this.draw();
  }

  /// Follows a change of the assets; what is in sight stays where it is.
  follow(places) {
    const { count } = this.#assets;
    const focused = places.after(this.#focused) ?? this.#focused;
    this.#focused = Math.max(Math.min(focused, count - 1), 0);
    this.#sight.follow(places, count);
    this.draw();
  }

  /// Brings a place into sight, and the keyboard to it.
  focus(place) {
    if (!this.#assets.count) return;
    this.#focused = Math.min(Math.max(place, 0), this.#assets.count - 1);
    this.#sight.reveal(this.#focused);
    this.#draw();
    this.#tiles.at(this.#focused)?.button.focus({ preventScroll: true });
  }

  /// Draws before the screen is shown next.
  draw() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #scrolled() {
    this.#sight.scrolled();
    this.draw();
  }

  #resize() {
    this.#sight.resize(this.#assets.count);
    this.draw();
  }

  #draw() {
    const { layout, rows: [top, bottom] } = this.#sight;
    const { count } = this.#assets;
    const first = Math.max(top - spareRows, 0) * layout.columns;
    const last = Math.min((bottom + spareRows + 1) * layout.columns, count) - 1;
    const places = [];
    for (let place = first; place <= last; place += 1) places.push(place);
    // What has the keyboard's focus stays there, wherever it is.
    const hasFocus = this.#list.contains(document.activeElement) && count > 0;
    if (hasFocus && this.#focused < first) places.unshift(this.#focused);
    if (hasFocus && this.#focused > last) places.push(this.#focused);
    this.#tiles.place(places, count, layout);
    for (const tile of this.#tiles) this.#show(tile);
    if (hasFocus) this.#tiles.at(this.#focused)?.button.focus({ preventScroll: true });
    this.#assets.want(first, last);
    const isSeen = (place) => layout.row(place) >= top && layout.row(place) <= bottom;
    const urgent = [
      ...places.filter(isSeen), ...places.filter((place) => !isSeen(place)),
    ];
    this.#thumbnails.want(
      urgent.map((place) => this.#assets.at(place)).filter(Boolean).map(thumbnailPath));
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
    for (const tile of this.#tiles) if (tile.path === path) this.#show(tile);
  }

  #choose(button) {
    const place = Number(button?.dataset.place ?? NaN);
    if (this.#assets.at(place)) this.dispatchEvent(new CustomEvent("choose", { detail: place }));
    this.draw();
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = this.#sight.layout.step(event.key, this.#sight.height, this.#assets.count);
    if (step === undefined) return;
    event.preventDefault();
    this.focus(this.#focused + step);
  }
}
