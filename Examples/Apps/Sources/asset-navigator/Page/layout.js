// Where places of a grid lie: days below each other, each with a title and rows of tiles.

const titleHeight = 44;

/// How wide tiles are wanted, in pixels, at a phone's and at a wide page's width, by the size of the grid.
const wanted = { large: [128, 136], medium: [76, 92], small: [40, 56] };
const fewest = { large: 3, medium: 5, small: 9 };

export class Layout {
  columns = 3;
  /// The side of a tile and the space between two, in pixels.
  side = 128;
  gap = 3;
  size = "large";
  /// For each section the number of its day, its first place, its top, and where its rows begin.
  sections = [];
  #height = 0;
  #count = 0;
  #key = "";

  /// Fits tiles into a width; `days` are pairs of a day and its count, null for a list without days. Says whether anything lies
  /// elsewhere than before.
  fit(width, count, days, isRightToLeft = false) {
    const key = [width, count, this.size, isRightToLeft].join();
    if (key === this.#key && days === this.days) return false;
    this.#key = key;
    this.days = days;
    const isWide = width >= 660;
    this.gap = isWide ? 4 : this.size === "large" ? 3 : 2;
    const side = wanted[this.size][isWide ? 1 : 0];
    this.columns = Math.max(Math.floor((width + this.gap) / (side + this.gap)), fewest[this.size]);
    this.side = (width - this.gap * (this.columns - 1)) / this.columns;
    this.width = width;
    this.isRightToLeft = isRightToLeft;
    this.#count = count;
    this.#place(days ?? (count ? [[null, count]] : []));
    return true;
  }

  #place(days) {
    this.sections = [];
    let [first, top] = [0, 0];
    for (const [day, count] of days) {
      const start = top + (day === null ? 0 : titleHeight);
      const end = start + Math.ceil(count / this.columns) * this.rowHeight;
      this.sections.push({ day, first, count, top, start, end });
      [first, top] = [first + count, end];
    }
    this.#height = Math.max(top - this.gap, 0);
  }

  get rowHeight() { return this.side + this.gap; }
  get height() { return this.#height; }

  /// The number of the section in which a place is.
  sectionOf(place) { return last(this.sections, ({ first }) => first <= place); }

  /// The number of the section that is at a height.
  sectionAt(y) { return last(this.sections, ({ top }) => top <= y); }

  x(place) {
    const column = (place - (this.sections[this.sectionOf(place)]?.first ?? 0)) % this.columns;
    const x = column * this.rowHeight;
    return this.isRightToLeft ? this.width - this.side - x : x;
  }

  y(place) {
    const section = this.sections[this.sectionOf(place)];
    return section ? section.start + Math.floor((place - section.first) / this.columns) * this.rowHeight : 0;
  }

  /// The first place of the row at a height, or of the one below it.
  firstAt(y) {
    const section = this.sections[this.sectionAt(y)];
    if (!section) return 0;
    const row = Math.max(Math.floor((y - section.start) / this.rowHeight), 0);
    return Math.min(section.first + row * this.columns, section.first + section.count - 1);
  }

  /// The last place of the row at a height.
  lastAt(y) {
    const section = this.sections[this.sectionAt(y)];
    if (!section) return -1;
    if (y < section.start) return section.first - 1;
    const row = Math.floor((y - section.start) / this.rowHeight);
    return Math.min(section.first + (row + 1) * this.columns, section.first + section.count) - 1;
  }

  /// The place at a point; the nearest one of the row where nothing is.
  placeAt(x, y) {
    const first = this.firstAt(y);
    const column = Math.max(Math.min(Math.floor((this.isRightToLeft ? this.width - x : x) / this.rowHeight), this.columns - 1), 0);
    const section = this.sections[this.sectionOf(first)];
    return section ? Math.min(first + column, section.first + section.count - 1) : -1;
  }

  /// The place to which a key goes; undefined for other keys.
  goal(key, place, viewHeight) {
    const forward = this.isRightToLeft ? -1 : 1;
    const across = { ArrowRight: forward, ArrowLeft: -forward }[key];
    if (across) return place + across;
    if (key === "Home") return 0;
    if (key === "End") return this.#count - 1;
    const rows = {
      ArrowDown: 1, ArrowUp: -1, PageDown: Math.max(Math.floor(viewHeight / this.rowHeight), 1),
      PageUp: -Math.max(Math.floor(viewHeight / this.rowHeight), 1),
    }[key];
    if (!rows) return undefined;
    const [x, y] = [this.x(place) + this.side / 2, this.y(place)];
    if (Math.abs(rows) > 1) return this.placeAt(x, Math.min(Math.max(y + rows * this.rowHeight, 0), this.#height));
    // One row, over the title of a day if need be.
    const section = this.sections[this.sectionOf(place)];
    const next = y + rows * this.rowHeight;
    if (next >= section.start && next < section.end) return this.placeAt(x, next);
    const other = this.sections[this.sections.indexOf(section) + rows];
    return other ? this.placeAt(x, rows > 0 ? other.start : other.end - this.gap - 1) : place;
  }
}

/// The last element for which something holds that holds for all before it; -1 for none.
const last = (array, holds) => {
  let [low, high] = [0, array.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(array[middle])) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};
