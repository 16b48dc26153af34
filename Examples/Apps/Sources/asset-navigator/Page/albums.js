// The albums: those that fill themselves, those that people made, and the folders.

import { icon, make } from "/ui/elements.js";
import { albumName, byRole } from "/ui/photo-lists.js";
import { ask } from "/ui/requests.js";
import { words } from "/ui/words.js";
import { Asked } from "/asked.js";
import { number } from "/format.js";

const tags = { favorites: "heart-on", videos: "play", stream: "sync" };

const bones = () => make("div", { className: "albums" }, Array.from({ length: 6 }, () =>
  make("div", { className: "stack tight" }, make("span", { className: "poster bone" }), make("span", { className: "bone line" }))));

export class AlbumList {
  /// The elements of albums by id: those that stay keep the keyboard's focus.
  #cards = new Map();
  #rows = new Map();
  #automatic = make("ul", { className: "albums", role: "list", ariaLabel: words("albums.automatic") });
  #own = make("ul", { className: "albums", role: "list", ariaLabel: words("albums.own") });
  #none;
  #folders = make("ul", { className: "rows", role: "list", ariaLabel: words("albums.folders") });
  asked;
  #trashCount = make("span", { className: "value figures" });

  constructor(element, newAlbum) {
    this.asked = new Asked(element, bones(), { loading: words("albums.loading"), failed: words("albums.failed") }, () => this.#load());
    this.#none = make("div", { className: "panel stack tight", hidden: true },
      make("p", { className: "quiet", textContent: words("albums.none") }), make("div", { className: "row" }, newAlbum));
    this.trash = make("li", {}, make("a", { className: "item", href: "#/trash" }, icon("trash"),
      make("span", { className: "grow", textContent: words("trash") }), this.#trashCount));
    const title = (code) => make("h2", { className: "section-title", textContent: words(code) });
    this.asked.content.append(title("albums.automatic"), this.#automatic, title("albums.own"), this.#own, this.#none,
      title("albums.folders"), this.#folders);
  }

  async #load() {
    const [albums, trash] = await Promise.all([ask("/albums"), ask("/trash")]);
    const isAutomatic = ({ kind, role }) => (kind === "smart" && role !== "all") || role === "stream";
    this.#show(this.#automatic, albums.filter(isAutomatic).sort(byRole));
    const own = albums.filter(({ kind, role }) => kind === "made" && role !== "stream");
    this.#show(this.#own, own);
    [this.#own.hidden, this.#none.hidden] = [!own.length, own.length > 0];
    this.#trashCount.textContent = number(trash.length);
    this.#folders.replaceChildren(...albums.filter(({ kind }) => kind === "folder").map((album) => this.#row(album)), this.trash);
  }

  /// Brings the keyboard to an album.
  focus(id) { (this.#cards.get(id)?.link ?? this.#rows.get(id))?.focus(); }

  #show(list, albums) {
    albums.forEach((album, place) => {
      const card = this.#cards.get(album.id) ?? new Card(album);
      this.#cards.set(album.id, card);
      card.show(album);
      if (list.children[place] !== card.element) list.insertBefore(card.element, list.children[place] ?? null);
    });
    while (list.children.length > albums.length) list.lastElementChild.remove();
  }

  #row({ id, name, photos, videos, others }) {
    const link = this.#rows.get(id) ?? make("a", { className: "item", href: `#/album/${id}` });
    this.#rows.set(id, link);
    link.replaceChildren(icon("album"), make("bdi", { className: "grow", textContent: name }),
      make("span", { className: "value figures", textContent: number(photos + videos + others) }));
    return make("li", {}, link);
  }
}

class Card {
  #poster = make("span", { className: "poster" });
  #name = make("bdi");
  #count = make("span", { className: "caption quiet figures" });
  #address = null;
  link;
  element;

  constructor({ id }) {
    this.link = make("a", { href: `#/album/${id}` }, this.#poster, make("strong", {}, this.#name), this.#count);
    this.element = make("li", { data: { id } }, this.link);
  }

  show(album) {
    this.#name.textContent = albumName(album);
    this.#count.textContent = number(album.photos + album.videos + album.others);
    const address = album.poster ? `/albums/${album.id}/poster?version=${album.poster}` : "";
    if (this.#address === address) return;
    this.#address = address;
    const tag = tags[album.role] && make("span", { className: "tag" }, icon(tags[album.role], "small"));
    // Of an empty album, and of one of which no picture can be made, there is an icon.
    const placeholder = icon(album.role === "videos" ? "play" : "photos", "big");
    if (!address) return this.#poster.replaceChildren(placeholder);
    const picture = make("img", { alt: "", loading: "lazy" });
    picture.addEventListener("error", () => { if (picture.isConnected) this.#poster.replaceChildren(placeholder); });
    picture.src = address;
    this.#poster.replaceChildren(picture, ...(tag ? [tag] : []));
  }
}
