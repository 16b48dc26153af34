// What is sent, by this device's choice, and how long the stream has it, by a choice for all of the person's devices.

import { attempt, make } from "/ui/elements.js";
import { ask, send } from "/ui/requests.js";
import { told, words } from "/ui/words.js";

/// What is offered, beside what was chosen elsewhere; without bounds it is for always.
const offered = [{ days: 7 }, { days: 30, photos: 1000 }, { days: 365 }, { photos: 1000 }, {}];

const daysWords = (days) => (days % 365 ? words("stream.days", { count: days }) : words("stream.years", { count: days / 365 }));
const photosWords = (count) => words("photos", { count });

/// A retention as an option's value.
const retentionKey = ({ days, photos }) => JSON.stringify({ days, photos });

/// A retention in a few words: of the usual one half, since its sentence says the rest.
const retentionName = ({ days, photos }) => {
  const isUsual = days === 30 && photos === 1000;
  return [days && daysWords(days), photos && !isUsual && photosWords(photos)].filter(Boolean).join(" · ") || words("stream.always");
};

/// What it means.
const retentionWords = ({ days, photos }) => {
  if (days && photos) return words("stream.hasBoth", { days: daysWords(days), photos: photosWords(photos) });
  if (days) return words("stream.hasDays", { days: daysWords(days) });
  return photos ? words("stream.hasPhotos", { photos: photosWords(photos) }) : words("stream.hasAll");
};

/// Puts options into a list, [value, words] each, and chooses one; what is the same stays, since somebody may be choosing.
const fill = (list, options, value) => {
  const key = JSON.stringify(options);
  if (list.dataset.key !== key) {
    list.dataset.key = key;
    list.replaceChildren(...options.map(([each, textContent]) => make("option", { value: each, textContent })));
  }
  list.value = value;
};

/// A switch with its name and why one would turn it.
export const switchRow = (toggle, name, why) => make("li", {}, make("label", { className: "item" },
  make("span", { className: "grow" }, make("span", { textContent: words(name) }), make("span", { className: "caption quiet", textContent: words(why) })), toggle));

export const toggle = () => make("input", { className: "switch", type: "checkbox", role: "switch" });

const choice = (list, code) => make("li", { className: "item" },
  make("label", { className: "grow", for: list.id, textContent: words(code) }), list);

export class StreamChoices {
  #camera = make("select", { className: "input", id: "stream-camera" });
  #smaller = toggle();
  #place = toggle();
  #keep = make("select", { className: "input", id: "stream-keep", disabled: true });
  #meaning = make("p", { className: "quiet", id: "stream-kept" });
  sent = make("div", { className: "stack tight" },
    make("ul", { className: "rows", role: "list" }, choice(this.#camera, "stream.camera"),
      switchRow(this.#smaller, "stream.smaller", "stream.smallerWhy"), switchRow(this.#place, "stream.place", "stream.placeWhy")),
    make("p", { className: "quiet", textContent: words("stream.sentWhat") }));
  kept = make("div", { className: "stack tight" },
    make("ul", { className: "rows", role: "list" }, choice(this.#keep, "stream.keep")), this.#meaning);
  #report = {};
  #cameras = [];
  /// As the server has it; null while it doesn't say.
  #retention = null;
  #problem = "";

  constructor() {
    this.#camera.addEventListener("change", () => this.#change({ camera: this.#camera.value }));
    this.#smaller.addEventListener("change", () => this.#change({ sendsSmaller: this.#smaller.checked }));
    this.#place.addEventListener("change", () => this.#change({ leavesPlaceOut: this.#place.checked }));
    this.#keep.addEventListener("change", () => attempt(async () => {
      const retention = JSON.parse(this.#keep.value);
      try {
        await send("PUT", "/stream/retention", retention);
        this.#retention = retention;
      } finally { this.#draw(); }
    }));
  }

  /// Asks for what changes seldom.
  async refresh() {
    const [cameras, retention] = await Promise.allSettled([ask("/stream/cameras"), ask("/stream/retention")]);
    this.#cameras = cameras.value ?? this.#cameras;
    const { problem, ...bounds } = retention.value ?? { problem: { message: retention.reason.message } };
    this.#retention = problem ? null : bounds;
    this.#problem = problem ? words("stream.keptAway", { reason: told(problem) }) : "";
    this.#draw();
  }

  /// Shows what is chosen.
  show(report) {
    this.#report = report;
    this.#draw();
  }

  #draw() {
    const { camera = "", sendsSmaller = false, leavesPlaceOut = false } = this.#report;
    // One of which no photo is left is still the chosen one.
    const names = [...new Set([...this.#cameras, camera])].filter(Boolean);
    fill(this.#camera, [["", words("stream.allCameras")], ...names.map((name) => [name, name])], camera);
    [this.#smaller.checked, this.#place.checked] = [sendsSmaller, leavesPlaceOut];
    this.#keep.disabled = !this.#retention;
    this.#meaning.textContent = this.#retention ? `${retentionWords(this.#retention)} ${words("stream.longWhat")}` : this.#problem;
    if (!this.#retention) return;
    const own = retentionKey(this.#retention);
    const values = offered.map(retentionKey);
    const all = values.includes(own) ? values : [...values, own];
    fill(this.#keep, all.map((value) => [value, retentionName(JSON.parse(value))]), own);
  }

  #change(settings) {
    return attempt(async () => {
      try { await send("POST", "/stream/settings", settings); } finally { this.#draw(); }
    });
  }
}
