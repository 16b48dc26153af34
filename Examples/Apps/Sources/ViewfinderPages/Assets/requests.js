// What pages ask of their program: every failure is an error with words, and none is dropped.

import { hasWords, words } from "./words.js";

/// Where the program is: above the folder of these modules, so that a page may lie anywhere.
export const base = new URL("..", import.meta.url);

/// Names this page, so that what it asks for comes back to it and to no other.
export const pageID = crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/// Why a request failed, in words for the person.
export class RequestError extends Error {
  /// `code` is the server's, for programs; `status` the answer's, 0 where there was none.
  constructor(message, { code, status = 0, values = {} } = {}) {
    super(message);
    Object.assign(this, { name: "RequestError", code, status, values, isTold: true });
  }
}

/// An address of the program: path below `base`, query as an object.
export const address = (path, query = {}) => {
  const url = new URL(path.replace(/^\//, ""), base);
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== null) url.searchParams.set(name, value);
  // A plus is a space in forms alone.
  url.search = url.search.replaceAll("+", "%20");
  return url;
};

/// Sends a request and gives its answer; throws what the program says against it.
export const request = async (method, path, { body, query, signal, time = 30_000, headers = {} } = {}) => {
  const isJSON = body !== undefined && !(body instanceof Blob);
  const limit = AbortSignal.timeout(time);
  let answer;
  try {
    answer = await fetch(address(path, query), {
      method,
      headers: { "Viewfinder-Page": pageID, ...(isJSON ? { "Content-Type": "application/json" } : {}), ...headers },
      body: isJSON ? JSON.stringify(body) : body,
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
  const told = await answer.json().catch(() => ({}));
  const { error, code, values } = told;
  const text = code && hasWords(`error.${code}`) ? words(`error.${code}`, values)
    : answer.status === 401 ? words("error.token")
    : error ?? words("error.unknown");
  return new RequestError(text, { code, status: answer.status, values });
};

/// What the program answers, as a value.
export const ask = async (path, query, options) => (await request("GET", path, { query, ...options })).json();

/// Sends JSON, or a file as it is; gives the answer as a value, null where there is none.
export const send = async (method, path, body, options) => {
  const answer = await request(method, path, { body, ...options });
  return answer.status === 204 ? null : answer.json();
};
