// Search by date, camera, place and name: what is typed, and what there is to choose.

import { button, icon, make } from "/ui/elements.js";
import { ask } from "/ui/requests.js";
import { words } from "/ui/words.js";
import { coordinates, dayText, number } from "/format.js";
import { Asked } from "/asked.js";
import { labelled, show, submit } from "/questions.js";
import { meaning } from "/search-words.js";

/// So long after the last letter the search begins.
const pause = 250;

const bones = () => make("div", { className: "stack" }, Array.from({ length: 3 }, () => make("div", {},
  make("span", { className: "bone line short section-title" }),
  make("div", { className: "chips" }, Array.from({ length: 3 }, () => make("span", { className: "chip bone" }))))));

/// Event: "change" when something else is searched.
export class Search extends EventTarget {
  #field = make("input", {
    className: "input", type: "search", placeholder: words("search.what"), ariaLabel: words("search.label"), autocomplete: "off", maxLength: 200,
  });
  #chips = make("div", { className: "chips", hidden: true });
  #start = make("div", { className: "stack" });
  #count = make("p", { className: "list-head", role: "status" });
  #timer = 0;
  /// What was chosen rather than typed: { text, icon, parameters } by kind.
  #chosen = new Map();

  constructor(element) {
    super();
    this.asked = new Asked(this.#start, bones(), { loading: words("search.loading"), failed: words("search.failed") }, () => this.#load());
    this.asked.content.className = "stack";
    element.append(make("search", { className: "search" }, icon("search"), this.#field), this.#chips, this.#start, this.#count);
    this.#field.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#changed(), pause);
    });
    this.#field.addEventListener("keydown", ({ key }) => {
      if (key !== "Enter") return;
      clearTimeout(this.#timer);
      this.#changed();
    });
  }

  get text() { return this.#field.value.trim(); }
  get isOn() { return Boolean(this.text) || this.#chosen.size > 0; }
  focus() { this.#field.focus(); }

  /// What the program is asked for.
  get parameters() {
    const { words: others, time, area } = meaning(this.text);
    return {
      order: "newest", ...(time ? { from: time.from, until: time.until } : {}), ...(area ? { area: area.join() } : {}),
      ...Object.assign({}, ...[...this.#chosen.values()].map(({ parameters }) => parameters)),
      ...(others.length ? { words: others.join(" ") } : {}),
    };
  }

  /// What was searched, for words about it.
  get phrase() { return [this.text, ...[...this.#chosen.values()].map(({ text }) => text)].filter(Boolean).join(", "); }

  /// Says how many there are; null while nobody knows.
  tell(count) { this.#count.textContent = count === null || !this.isOn ? "" : words("found", { count }); }

  clear() {
    this.#field.value = "";
    this.#chosen.clear();
    this.#changed();
    this.focus();
  }

  #changed() {
    this.#start.hidden = this.isOn;
    this.#chips.hidden = this.#chosen.size === 0;
    this.#chips.replaceChildren(...[...this.#chosen].map(([kind, { text, icon: name }]) =>
      this.#chip(text, name, () => this.#choose(kind, null), { isChosen: true })));
    this.dispatchEvent(new Event("change"));
  }

  #choose(kind, value) {
    if (value) this.#chosen.set(kind, value);
    else this.#chosen.delete(kind);
    this.#changed();
  }

  #chip(text, name, press, { count, isChosen = false } = {}) {
    const chip = button("", press, isChosen
      ? { "aria-pressed": "true", ariaLabel: words("search.remove", { name: text }) } : {});
    chip.className = "chip";
    chip.append(...(name ? [icon(name, "small")] : []), make("bdi", { textContent: text }),
      ...(count === undefined ? [] : [make("span", { className: "count", textContent: number(count) })]),
      ...(isChosen ? [icon("close", "small")] : []));
    return chip;
  }

  /// Asks what there is to choose.
  async #load() {
    const { years, cameras, places } = await ask("/search");
    const section = (code, chips) => chips.length
      ? [make("section", {}, make("h2", { className: "section-title", textContent: words(code) }), make("div", { className: "chips" }, chips))] : [];
    const time = (text, from, until, count) => this.#chip(text, count === undefined ? "calendar" : null, () =>
      this.#choose("time", { text, icon: "calendar", parameters: { from: dayText(from), until: dayText(until) } }), { count });
    const now = new Date();
    const [y, m, d] = [now.getFullYear(), now.getMonth(), now.getDate()];
    this.asked.content.replaceChildren(
      ...section("search.when", [
        time(words("today"), new Date(y, m, d), new Date(y, m, d + 1)), time(words("thisMonth"), new Date(y, m, 1), new Date(y, m + 1, 1)),
        ...years.map(({ value, count }) => time(String(value), new Date(value, 0, 1), new Date(value + 1, 0, 1), count)),
        this.#chip(words("chooseDays"), null, () => this.#chooseDays()),
      ]),
      ...section("search.where", places.map(({ latitude, longitude, area, count }) => {
        const text = coordinates(latitude, longitude);
        return this.#chip(text, "pin", () => this.#choose("place", { text, icon: "pin", parameters: { area: area.join() } }), { count });
      })),
      ...section("search.with", cameras.map(({ value, count }) => this.#chip(value, "camera", () =>
        this.#choose("camera", { text: value, icon: "camera", parameters: { camera: value } }), { count }))));
    if (places.length) this.asked.content.append(make("p", { className: "quiet small-text", textContent: words("search.places") }));
  }

  async #chooseDays() {
    const [from, until] = [0, 1].map(() => make("input", { className: "input", type: "date", required: true, max: "9999-12-31" }));
    const answer = await show(words("chooseDays"), [labelled(words("from"), from), labelled(words("until"), until)], [submit("ok", words("search"))], {
      field: until, check: async () => { if (until.value < from.value) throw new Error(words("search.order")); },
    });
    if (!answer) return;
    const next = new Date(`${until.value}T00:00`);
    next.setDate(next.getDate() + 1);
    const format = (text) => new Date(`${text}T00:00`).toLocaleDateString(document.documentElement.lang, { dateStyle: "medium" });
    this.#choose("time", {
      text: from.value === until.value ? format(from.value) : `${format(from.value)} – ${format(until.value)}`, icon: "calendar",
      parameters: { from: from.value, until: dayText(next) },
    });
  }
}
