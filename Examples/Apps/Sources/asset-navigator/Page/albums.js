// The albums: those that fill themselves, those that people made, and the folders.

import { childrenOf, icon, make } from "/ui/elements.js";
import { albumName, byRole } from "/ui/photo-lists.js";
import { ask } from "/ui/requests.js";
import { words } from "/ui/words.js";
import { Asked } from "/asked.js";
import { number } from "/format.js";

const tags = { favorites: "heart-on", videos: "play", stream: "sync" };

const bones = () => make("div", { className: "albums" }, Array.from({ length: 6 }, () =>
  make("div", { className: "stack tight" }, make("span", { className: "poster bone" }), make("span", { className: "bone line" }))));

const byID = ({ id }) => id;

export class AlbumList {
  /// The albums' links, by id.
  #links = new Map();
  #automatic = make("ul", { className: "albums", role: "list", ariaLabel: words("albums.automatic") });
  #own = make("ul", { className: "albums", role: "list", ariaLabel: words("albums.own") });
  #none;
  #folders = make("ul", { className: "rows", role: "list", ariaLabel: words("albums.folders") });
  #showAutomatic = childrenOf(this.#automatic, byID, (album) => this.#card(album));
  #showOwn = childrenOf(this.#own, byID, (album) => this.#card(album));
  #showFolders = childrenOf(this.#folders, byID, (row) => (row.kind ? this.#folder(row) : trashRow()));
  asked;

  constructor(element, newAlbum) {
    this.asked = new Asked(element, bones(), { loading: words("albums.loading"), failed: words("albums.failed") }, () => this.#load());
    this.#none = make("div", { className: "panel stack tight", hidden: true },
      make("p", { className: "quiet", textContent: words("albums.none") }), make("div", { className: "row" }, newAlbum));
    const title = (code) => make("h2", { className: "section-title", textContent: words(code) });
    this.asked.content.append(title("albums.automatic"), this.#automatic, title("albums.own"), this.#own, this.#none,
      title("albums.folders"), this.#folders);
  }

  async #load() {
    const [albums, trash] = await Promise.all([ask("/albums"), ask("/trash")]);
    const isAutomatic = ({ kind, role }) => (kind === "smart" && role !== "all") || role === "stream";
    this.#showAutomatic(albums.filter(isAutomatic).sort(byRole));
    const own = albums.filter(({ kind, role }) => kind === "made" && role !== "stream");
    this.#showOwn(own);
    [this.#own.hidden, this.#none.hidden] = [!own.length, own.length > 0];
    this.#showFolders([...albums.filter(({ kind }) => kind === "folder"), { id: "trash", count: trash.length }]);
  }

  /// Brings the keyboard to an album.
  focus(id) { this.#links.get(id)?.focus(); }

  #card(album) {
    const card = new Card(album);
    this.#links.set(album.id, card.link);
    return card;
  }

  #folder({ id }) {
    const [called, count] = [make("bdi", { className: "grow" }), make("span", { className: "value figures" })];
    const link = make("a", { className: "item", href: `#/album/${id}` }, icon("album"), called, count);
    this.#links.set(id, link);
    const show = ({ name, photos, videos, others }) => {
      called.textContent = name;
      count.textContent = number(photos + videos + others);
    };
    return { element: make("li", {}, link), show };
  }
}

const trashRow = () => {
  const figures = make("span", { className: "value figures" });
  const element = make("li", {}, make("a", { className: "item", href: "#/trash" }, icon("trash"),
    make("span", { className: "grow", textContent: words("trash") }), figures));
  return { element, show: ({ count }) => { figures.textContent = number(count); } };
};

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
