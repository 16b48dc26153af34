// The tiles of a grid: as few as there are places wanted, used again for other ones.

import { Tile } from "/tile.js";

export class Tiles {
  #list;
  #tiles = new Map();

  constructor(list) { this.#list = list; }

  [Symbol.iterator]() { return this.#tiles.values(); }

  /// The tile at a place; undefined where there is none.
  at(place) { return this.#tiles.get(place); }

  /// Has a tile at each of these places of so many, in their order, and nowhere else.
  place(places, count, layout) {
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
      tile.move(place, count, layout.x(place), layout.y(place));
      if (tile.element === next) next = next.nextElementSibling;
      else this.#list.insertBefore(tile.element, next);
    }
    for (const tile of spare) tile.element.remove();
  }
}
