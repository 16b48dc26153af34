// What a page hears of: one stream for all of its parts. It comes back after every error, and says while it doesn't.
//
//   const stop = follow("cards", (report) => …);
//   follow("list", (change) => …, { album: id });
//   followConnection((state) => …)   // "open", "lost", "busy" or "refused"
//
// Who follows another program than the one that serves these modules gives its address as `base`.

import { address, base as ownBase, pageID, Retry, waitOf } from "./requests.js";

/// One program's stream.
class Stream {
  #base;
  #followers = new Map();
  #connectionFollowers = new Set();
  #source = null;
  #state = "opening";
  #retry = new Retry(() => this.#open());
  #turn = 0;

  constructor(base) {
    this.#base = base;
    document.addEventListener("visibilitychange", () => {
      if (!this.#isWanted) this.#close();
      else if (!this.#source) this.#open();
    });
    addEventListener("online", () => this.#source || this.#open());
    addEventListener("pageshow", (event) => event.persisted && this.#open());
  }

  follow(topic, listener, parameters, whileHidden) {
    const key = JSON.stringify([topic, parameters, whileHidden]);
    const entry = this.#followers.get(key) ?? { topic, parameters, whileHidden, listeners: new Set() };
    const isNew = !this.#followers.has(key);
    this.#followers.set(key, entry);
    entry.listeners.add(listener);
    if (isNew) this.#reopenSoon();
    else if ("value" in entry) queueMicrotask(() => entry.listeners.has(listener) && listener(entry.value));
    return () => {
      entry.listeners.delete(listener);
      if (entry.listeners.size || this.#followers.get(key) !== entry) return;
      this.#followers.delete(key);
      this.#reopenSoon();
    };
  }

  followConnection(listener) {
    this.#connectionFollowers.add(listener);
    listener(this.#state);
    return () => this.#connectionFollowers.delete(listener);
  }

  #tell(next, details) {
    if (this.#state === next && !details) return;
    this.#state = next;
    for (const listener of this.#connectionFollowers) listener(next, details);
  }

  /// Once for all that a page begins or ends to follow in one go.
  #reopenSoon() {
    this.#turn += 1;
    const mine = this.#turn;
    queueMicrotask(() => mine === this.#turn && this.#open());
  }

  #close() {
    this.#source?.close();
    this.#source = null;
    this.#retry.stop();
  }

  /// A page that nobody sees takes none of the browser's six connections.
  get #isWanted() {
    const entries = [...this.#followers.values()];
    return entries.length > 0 && (!document.hidden || entries.some(({ whileHidden }) => whileHidden));
  }

  #open() {
    this.#close();
    if (!this.#isWanted) return;
    const entries = [...this.#followers.values()];
    const url = address("events", { page: pageID }, this.#base);
    entries.forEach(({ topic, parameters }, place) => {
      url.searchParams.append("topic", `${place}.${topic}`);
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(`${place}.${name}`, value);
    });
    // As in requests: the server takes "+" for itself.
    url.search = url.search.replaceAll("+", "%20");
    const mine = this.#source = new EventSource(url);
    mine.addEventListener("open", () => {
      this.#retry.came();
      this.#tell("open");
    });
    entries.forEach((entry, place) => mine.addEventListener(`${place}`, ({ data }) => {
      entry.value = JSON.parse(data);
      for (const listener of entry.listeners) listener(entry.value);
    }));
    mine.addEventListener("error", () => this.#failed(mine));
  }

  /// A browser tries again by itself where the connection broke, and gives up for good after an answer that is an error.
  async #failed(mine) {
    if (mine !== this.#source) return;
    const isOver = mine.readyState === EventSource.CLOSED;
    // One that was full is asked first whether it still is.
    if (!isOver || this.#state !== "busy") this.#tell("lost");
    if (!isOver) return;
    this.#close();
    this.#retry.failed();
    // What the browser doesn't say of the error.
    const answer = await fetch(address("events", {}, this.#base), { signal: AbortSignal.timeout(5000) }).catch(() => null);
    answer?.body?.cancel();
    if (this.#source) return;
    if (answer?.status === 503) this.#tell("busy", waitOf(answer));
    else this.#tell([401, 403, 421].includes(answer?.status) ? "refused" : "lost");
  }
}

const streams = new Map();
const stream = (base = ownBase) => {
  const key = String(base);
  if (!streams.has(key)) streams.set(key, new Stream(base));
  return streams.get(key);
};

/// Hears of a topic until the function that it returns is called. The newest value that is there is told at once.
///
/// `whileHidden`: also while nobody sees the page, because the program counts on it.
export const follow = (topic, listener, parameters = {}, { whileHidden = false, base } = {}) =>
  stream(base).follow(topic, listener, parameters, whileHidden);

/// Hears whether the stream is there: "open", "lost" (the program doesn't answer), "busy" (too many pages) or
/// "refused" (it answers, but not to this page). With "busy" come the seconds to the next try.
export const followConnection = (listener, { base } = {}) => stream(base).followConnection(listener);
