// Small pictures: those that are in or near sight, and a few hundred that were.

import { request, Retry } from "/ui/requests.js";

/// Browsers keep six connections to a server, of which the page's events take one.
const [atOnce, kept] = [4, 600];

/// Where an asset's thumbnail is; another place when the picture is another one.
export const thumbnailPath = ({ id, version }, side = 256) => `/assets/${id}/thumbnail?side=${side}&version=${version}`;

/// Loads thumbnails in the order in which they are wanted. Event: "load" with the path.
export class Thumbnails extends EventTarget {
  /// What came for each path, the oldest first: a picture's address or the reason why there is none.
  #known = new Map();
  #loading = new Map();
  #wanted = [];
  /// A page that rests isn't drawn again.
  #retry = new Retry(() => this.#next());

  /// What there is for a path: { source } or { problem }.
  get(path) { return this.#known.get(path); }

  /// Asks again for what couldn't be made: its disk may have been away.
  forgetProblems() {
    for (const [path, { problem }] of this.#known) if (problem) this.#known.delete(path);
  }

  /// Says what is wanted now, the most urgent first; what was wanted before and isn't now is given up.
  want(paths) {
    this.#wanted = paths;
    const wanted = new Set(paths);
    for (const [path, abort] of this.#loading) {
      if (!wanted.has(path)) {
        abort.abort();
        this.#loading.delete(path);
      }
    }
    this.#forget(wanted);
    this.#next();
  }

  #next() {
    for (const path of this.#wanted) {
      if (this.#loading.size >= atOnce) return;
      if (!this.#known.has(path) && !this.#loading.has(path)) this.#load(path);
    }
  }

  async #load(path) {
    const abort = new AbortController();
    this.#loading.set(path, abort);
    let result;
    try {
      const answer = await request("GET", path, { signal: abort.signal });
      result = { source: URL.createObjectURL(await answer.blob()) };
    } catch ({ status, message }) {
      // Given up, or the server is away or full.
      result = status && status !== 503 ? { problem: message } : null;
    }
    if (this.#loading.get(path) !== abort) {
      if (result?.source) URL.revokeObjectURL(result.source);
      return;
    }
    this.#loading.delete(path);
    if (!result) {
      this.#retry.failed();
      return;
    }
    this.#retry.came();
    this.#known.set(path, result);
    this.dispatchEvent(new CustomEvent("load", { detail: path }));
    this.#next();
  }

  #forget(wanted) {
    for (const [path, { source }] of this.#known) {
      if (this.#known.size <= kept) return;
      if (wanted.has(path)) continue;
      if (source) URL.revokeObjectURL(source);
      this.#known.delete(path);
    }
  }
}
