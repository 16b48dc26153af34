// Where places of a grid lie.

const [gap, least, fewest] = [4, 150, 3];

export class Layout {
  columns = fewest;
  /// The side of a tile, in pixels.
  side = least;

  /// Fits as many tiles beside each other as there is room for.
  fit(width) {
    this.columns = Math.max(Math.floor((width + gap) / (least + gap)), fewest);
    this.side = (width - gap * (this.columns - 1)) / this.columns;
  }

  get rowHeight() { return this.side + gap; }

  row(place) { return Math.floor(place / this.columns); }
  x(place) { return (place % this.columns) * this.rowHeight; }
  y(place) { return this.row(place) * this.rowHeight; }

  /// How high so many tiles are.
  height(count) { return Math.max(Math.ceil(count / this.columns) * this.rowHeight - gap, 0); }

  /// How far a key goes, in places; undefined for other keys.
  step(key, viewHeight, count) {
    const page = Math.max(Math.floor(viewHeight / this.rowHeight), 1) * this.columns;
    return {
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns, ArrowDown: this.columns,
      PageUp: -page, PageDown: page, Home: -count, End: count,
    }[key];
  }
}
