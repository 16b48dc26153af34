// A grid of any number of assets, of which only what is in or near sight is there.

import { Days } from "/days.js";
import { Sight } from "/sight.js";
import { Thumbnails, thumbnailPath } from "/thumbnails.js";
import { Tiles } from "/tiles.js";

/// Rows that are there above and below what is in sight, in pixels.
const spare = 300;

/// How many frames a picture takes to come, while somebody scrolls fast; and as many assets as come in one answer.
const [framesAhead, answer] = [6, 200];

/// After how many milliseconds without a frame scrolling counts as ended.
const restAfter = 150;

/// Shows Assets in a list within the page, which scrolls. Events: "choose" with the place, "chooseDay" with a section, "draw".
export class Grid extends EventTarget {
  #frame;
  #list;
  #assets;
  #sight;
  #tiles;
  #days;
  #thumbnails = new Thumbnails();
  #request = 0;
  #lastTop = 0;
  #rest = 0;
  /// The place that the keyboard is at.
  #focused = 0;
  /// The ids that are selected; null while nothing is being selected.
  selected = null;

  constructor(frame, assets) {
    super();
    [this.#frame, this.#list, this.#assets] = [frame, frame.querySelector("ul"), assets];
    [this.#sight, this.#tiles] = [new Sight(frame), new Tiles(this.#list)];
    this.#days = new Days(frame.firstElementChild, (section) => this.#tell("chooseDay", section));
    addEventListener("scroll", () => this.#scrolled(), { passive: true });
    new ResizeObserver(() => this.#resize()).observe(frame);
    addEventListener("resize", () => this.draw());
    assets.addEventListener("load", () => this.draw());
    this.#thumbnails.addEventListener("load", ({ detail }) => this.#showThumbnail(detail));
    this.#list.addEventListener("click", (event) => this.#choose(event.target.closest("button")));
    this.#list.addEventListener("focusin", (event) => { this.#focused = Number(event.target.dataset.place); });
    this.#list.addEventListener("keydown", (event) => this.#key(event));
  }

  get layout() { return this.#sight.layout; }
  get size() { return this.layout.size; }
  /// How far the list is scrolled, in pixels.
  get top() { return this.#sight.top; }
  set top(top) { this.#sight.top = top; }
  get focused() { return this.#focused; }

  /// The first place of which more than half is in sight.
  get firstInSight() { return this.#sight.first; }

  /// The place at a point of the window; -1 where no grid is.
  placeAt(clientX, clientY) {
    const box = this.#frame.getBoundingClientRect();
    return this.#assets.count ? this.layout.placeAt(clientX - box.left, Math.max(clientY - box.top, 0)) : -1;
  }

  /// Chooses the size of tiles; a place stays in sight.
  resizeTiles(size, place) {
    this.layout.size = size;
    this.#sight.resize(this.#assets.count, this.#assets.days, place);
    this.draw();
  }

  /// Begins at the top of a new list, or where a place of it is in sight.
  begin(place = 0) {
    this.#focused = place;
    this.#thumbnails.forgetProblems();
    this.#sight.begin(place, this.#assets.count, this.#assets.days);
    this.draw();
  }

  /// Follows a change of the assets; what is in sight stays where it is.
  follow(places) {
    const { count, days } = this.#assets;
    const focused = places.after(this.#focused) ?? this.#focused;
    this.#focused = Math.max(Math.min(focused, count - 1), 0);
    this.#sight.follow(places, count, days);
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
    this.#request ||= requestAnimationFrame(() => {
      this.#request = 0;
      this.#draw();
    });
  }

  #scrolled() {
    if (this.#frame.hidden) return;
    this.#sight.scrolled();
    this.draw();
  }

  #resize() {
    this.#sight.resize(this.#assets.count, this.#assets.days);
    this.draw();
  }

  #draw() {
    if (this.#frame.hidden) return;
    const { layout, top, height } = this.#sight;
    const { count } = this.#assets;
    const [first, last] = count
      ? [layout.firstAt(Math.max(top - spare, 0)), Math.min(layout.lastAt(Math.max(top + height + spare, 0)), count - 1)]
      : [0, -1];
    const places = [];
    for (let place = first; place <= last; place += 1) places.push(place);
    // What has the keyboard's focus stays there, wherever it is.
    const hasFocus = this.#list.contains(document.activeElement) && count > 0;
    if (hasFocus && this.#focused < first) places.unshift(this.#focused);
    if (hasFocus && this.#focused > last) places.push(this.#focused);
    this.#tiles.place(places, count, layout);
    this.#list.classList.toggle("tiny", layout.side < 48);
    this.#days.show(layout.sectionAt(Math.max(top, 0)), layout.sectionAt(top + height), layout, this.selected !== null);
    for (const tile of this.#tiles) this.#show(tile, first, last);
    if (hasFocus) this.#tiles.at(this.#focused)?.button.focus({ preventScroll: true });
    const isSeen = (place) => {
      const y = layout.y(place);
      return y + layout.side > top && y < top + height;
    };
    const urgent = [...places.filter(isSeen), ...places.filter((place) => !isSeen(place))];
    const way = top - this.#lastTop;
    this.#lastTop = top;
    const isFast = Math.abs(way) > height / 4;
    if (isFast) {
      this.#assets.want(...this.#ahead(way * 2 * framesAhead, answer));
      this.#drawAtRest();
    } else this.#assets.want(first, last);
    // What is in sight now is gone before its picture comes.
    const wanted = isFast ? [...this.#between(way), ...urgent] : urgent;
    this.#thumbnails.want(wanted.map((place) => this.#assets.at(place)).filter(Boolean).map((item) => this.#path(item)));
    this.dispatchEvent(new Event("draw"));
  }

  /// When fast scrolling has ended, nothing else may draw, and what lies around its last place isn't there yet.
  #drawAtRest() {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.draw(), restAfter);
  }

  /// As many places as that, from where the page will be after it has gone on by so many pixels.
  #ahead(way, count) {
    const { layout, top, height } = this.#sight;
    const goal = Math.min(Math.max(top + way, 0), Math.max(layout.height - height, 0));
    const start = layout.firstAt(goal);
    return [start, Math.min(start + count, this.#assets.count) - 1];
  }

  /// The places that will be in sight when a picture comes that is asked for now; then those that were asked for before.
  #between(way) {
    const places = [];
    for (let frames = framesAhead; frames > 0; frames -= 1) {
      const [start, end] = this.#ahead(way * frames, 2 * this.layout.columns);
      for (let place = start; place <= end; place += 1) places.push(place);
    }
    return places;
  }

  /// Small tiles have small pictures.
  #path(item) { return thumbnailPath(item, this.layout.side * devicePixelRatio > 140 ? 256 : 128); }

  #show(tile, first, last) {
    const item = this.#assets.at(tile.place);
    tile.path = item ? this.#path(item) : null;
    tile.show(item, tile.path && this.#thumbnails.get(tile.path));
    tile.select(this.selected && Boolean(item) && this.selected.has(item.id));
    // One stop for the Tab key, also where what had it is out of sight; arrows do the rest.
    const stop = this.#focused >= first && this.#focused <= last ? this.#focused : first;
    tile.button.tabIndex = tile.place === stop || tile.place === this.#focused ? 0 : -1;
  }

  #showThumbnail(path) {
    for (const tile of this.#tiles) if (tile.path === path) tile.show(this.#assets.at(tile.place), this.#thumbnails.get(path));
  }

  #choose(button) {
    const place = Number(button?.dataset.place ?? NaN);
    if (this.#assets.at(place)) this.#tell("choose", place);
    this.draw();
  }

  #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const goal = this.layout.goal(event.key, this.#focused, this.#sight.height);
    if (goal === undefined) return;
    event.preventDefault();
    const from = this.#focused;
    this.focus(goal);
    if (event.shiftKey) this.dispatchEvent(new CustomEvent("extend", { detail: [from, this.#focused] }));
  }
}
