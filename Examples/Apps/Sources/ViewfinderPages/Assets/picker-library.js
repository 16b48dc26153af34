// The picker's library: albums and their assets, day by day, as many as are near the screen; and what is done with them.

import { Bones } from "./bones.js";
import { icon } from "./elements.js";
import { dayTitle } from "./photo-lists.js";
import { actionButton, make } from "./picker-actions.js";
import { LibraryFilters } from "./picker-filters.js";
import { toast } from "./toast.js";
import { told, words } from "./words.js";

const pageSize = 60;

/// The screens "photoLibrary" and "savedPhotosAlbum".
export class LibraryScreen {
  #grid;
  #heading;
  #sources;
  #use = actionButton("done", "", "button primary use");

  /// `sources` makes the choice of other sources, if there is one.
  constructor(program, act, { heading = "h1", sources = null } = {}) {
    this.#grid = new LibraryGrid(program, act);
    this.#heading = heading;
    this.#sources = sources;
  }

  enter(state, name) {
    this.#grid.begin();
    return make("section", { className: "picker-library", ariaLabel: words(`picker.${name}`) },
      make("header", { className: "bar" },
        make("button", { type: "button", className: "button plain", data: { do: "cancel" } },
          icon("close"), make("span", { textContent: words("cancel") })),
        make(this.#heading, { className: "bar-title", textContent: words(`picker.${name}`) }), this.#use),
      this.#grid.filters, this.#grid.element,
      this.#sources && make("footer", { className: "foot" }, this.#sources(state)));
  }

  show(state) {
    const { selection, limit } = state;
    this.#grid.show(state);
    this.#use.hidden = limit === 1;
    this.#use.disabled = selection.length === 0;
    this.#use.firstElementChild.textContent = words("picker.use", { count: selection.length });
  }

  /// The grid and the chips listen to keys themselves.
  press() { return false; }

  keys() { return this.#grid.keys; }
}

class LibraryGrid {
  #filters = new LibraryFilters();
  #list = make("div", { className: "grid bleed", role: "group", ariaLabel: words("picker.grid") });
  #end = make("div", { className: "end", ariaHidden: "true" });
  #none = make("div", { className: "empty", role: "status" });
  #wait = make("div", { hidden: true });
  #bones = new Bones(this.#wait);
  #observer = new IntersectionObserver((entries) =>
    entries.some((entry) => entry.isIntersecting) && this.#more());
  #isOpen = false;
  #isLoading = false;
  #count = null;
  #version = 0;
  #selection = [];
  #tiles = [];

  #program;
  #act;

  element = make("div", { className: "library" });
  filters = this.#filters.element;
  /// What keys do here.
  keys = [["← → ↑ ↓", words("picker.key.moveGrid")], [words("picker.space"), words("picker.key.choose")]];

  constructor(program, act) {
    this.#program = program;
    this.#act = act;
    this.#filters.addEventListener("change", () => this.#restart());
    this.#list.addEventListener("click", (event) => this.#choose(event));
    this.#list.addEventListener("keydown", (event) => this.#key(event));
    this.element.append(this.#none, this.#wait, this.#list, this.#end);
    this.#observer.observe(this.#end);
  }

  /// Forgets what was shown before.
  begin() {
    this.#isOpen = false;
    this.filters.hidden = false;
    this.#version += 1;
    this.#clear();
    this.#bones.show(true);
  }

  /// Follows the picker's state.
  show({ library, libraryProblem, selection }) {
    this.#selection = selection.map((photo) => photo.id);
    this.#mark();
    if (library === "unavailable") this.#say("lock", "", told(libraryProblem));
    // There is nothing to choose from.
    if (library === "unavailable") this.filters.hidden = true;
    if (library !== "open" || this.#isOpen) return;
    this.#isOpen = true;
    this.#open();
  }

  async #open() {
    const version = this.#version;
    try {
      const albums = await this.#program.ask("picker/albums");
      if (version !== this.#version) return;
      this.#filters.show(albums);
    } catch (error) {
      if (version === this.#version) this.#say("warning", "", error.message);
      return;
    }
    await this.#restart();
  }

  async #restart() {
    if (!this.#isOpen) return;
    this.#version += 1;
    this.#count = null;
    this.#isLoading = false;
    this.#clear();
    this.#bones.show(true);
    await this.#more();
  }

  #clear() {
    this.#tiles = [];
    this.#list.replaceChildren();
    this.#none.replaceChildren();
  }

  /// Says why there is nothing to see, in its place.
  #say(name, title, text) {
    this.#bones.show(false);
    this.#none.replaceChildren(...[icon(name, "big"), title && make("h2", { textContent: title }), text && make("p", { textContent: text })].filter(Boolean));
  }

  async #more() {
    const shown = this.#tiles.length;
    if (!this.#isOpen || this.#isLoading || (this.#count !== null && shown >= this.#count)) return;
    this.#isLoading = true;
    const version = this.#version;
    const query = this.#filters.query;
    try {
      const { count, items } = await this.#program.ask("picker/assets", { first: shown, count: pageSize, ...query });
      if (version !== this.#version) return;
      this.#count = count;
      this.#bones.show(false);
      for (const item of items) this.#add(item);
      this.#mark();
      if (count === 0 && Object.keys(query).length) this.#say("photos", words("picker.empty"));
      else if (count === 0) {
        this.#say("photos", words("picker.noPhotos"), words("picker.noPhotosWhy"));
        this.filters.hidden = true;
      }
    } catch (error) {
      if (version === this.#version && !shown) this.#say("warning", "", error.message);
      else if (version === this.#version) toast(error.message);
      return;
    } finally {
      if (version === this.#version) this.#isLoading = false;
    }
    // A page may be shorter than the screen.
    const { top } = this.#end.getBoundingClientRect();
    if (top < this.element.getBoundingClientRect().bottom) await this.#more();
  }

  #add(item) {
    const tile = this.#item(item);
    this.#tiles.push(tile);
    this.#tilesOf(item.day).append(tile);
  }

  /// The tiles of a day, below its title.
  #tilesOf(day) {
    const last = this.#list.lastElementChild;
    if (last?.dataset.day === String(day)) return last.lastElementChild;
    const title = make("h2", { id: `picker-day-${this.#list.childElementCount}`, textContent: dayTitle(day) });
    const tiles = make("div", { className: "tiles", role: "group", "aria-labelledby": title.id });
    this.#list.append(make("div", { data: { day } }, make("div", { className: "day" }, title), tiles));
    return tiles;
  }

  #item({ id, version, name, isVideo, problem }) {
    const picture = make("img", { className: "awaited", loading: "lazy", alt: "" });
    const tile = make("button", {
      type: "button", className: "tile", role: "checkbox", title: problem ? told(problem) : name, tabIndex: -1,
      ariaLabel: words(isVideo ? "picker.video" : "picker.image", { name }), data: { id },
    }, picture, isVideo && icon("play", "mark"), make("span", { className: "tick", ariaHidden: "true" }));
    picture.addEventListener("load", () => picture.classList.remove("awaited"));
    picture.addEventListener("error", () => {
      tile.classList.add("broken");
      picture.replaceWith(make("span", { textContent: name }));
    });
    picture.src = this.#program.address(`picker/thumbnail/${id}`, { version });
    return tile;
  }

  /// Ticks what is picked, with its place.
  #mark() {
    for (const tile of this.#tiles) {
      const place = this.#selection.indexOf(tile.dataset.id);
      tile.setAttribute("aria-checked", String(place >= 0));
      tile.lastElementChild.textContent = place >= 0 ? place + 1 : "";
    }
    if (this.#tiles.length && !this.#tiles.some((tile) => tile.tabIndex === 0)) this.#tiles[0].tabIndex = 0;
  }

  #choose(event) {
    const tile = event.target.closest(".tile");
    if (!tile) return;
    this.#stop(tile);
    this.#act("toggle", { name: tile.dataset.id });
  }

  /// The one tile at which Tab stops.
  #stop(tile) {
    for (const other of this.#tiles) other.tabIndex = other === tile ? 0 : -1;
  }

  #key(event) {
    const at = this.#tiles.indexOf(event.target.closest(".tile"));
    if (at < 0) return;
    const forward = getComputedStyle(this.#list).direction === "rtl" ? -1 : 1;
    const last = this.#tiles.length - 1;
    const goal = {
      ArrowRight: () => at + forward, ArrowLeft: () => at - forward, Home: () => 0, End: () => last,
      ArrowDown: () => this.#beside(at, 1), ArrowUp: () => this.#beside(at, -1),
    }[event.key]?.();
    if (goal === undefined) return;
    event.preventDefault();
    const next = this.#tiles[Math.min(last, Math.max(0, goal))];
    this.#stop(next);
    next.focus();
  }

  /// The tile above or below, over the title of a day if need be; of a shorter row, its last one.
  #beside(at, step) {
    const place = (tile) => tile.getBoundingClientRect();
    const own = place(this.#tiles[at]);
    let [best, top] = [at, null];
    for (let next = at + step; this.#tiles[next]; next += step) {
      const box = place(this.#tiles[next]);
      if (Math.abs(box.top - own.top) < 2) continue;
      top ??= box.top;
      if (Math.abs(box.top - top) >= 2) break;
      if (best === at || Math.abs(box.left - own.left) < Math.abs(place(this.#tiles[best]).left - own.left)) best = next;
    }
    return best;
  }
}
