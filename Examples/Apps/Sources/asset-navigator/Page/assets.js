// The assets of the album that is shown: how many there are, and those that were in sight.

import { ask, Retry } from "/ui/requests.js";

/// At least so many are asked for at once, and so many at most.
const [smallestPage, largestPage] = [60, 200];
/// So many are known at most.
const kept = 4000;

/// A list of which only parts are known. Events: "load" when more is, "problem" when it can't be.
export class Assets extends EventTarget {
  #list = null;
  #items = new Map();
  #wanted = null;
  #loading = null;
  /// A page that rests isn't drawn again.
  #retry = new Retry(() => this.#load());

  count = 0;
  /// Pairs of a day and how many assets it has, in their order; null for a list that isn't sorted by time.
  days = null;

  /// What is known of the asset at a place.
  at(place) { return this.#items.get(place); }

  /// Where an asset is, of those that are known; -1 for others.
  placeOf(id) {
    for (const [place, item] of this.#items) if (item.id === id) return place;
    return -1;
  }

  /// What the list is called; null while there is none.
  get list() { return this.#list; }

  /// Begins with a list of which nothing is known but its length and its days.
  begin({ id, count }, days = null) {
    this.#loading?.abort.abort();
    this.days = days;
    this.#loading = null;
    this.#list = id;
    this.#wanted = null;
    this.count = count;
    this.#items = new Map();
  }

  /// Follows a change; returns what became of places.
  apply({ id, count, change }, days = null) {
    this.days = days;
    const places = placement(change);
    const items = new Map();
    for (const [before, item] of this.#items) {
      const after = places.after(before);
      if (after !== undefined) items.set(after, item);
    }
    // What was written to, and the pages under way, are asked for anew.
    for (const updated of change.updates) items.delete(updated);
    this.#loading?.abort.abort();
    this.#loading = null;
    this.#items = items;
    this.#list = id;
    this.count = count;
    return places;
  }

  /// Asks for what isn't known of a range of places; what was asked for before matters no more.
  want(first, last) {
    this.#wanted = [Math.max(first, 0), Math.min(last, this.count - 1)];
    this.#load();
  }

  #load() {
    if (!this.#wanted) return;
    let [first, last] = this.#wanted;
    while (first <= last && this.#items.has(first)) first += 1;
    while (last >= first && this.#items.has(last)) last -= 1;
    if (first > last) return;
    // The one under way comes soon, and what is wanted then is asked for afterwards: were it given up, nothing would come
    // while somebody scrolls fast.
    if (this.#loading) return;
    const count = Math.min(Math.max(last - first + 1, smallestPage), largestPage);
    this.#fetch({ first, end: first + count, abort: new AbortController() });
  }

  async #fetch(page) {
    this.#loading = page;
    const query = { first: page.first, count: page.end - page.first };
    try {
      const value = await ask(`/lists/${this.#list}`, query, { signal: page.abort.signal });
      if (page.abort.signal.aborted) return;
      value.forEach((item, index) => this.#items.set(page.first + index, item));
      this.#retry.came();
      this.#forget();
    } catch (error) {
      // A list that is gone has a successor, of which the page will hear.
      if (error.status === 410) return;
      if (page.abort.signal.aborted) return;
      this.#askAgain(error);
      return;
    } finally {
      if (this.#loading === page) this.#loading = null;
    }
    this.dispatchEvent(new Event("load"));
    this.#load();
  }

  /// Tells why a page didn't come, once. When the server is away or full, it is asked again after a while.
  #askAgain({ status, message }) {
    if (!this.#retry.isOn) this.dispatchEvent(new CustomEvent("problem", { detail: message }));
    if (!status || status === 503) this.#retry.failed();
  }

  /// All assets of a range of places, those that aren't known as well.
  async all(first, end) {
    const [list, items] = [this.#list, []];
    for (let place = first; place < end;) {
      const known = this.#items.get(place);
      if (known) {
        items.push(known);
        place += 1;
        continue;
      }
      const page = await ask(`/lists/${list}`, { first: place, count: Math.min(largestPage, end - place) });
      items.push(...page);
      if (!page.length) break;
      place += page.length;
    }
    return items;
  }

  /// Takes up what was asked for by itself.
  put(place, item) { this.#items.set(place, item); }

  /// Shows at once what was asked for: the list will say the same.
  change(ids, values) {
    const wanted = new Set(ids);
    for (const [place, item] of this.#items) if (wanted.has(item.id)) this.#items.set(place, { ...item, ...values });
    this.dispatchEvent(new Event("load"));
  }

  /// Keeps what is near what is wanted, of a list of any length.
  #forget() {
    if (this.#items.size <= kept) return;
    const [first, last] = this.#wanted;
    for (const place of this.#items.keys()) {
      if (place < first - kept / 4 || place > last + kept / 4) this.#items.delete(place);
    }
  }
}

/// How many of ascending numbers are less than one.
const countBelow = (numbers, limit) => {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
};

const ascending = (a, b) => a - b;

/// What becomes of places with a change: `after` tells where what was at a place is then, undefined for what is gone;
/// `stays` whether it keeps its order among the others.
///
/// What neither goes, comes nor moves is in its order: the n-th such place before is the n-th such place after.
export const placement = ({ removals, insertions, moves }) => {
  const moved = new Map(moves);
  const left = [...removals, ...moved.keys()].sort(ascending);
  const taken = [...insertions, ...moved.values()].sort(ascending);
  // How many free places there are before each of those that are taken.
  const free = taken.map((place, index) => place - index);
  const stays = (place) => left[countBelow(left, place)] !== place;
  const after = (place) => {
    if (!stays(place)) return moved.get(place);
    const rank = place - countBelow(left, place);
    return rank + countBelow(free, rank + 1);
  };
  return { after, stays };
};
