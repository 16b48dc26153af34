// Which of the library's photos the picker shows: those of an album, and of some days.

import { icon } from "./elements.js";
import { albumName, byRole, dateFormat } from "./photo-lists.js";
import { make } from "./picker-actions.js";
import { words } from "./words.js";

const icons = { favorites: "heart" };
const days = dateFormat({ day: "numeric", month: "short", year: "numeric" });

/// Events: "change" when something else is to be shown.
export class LibraryFilters extends EventTarget {
  #anyDay = make("span");
  #days = make("button", {
    type: "button", className: "chip", tabIndex: 0, ariaExpanded: "false", "aria-controls": "picker-days",
    on: { click: () => this.#open(this.#range.hidden) },
  }, icon("calendar", "small"), this.#anyDay);
  #row = make("div", { className: "chips scrolls", role: "toolbar", ariaLabel: words("picker.show") }, this.#days);
  #from = make("input", { className: "input", type: "date", id: "picker-from" });
  #to = make("input", { className: "input", type: "date", id: "picker-to" });
  #clear = make("button", { type: "button", className: "button plain", on: { click: () => this.#clearDays() } },
    make("span", { textContent: words("picker.anyDay") }));
  #range = make("div", { className: "range-of-days", id: "picker-days", hidden: true },
    make("div", { className: "field" }, make("label", { htmlFor: "picker-from", textContent: words("picker.from") }), this.#from),
    make("div", { className: "field" }, make("label", { htmlFor: "picker-to", textContent: words("picker.to") }), this.#to),
    this.#clear);
  #album = null;

  element = make("form", { className: "library-filters", role: "search" }, this.#row, this.#range);

  constructor() {
    super();
    this.element.addEventListener("submit", (event) => event.preventDefault());
    this.#range.addEventListener("change", () => this.#changed());
    this.#row.addEventListener("keydown", (event) => this.#key(event));
    this.#row.addEventListener("focusin", ({ target }) => this.#stop(target.closest(".chip")));
    this.#sayDays();
  }

  /// What the program is asked for.
  get query() {
    const all = { album: this.#album, from: this.#from.value, to: this.#to.value };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value));
  }

  /// Shows chips of these albums: those that fill themselves, those that people made, the folders.
  show(albums) {
    const of = (kind) => albums.filter((album) => album.kind === kind);
    const chips = [...of("smart").sort(byRole), ...of("made"), ...of("folder")].map((album) => this.#chip(album));
    if (!chips.some(({ dataset }) => dataset.album === this.#album)) this.#album = null;
    this.#row.replaceChildren(this.#days, ...chips);
    this.#mark();
    this.#stop(this.#days);
  }

  #chip(album) {
    return make("button", {
      type: "button", className: "chip", tabIndex: -1, data: { album: album.id }, on: { click: () => this.#choose(album.id) },
    }, icons[album.role] && icon(icons[album.role], "small"), make("bdi", { textContent: albumName(album) }));
  }

  /// A second press takes the album away.
  #choose(id) {
    this.#album = this.#album === id ? null : id;
    this.#changed();
  }

  #clearDays() {
    this.#from.value = this.#to.value = "";
    this.#open(false);
    this.#days.focus();
    this.#changed();
  }

  #open(isOpen) {
    this.#range.hidden = !isOpen;
    this.#days.ariaExpanded = String(isOpen);
    if (isOpen) this.#from.focus();
  }

  #changed() {
    this.#mark();
    this.dispatchEvent(new Event("change"));
  }

  #mark() {
    for (const chip of this.#row.children) {
      if (chip.dataset.album) chip.setAttribute("aria-pressed", String(chip.dataset.album === this.#album));
    }
    this.#sayDays();
  }

  #sayDays() {
    const [from, to] = [this.#from, this.#to].map(({ valueAsDate }) => valueAsDate);
    this.#days.classList.toggle("chosen", Boolean(from || to));
    this.#clear.hidden = !(from || to);
    // Days that cross are told in the list's place.
    this.#anyDay.textContent = from && to && from <= to ? days.formatRange(from, to)
      : from ? words("picker.since", { day: days.format(from) })
      : to ? words("picker.until", { day: days.format(to) })
      : words("picker.anyDay");
  }

  /// The one chip at which Tab stops.
  #stop(chip) {
    for (const other of this.#row.children) other.tabIndex = other === chip ? 0 : -1;
  }

  #key(event) {
    const chips = [...this.#row.children];
    const at = chips.indexOf(event.target.closest(".chip"));
    const forward = getComputedStyle(this.#row).direction === "rtl" ? -1 : 1;
    const goal = { ArrowRight: at + forward, ArrowLeft: at - forward, Home: 0, End: chips.length - 1 }[event.key];
    if (at < 0 || goal === undefined) return;
    event.preventDefault();
    chips[goal]?.focus();
  }
}
