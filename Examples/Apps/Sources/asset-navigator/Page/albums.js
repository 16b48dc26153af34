// The albums: a poster, a name, and how much is in each.

import { ask, make } from "/ui/picker-actions.js";
import { thumbnailPath } from "/thumbnails.js";
import { counts } from "/words.js";

const groups = [["smart", "Library"], ["made", "Albums"], ["folder", "Folders"]];

export class AlbumList {
  #element;
  /// The elements of albums by id: those that stay keep the keyboard's focus.
  #cards = new Map();
  #lists = new Map();

  constructor(element) {
    this.#element = element;
    for (const [kind, name] of groups) {
      const list = make("ul", { className: "cards", role: "list" });
      const section = make("section", { hidden: true }, make("h2", { textContent: name }), list);
      list.ariaLabel = name;
      this.#lists.set(kind, { section, list });
      element.append(section);
    }
  }

  /// Asks for the albums, and shows them.
  async refresh() {
    const albums = await ask("/albums");
    const known = this.#cards;
    this.#cards = new Map();
    for (const [kind, { section, list }] of this.#lists) {
      const items = albums.filter((album) => album.kind === kind).map((album) => {
        const card = known.get(album.id) ?? new Card(album.id);
        this.#cards.set(album.id, card);
        card.show(album);
        return card.element;
      });
      section.hidden = items.length === 0;
      items.forEach((item, place) => {
        if (list.children[place] !== item) list.insertBefore(item, list.children[place] ?? null);
      });
      while (list.children.length > items.length) list.lastElementChild.remove();
    }
  }

  /// Brings the keyboard to an album.
  focus(id) { this.#cards.get(id)?.element.querySelector("a").focus(); }
}

class Card {
  #poster = make("img", { alt: "", loading: "lazy", hidden: true });
  #words = make("span", { className: "words" });
  #name = make("span", { className: "name" });
  #counts = make("span", { className: "quiet" });
  #path = null;
  element;

  constructor(id) {
    const frame = make("span", { className: "poster" }, this.#words, this.#poster);
    const link = make("a", { href: `#/album/${id}` }, frame, this.#name, this.#counts);
    this.element = make("li", {}, link);
    this.element.dataset.id = id;
    this.#poster.addEventListener("load", () => { this.#poster.hidden = false; });
    this.#poster.addEventListener("error", () => {
      this.#poster.hidden = true;
      this.#words.textContent = "No preview";
    });
  }

  show(album) {
    this.#name.textContent = album.name;
    this.#counts.textContent = counts(album);
    const path = album.poster ? thumbnailPath(album.poster) : "";
    if (this.#path === path) return;
    this.#path = path;
    this.#words.textContent = path ? "" : "Empty";
    // Not loaded before it is in sight, but laid out, so that it can be.
    this.#poster.hidden = !path;
    if (path) this.#poster.setAttribute("src", path);
    else this.#poster.removeAttribute("src");
  }
}
