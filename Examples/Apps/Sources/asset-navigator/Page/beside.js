// The pictures before and after the one in full: they are there before somebody turns to them.

import { whenIdle } from "/ui/elements.js";
import { ask } from "/ui/requests.js";
import { picturePath } from "/stage.js";

export class Beside {
  /// The pictures by asset and version: browsers keep them as long as these elements are there.
  #pictures = new Map();
  #turn = 0;

  /// Loads them when there is nothing else to do.
  load(place, assets) {
    const turn = this.#turn += 1;
    whenIdle(async () => {
      const items = [place + 1, place - 1].map((at) => assets.at(at)).filter((item) => item && !item.isVideo && !item.problem);
      const wanted = new Map(items.map((item) => [`${item.id} ${item.version}`, item]));
      for (const key of this.#pictures.keys()) if (!wanted.has(key)) this.#pictures.delete(key);
      for (const [key, item] of wanted) {
        if (turn !== this.#turn) return;
        if (!this.#pictures.has(key)) await this.#load(key, item);
      }
    });
  }

  /// Keeps none any more.
  forget() {
    this.#turn += 1;
    this.#pictures.clear();
  }

  async #load(key, { id }) {
    try {
      const asset = await ask(`/assets/${id}`);
      const [file] = asset.files;
      if (file.isVideo || file.problem) return;
      const picture = new Image();
      this.#pictures.set(key, picture);
      picture.src = picturePath(asset, file);
      await picture.decode();
    } catch {
      // Whoever turns to it hears why.
      this.#pictures.delete(key);
    }
  }
}
