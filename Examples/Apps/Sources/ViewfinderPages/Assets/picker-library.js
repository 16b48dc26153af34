// The picker's albums and their assets: as many as are near the screen.

import { icon } from "./elements.js";
import { make } from "./picker-actions.js";
import { told, words } from "./words.js";

const pageSize = 60;

export class LibraryGrid {
  #albums = make("select", { className: "input", ariaLabel: words("picker.album") });
  #from = make("input", { className: "input", type: "date", ariaLabel: words("picker.from") });
  #to = make("input", { className: "input", type: "date", ariaLabel: words("picker.to") });
  #list = make("div", { className: "tiles grid", role: "group", ariaLabel: words("picker.grid") });
  #end = make("div", { className: "end", ariaHidden: "true" });
  #words = make("p", { className: "quiet", role: "status" });
  #observer = new IntersectionObserver((entries) =>
    entries.some((entry) => entry.isIntersecting) && this.#more());
  #isOpen = false;
  #isLoading = false;
  #count = null;
  #version = 0;
  #selection = [];

  #program;
  #act;

  element = make("div", { className: "library" });
  filters = make("form", { className: "search filters", role: "search" });

  constructor(program, act) {
    this.#program = program;
    this.#act = act;
    const search = this.filters;
    search.append(this.#albums, this.#from, this.#to);
    search.addEventListener("change", () => this.#restart());
    search.addEventListener("submit", (event) => event.preventDefault());
    this.#list.addEventListener("click", (event) => this.#choose(event));
    this.#list.addEventListener("keydown", (event) => this.#key(event));
    this.element.append(this.#words, this.#list, this.#end);
    this.#observer.observe(this.#end);
  }

  /// Forgets what was shown before.
  begin() {
    this.#isOpen = false;
    this.#list.replaceChildren();
    this.#words.textContent = words("picker.opening");
  }

  /// Follows the picker's state.
  show({ library, libraryProblem, selection }) {
    this.#selection = selection.map((photo) => photo.id);
    this.#mark();
    if (library === "unavailable") this.#words.textContent = told(libraryProblem);
    if (library !== "open" || this.#isOpen) return;
    this.#isOpen = true;
    this.#open().catch((error) => { this.#words.textContent = error.message; });
  }

  async #open() {
    const albums = await this.#program.ask("picker/albums");
    this.#albums.replaceChildren(
      make("option", { value: "", textContent: words("picker.all") }),
      ...albums.map(({ id, name, count }) =>
        make("option", { value: id, textContent: `${name} (${count})` })));
    await this.#restart();
  }

  async #restart() {
    this.#version += 1;
    this.#count = null;
    this.#isLoading = false;
    this.#list.replaceChildren();
    await this.#more();
  }

  async #more() {
    const shown = this.#list.children.length;
    if (!this.#isOpen || this.#isLoading || (this.#count !== null && shown >= this.#count)) return;
    this.#isLoading = true;
    const version = this.#version;
    const query = { first: shown, count: pageSize };
    for (const [name, field] of [["album", this.#albums], ["from", this.#from], ["to", this.#to]]) {
      if (field.value) query[name] = field.value;
    }
    try {
      const { count, items } = await this.#program.ask("picker/assets", query);
      if (version !== this.#version) return;
      this.#count = count;
      this.#list.append(...items.map((item) => this.#item(item)));
      this.#mark();
      this.#words.textContent = count === 0 ? words("picker.empty") : "";
    } catch (error) {
      if (version === this.#version) this.#words.textContent = error.message;
      return;
    } finally {
      if (version === this.#version) this.#isLoading = false;
    }
    // A page may be shorter than the screen.
    const { top } = this.#end.getBoundingClientRect();
    if (top < this.element.getBoundingClientRect().bottom) await this.#more();
  }

  #item({ id, version, name, isVideo, problem }) {
    const picture = make("img", { loading: "lazy", alt: "", src: this.#program.address(`picker/thumbnail/${id}`, { version }) });
    const tile = make("button", {
      type: "button", className: "tile", role: "checkbox", title: problem ? told(problem) : name, tabIndex: -1,
      ariaLabel: words(isVideo ? "picker.video" : "picker.image", { name }), data: { id },
    }, picture, isVideo && icon("play", "mark"), make("span", { className: "tick", ariaHidden: "true" }));
    picture.addEventListener("error", () => {
      tile.classList.add("broken");
      picture.replaceWith(make("span", { textContent: name }));
    });
    return tile;
  }

  /// Ticks what is picked, with its place.
  #mark() {
    const tiles = [...this.#list.children];
    for (const tile of tiles) {
      const place = this.#selection.indexOf(tile.dataset.id);
      tile.setAttribute("aria-checked", String(place >= 0));
      tile.lastElementChild.textContent = place >= 0 ? place + 1 : "";
    }
    if (tiles.length && !tiles.some((tile) => tile.tabIndex === 0)) tiles[0].tabIndex = 0;
  }

  #choose(event) {
    const tile = event.target.closest(".tile");
    if (!tile) return;
    this.#stop(tile);
    this.#act("toggle", { name: tile.dataset.id });
  }

  /// The one tile at which Tab stops.
  #stop(tile) {
    for (const other of this.#list.children) other.tabIndex = other === tile ? 0 : -1;
  }

  #key(event) {
    const tiles = [...this.#list.children];
    const at = tiles.indexOf(event.target.closest(".tile"));
    if (at < 0) return;
    const first = tiles[0].getBoundingClientRect().top;
    const across = Math.max(1, tiles.filter((tile) => Math.abs(tile.getBoundingClientRect().top - first) < 2).length);
    const forward = getComputedStyle(this.#list).direction === "rtl" ? -1 : 1;
    const step = {
      ArrowRight: forward, ArrowLeft: -forward, ArrowDown: across, ArrowUp: -across, Home: -at, End: tiles.length - 1 - at,
    }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = tiles[Math.min(tiles.length - 1, Math.max(0, at + step))];
    this.#stop(next);
    next.focus();
  }
}
