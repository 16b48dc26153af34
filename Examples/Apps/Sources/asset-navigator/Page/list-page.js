// A list on the page: its grid, what is selected there, and the asset that is shown in full.

import { attempt, make } from "/ui/elements.js";
import { follow } from "/ui/events.js";
import { toast } from "/ui/toast.js";
import { wanted, addressOf, replaceAsset } from "/address.js";
import { Assets } from "/assets.js";
import { Grid } from "/grid.js";
import { ask } from "/ui/requests.js";
import { told } from "/ui/words.js";
import { Selection } from "/selection.js";
import { Viewer } from "/viewer.js";

const element = (id) => document.getElementById(id);

/// After how long a list that failed is asked for again, in milliseconds.
const pause = 5000;

/// Events: "change" when the list has another length, "select" when something else is selected.
export class ListPage extends EventTarget {
  assets = new Assets();
  grid = new Grid(element("frame"), this.assets);
  selection = new Selection(this.grid, this.assets);
  viewer = new Viewer(element("viewer"), this.assets);
  /// Where each list was left: the asset at the top.
  #left = new Map();
  #key = null;
  #stop = null;
  /// Events of a list come after each other, and each may have something to ask.
  #queue = Promise.resolve();
  #parameters = {};
  /// Whether a list has come.
  isKnown = false;
  /// Why none has come, in words; null where one may come yet.
  problem = null;
  #timer = 0;

  constructor() {
    super();
    this.grid.addEventListener("choose", ({ detail }) => this.#choose(detail));
    this.assets.addEventListener("load", () => this.showAsset());
    this.assets.addEventListener("problem", ({ detail }) => toast(detail));
    this.selection.addEventListener("change", () => this.dispatchEvent(new Event("select")));
    this.viewer.addEventListener("step", ({ detail }) => this.#step(detail));
    this.viewer.addEventListener("go", ({ detail }) => this.#show(detail));
    this.viewer.addEventListener("close", ({ detail }) => this.#closed(detail));
  }

  /// What the list shows of its own: the album.
  get album() { return this.#parameters.album ?? null; }

  /// Shows a list; of the same one nothing changes.
  open(parameters) {
    const key = JSON.stringify(parameters);
    if (key === this.#key) return this.showAsset();
    this.close();
    this.#key = key;
    this.#parameters = parameters;
    this.#follow();
  }

  #follow() {
    const key = this.#key;
    clearTimeout(this.#timer);
    this.#stop?.();
    this.#stop = follow("list", (event) => {
      this.#queue = this.#queue.then(() => key === this.#key && this.#take(event, key));
    }, this.#parameters);
  }

  /// Shows no list.
  close() {
    if (!this.#key) return;
    this.#left.set(this.#key, this.#topAsset);
    this.#stop?.();
    clearTimeout(this.#timer);
    [this.#key, this.#stop, this.#parameters, this.isKnown, this.problem] = [null, null, {}, false, null];
    this.viewer.close();
    this.selection.set(false);
    this.assets.begin({ id: null, count: 0 });
    this.grid.begin();
  }

  /// The first asset in sight, unless that is the first of all: there people want to see what is new.
  get #topAsset() {
    const place = this.grid.firstInSight;
    return place > 0 ? this.assets.at(place)?.id : undefined;
  }

  async #take({ list, problem }, key) {
    if (problem) return this.#fail(told(problem));
    try {
      const days = list.isByDay ? await ask(`/lists/${list.id}/days`) : null;
      if (key !== this.#key) return;
      // Of a list of which something was missed the whole is asked for.
      if (list.change && this.assets.list) this.#change(list, days);
      else await this.#begin(list, days, key);
      [this.isKnown, this.problem] = [true, null];
      this.dispatchEvent(new Event("change"));
      this.showAsset();
    } catch (error) {
      // A list that is gone has a successor, which comes by itself.
      if (error.status === 410) return;
      if (key !== this.#key) return;
      this.assets.begin({ id: null, count: 0 });
      // While nothing comes from the program, a banner says so.
      if (error.status) this.#fail(error.message);
      // What fails once more isn't asked for in a hurry.
      this.#timer = setTimeout(() => this.#follow(), this.problem ? pause : 0);
    }
  }

  /// Tells why there is no list: in its place, or beside what is there of it.
  #fail(words) {
    if (this.isKnown) toast(words);
    this.problem = words;
    this.dispatchEvent(new Event("change"));
  }

  /// Asks for the list once more.
  retry() {
    this.problem = null;
    this.dispatchEvent(new Event("change"));
    this.#follow();
  }

  async #begin(list, days, key) {
    const anchor = wanted().asset ?? (this.isKnown ? this.#topAsset : this.#left.get(key));
    const place = anchor ? (await ask(`/lists/${list.id}/place`, { asset: anchor })).place : 0;
    if (key !== this.#key) return;
    this.assets.begin(list, days);
    this.grid.begin(place ?? 0);
  }

  #change(list, days) {
    // What is gone isn't selected any more.
    for (const place of list.change.removals) this.selection.forget(this.assets.at(place)?.id);
    const place = this.assets.placeOf(this.viewer.id);
    const places = this.assets.apply(list, days);
    this.grid.follow(places);
    if (place < 0 || places.after(place) !== undefined) return;
    // The asset in full is gone: the one that has its place now is shown.
    const next = Math.min(place, this.assets.count - 1);
    if (next < 0) return replaceAsset(null);
    this.#show(next);
  }

  // MARK: The asset in full

  /// Shows what the address names, as soon as it is known.
  showAsset() {
    const { asset } = wanted();
    if (!asset || !this.#key) return this.viewer.close();
    const place = this.assets.placeOf(asset);
    if (place < 0) return;
    this.viewer.move(place, this.assets.count);
    this.viewer.show(this.assets.at(place));
    // The neighbours are asked for before they are wanted.
    this.assets.want(place - 12, place + 12);
  }

  #choose(place) {
    const { id } = this.assets.at(place);
    if (this.selection.isOn) return this.selection.toggle(id);
    location.hash = addressOf({ ...wanted(), asset: id });
  }

  #step(step) {
    const place = this.assets.placeOf(this.viewer.id);
    if (place >= 0) this.#show(place + step);
  }

  #show(place) {
    return attempt(async () => {
      if (place < 0 || place >= this.assets.count) return;
      const item = this.assets.at(place) ?? (await this.assets.all(place, place + 1))[0];
      if (!item) return;
      this.assets.put(place, item);
      replaceAsset(item.id);
      this.showAsset();
    });
  }

  /// Back in the grid, where the asset is.
  #closed(id) {
    if (wanted().asset === id) replaceAsset(null);
    const place = this.assets.placeOf(id);
    if (place >= 0) this.grid.focus(place);
  }
}

/// An empty page: what is so and what to do.
export const emptyPage = (icon, title, text, ...buttons) => [
  icon, make("h2", { textContent: title }), make("p", { textContent: text }),
  ...(buttons.length ? [make("div", { className: "row" }, buttons)] : []),
];
