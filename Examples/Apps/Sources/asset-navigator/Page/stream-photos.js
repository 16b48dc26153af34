// The photos of the stream that aren't here: their previews, and a button that gets the photo.

import { button, make, setChildren } from "/ui/elements.js";
import { ask, send } from "/ui/requests.js";
import { words } from "/ui/words.js";
import { size } from "/format.js";

/// Follows what the stream has.
export class StreamPhotos {
  element = make("ul", { role: "list", id: "stream-photos", className: "previews", ariaLabel: words("stream.elsewhere") });
  #key = null;
  #tiles = new Map();

  /// The devices from which they are.
  get devices() { return [...new Set([...this.#tiles.values()].map(({ photo }) => photo.device))].sort(); }

  /// Shows how the stream is going; asks for the list anew when it may be another one.
  show(status) {
    if (!status) return;
    const { offered, wanted, received, previews, fetching } = status;
    const key = [offered, wanted, received, previews].join();
    if (key !== this.#key) {
      this.#key = key;
      this.#load(key);
    }
    for (const { photo, get } of this.#tiles.values()) {
      const isGoing = fetching?.name === photo.name && fetching.size === photo.size;
      if (photo.isComing) {
        get.lastElementChild.textContent = isGoing
          ? `${Math.floor((fetching.done / Math.max(fetching.size, 1)) * 100)} %` : words("stream.coming");
      }
    }
  }

  async #load(key) {
    let photos;
    try {
      photos = await ask("/stream/photos");
    } catch {
      // While the stream begins there is no list yet.
      if (key === this.#key) this.#key = null;
      return;
    }
    if (key !== this.#key) return;
    const before = this.#tiles;
    this.#tiles = new Map();
    for (const photo of photos) {
      const old = before.get(photo.id);
      // What is as it was keeps its picture and the focus.
      this.#tiles.set(photo.id,
        old?.photo.hasPreview === photo.hasPreview && old.photo.isComing === photo.isComing ? old : this.#tile(photo));
    }
    setChildren(this.element, [...this.#tiles.values()].map(({ item }) => item));
  }

  #tile(photo) {
    const picture = photo.hasPreview
      ? make("img", { src: `/stream/photos/${photo.id}/preview`, alt: "" })
      : make("span", { className: "quiet", textContent: words("stream.noPreview") });
    const get = button(photo.isComing ? words("stream.coming") : words("stream.get"), async () => {
      get.disabled = true;
      try {
        await send("POST", `/stream/photos/${photo.id}`);
        photo.isComing = true;
        get.lastElementChild.textContent = words("stream.coming");
      } catch (error) {
        get.disabled = false;
        throw error;
      }
    }, { disabled: photo.isComing });
    get.setAttribute("aria-label", words(photo.isComing ? "stream.comingNamed" : "stream.getNamed", { name: photo.name }));
    const facts = make("span", { className: "caption quiet" }, make("bdi", { textContent: photo.name }), ` · ${size(photo.size)} · `, make("bdi", { textContent: photo.device }));
    return { photo, get, item: make("li", { className: "panel" }, make("span", { className: "picture" }, picture), facts, get) };
  }
}
