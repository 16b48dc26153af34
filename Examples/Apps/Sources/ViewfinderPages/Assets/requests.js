// What pages ask of their program: every failure is an error with words, and none is dropped.
//
// All functions take the address of another program than the one that serves these modules as `base`.

import { language, told, words } from "./words.js";

/// Where the program is: above the folder of these modules, so that a page may lie anywhere.
export const base = new URL("..", import.meta.url);

/// A name that nobody else has.
const newID = () => crypto.randomUUID?.()
  ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/// The name that this page had before it was loaded anew; none for a copy of it in another tab.
const keptID = () => {
  const [navigation] = performance.getEntriesByType("navigation");
  try {
    const kept = sessionStorage.getItem("viewfinder-page");
    const id = navigation?.type === "reload" && kept ? kept : newID();
    sessionStorage.setItem("viewfinder-page", id);
    return id;
  } catch {
    // Nothing may be kept here.
    return newID();
  }
};

/// Names this page, so that what it asks for comes back to it and to no other.
export const pageID = keptID();

/// Why a request failed, in words for the person.
export class RequestError extends Error {
  /// `code` is the server's, for programs; `status` the answer's, 0 where there was none.
  constructor(message, { code, status = 0, values = {} } = {}) {
    super(message);
    Object.assign(this, { name: "RequestError", code, status, values, isTold: true });
  }
}

/// An address of the program: path below its base, query as an object.
export const address = (path, query = {}, at = base) => {
  const url = new URL(path.replace(/^\//, ""), at);
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== null) url.searchParams.set(name, value);
  // A plus is a space in forms alone.
  url.search = url.search.replaceAll("+", "%20");
  return url;
};

/// In how many seconds a server that is full wants to be asked again.
export const waitOf = (answer) => {
  const seconds = Number.parseInt(answer.headers.get("Retry-After") ?? "", 10);
  return seconds > 0 ? Math.min(seconds, 600) : 10;
};

/// Asks again for what didn't come, after pauses of half a second to half a minute: each is twice as long as the one
/// before, and a little chance keeps many pages from asking at the same time.
export class Retry {
  #again;
  #pause = 0;
  #timer = 0;

  constructor(again) { this.#again = again; }

  /// Whether it didn't come the last time.
  get isOn() { return this.#pause > 0; }

  /// It didn't come.
  failed() {
    this.stop();
    this.#pause = Math.min(this.#pause * 2 || 500, 30_000);
    this.#timer = setTimeout(this.#again, this.#pause * (0.75 + Math.random() / 2));
  }

  /// It came: the next pause is short.
  came() { this.#pause = 0; }

  /// Doesn't ask.
  stop() { clearTimeout(this.#timer); }
}

/// Sends a request and gives its answer; throws what the program says against it.
export const request = async (method, path, { body, query, signal, time = 30_000, headers = {}, keepalive = false, base: at } = {}) => {
  const isJSON = body !== undefined && !(body instanceof Blob);
  const limit = AbortSignal.timeout(time);
  let answer;
  try {
    answer = await fetch(address(path, query, at), {
      method,
      headers: { "Viewfinder-Page": pageID, ...(isJSON ? { "Content-Type": "application/json" } : {}), ...headers },
      body: isJSON ? JSON.stringify(body) : body,
      keepalive,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    const code = limit.aborted ? "slow" : "away";
    throw new RequestError(words(`error.${code}`), { code });
  }
  if (answer.ok || answer.status === 304) return answer;
  throw await failure(answer);
};

const failure = async (answer) => {
  const { error: message, code, values, reasons } = await answer.json().catch(() => ({}));
  // What a page asks for wrongly has no code: that is told to programmers, in English.
  const general = answer.status === 401 ? "tokenMissing" : answer.status === 400 && language !== "en" ? "wrongRequest" : null;
  const text = !code && general ? words(`error.${general}`) : told({ message, code, values, reasons });
  return new RequestError(text, { code, status: answer.status, values });
};

/// What the program answers, as a value.
export const ask = async (path, query, options) => (await request("GET", path, { query, ...options })).json();

/// Sends JSON, or a file as it is; gives the answer as a value, null where there is none.
export const send = async (method, path, body, options) => {
  const answer = await request(method, path, { body, ...options });
  return answer.status === 204 ? null : answer.json();
};
