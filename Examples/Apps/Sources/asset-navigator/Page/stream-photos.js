// The photos of the stream that aren't here: their previews, and a button that gets the photo.

import { make } from "/ui/picker-actions.js";
import { send } from "/events.js";
import { size } from "/words.js";

const away = "The list of photos can't be had at the moment.";

/// Follows what the stream has; shown in its sheet.
export class StreamPhotos {
  element = make("ul", { role: "list", id: "stream-photos", className: "plain" });
  #key = null;
  #tiles = new Map();

  constructor() { this.element.setAttribute("aria-label", "Photos that aren't here"); }

  /// Shows how the stream is going; asks for the list anew when it may be another one.
  show({ offered, wanted, received, previews, fetching }) {
    const key = [offered, wanted, received, previews].join();
    if (key !== this.#key) {
      this.#key = key;
      this.#load(key);
    }
    for (const { photo, button } of this.#tiles.values()) {
      const isGoing = fetching?.name === photo.name && fetching.size === photo.size;
      if (photo.isComing) button.textContent = isGoing
        ? `${Math.floor((fetching.done / Math.max(fetching.size, 1)) * 100).toLocaleString()} %` : "Coming …";
    }
  }

  async #load(key) {
    const answer = await fetch("/stream/photos").catch(() => null);
    if (key !== this.#key) return;
    if (!answer?.ok) {
      this.element.replaceChildren(make("li", { className: "quiet", textContent: away }));
      this.#tiles.clear();
      return;
    }
    const before = this.#tiles;
    this.#tiles = new Map();
    for (const photo of await answer.json()) {
      const old = before.get(photo.id);
      // What is as it was keeps its picture and the focus.
      this.#tiles.set(photo.id,
        old?.photo.hasPreview === photo.hasPreview && old.photo.isComing === photo.isComing
          ? old : this.#tile(photo));
    }
    this.element.replaceChildren(...[...this.#tiles.values()].map(({ item }) => item));
  }

  #tile(photo) {
    const picture = photo.hasPreview
      ? make("img", { src: `/stream/photos/${photo.id}/preview`, alt: "" })
      : make("span", { className: "quiet", textContent: "No preview yet" });
    const button = make("button", {
      type: "button", textContent: photo.isComing ? "Coming …" : "Get photo", disabled: photo.isComing });
    button.setAttribute("aria-label", `${button.textContent} ${photo.name}`);
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        await send(`/stream/photos/${photo.id}`);
        photo.isComing = true;
        button.textContent = "Coming …";
      } catch (error) {
        button.disabled = false;
        button.textContent = error.message;
      }
    });
    const words = make("span", { className: "quiet", textContent:
      `${photo.name} · ${size(photo.size)} · ${photo.device}` });
    const item = make("li", {}, make("span", { className: "picture" }, picture), words, button);
    return { photo, button, item };
  }
}
