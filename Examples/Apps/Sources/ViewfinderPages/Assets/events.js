// What a page hears of: one stream for all of its parts. It comes back after every error, and says while it doesn't.
//
//   const stop = follow("cards", (report) => …);
//   follow("list", (change) => …, { album: id });
//   followConnection((state) => …)   // "open", "lost", "busy" or "refused"

import { address, pageID } from "./requests.js";

const followers = new Map();
const connectionFollowers = new Set();
let source = null;
let state = "opening";
let pause = 0;
let timer = 0;
let turn = 0;

/// Hears of a topic until the function that it returns is called. The newest value that is there is told at once.
///
/// `whileHidden`: also while nobody sees the page, because the program counts on it.
export const follow = (topic, listener, parameters = {}, { whileHidden = false } = {}) => {
  const key = JSON.stringify([topic, parameters, whileHidden]);
  const entry = followers.get(key) ?? { topic, parameters, whileHidden, listeners: new Set() };
  const isNew = !followers.has(key);
  followers.set(key, entry);
  entry.listeners.add(listener);
  if (isNew) reopenSoon();
  else if ("value" in entry) queueMicrotask(() => entry.listeners.has(listener) && listener(entry.value));
  return () => {
    entry.listeners.delete(listener);
    if (entry.listeners.size || followers.get(key) !== entry) return;
    followers.delete(key);
    reopenSoon();
  };
};

/// Hears whether the stream is there: "open", "lost" (the program doesn't answer), "busy" (too many pages) or
/// "refused" (it answers, but not to this page).
export const followConnection = (listener) => {
  connectionFollowers.add(listener);
  listener(state);
  return () => connectionFollowers.delete(listener);
};

const tell = (next) => {
  if (state === next) return;
  state = next;
  for (const listener of connectionFollowers) listener(state);
};

/// Once for all that a page begins or ends to follow in one go.
const reopenSoon = () => {
  turn += 1;
  const mine = turn;
  queueMicrotask(() => mine === turn && open());
};

const close = () => {
  source?.close();
  source = null;
  clearTimeout(timer);
};

/// A page that nobody sees takes none of the browser's six connections.
const isWanted = (entries) => entries.length > 0 && (!document.hidden || entries.some(({ whileHidden }) => whileHidden));

const open = () => {
  close();
  const entries = [...followers.values()];
  if (!isWanted(entries)) return;
  const url = address("events", { page: pageID });
  entries.forEach(({ topic, parameters }, place) => {
    url.searchParams.append("topic", `${place}.${topic}`);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(`${place}.${name}`, value);
  });
  const mine = source = new EventSource(url);
  mine.addEventListener("open", () => {
    pause = 0;
    tell("open");
  });
  entries.forEach((entry, place) => mine.addEventListener(`${place}`, ({ data }) => {
    entry.value = JSON.parse(data);
    for (const listener of entry.listeners) listener(entry.value);
  }));
  mine.addEventListener("error", () => failed(mine));
};

/// A browser tries again by itself where the connection broke, and gives up for good after an answer that is an error.
const failed = async (mine) => {
  if (mine !== source) return;
  const isOver = mine.readyState === EventSource.CLOSED;
  tell("lost");
  if (!isOver) return;
  close();
  pause = Math.min(pause * 2 || 1000, 30_000);
  timer = setTimeout(open, pause * (0.75 + Math.random() / 2));
  // What the browser doesn't say of the error.
  const answer = await fetch(address("events"), { signal: AbortSignal.timeout(5000) }).catch(() => null);
  answer?.body?.cancel();
  if (source || !answer) return;
  if (answer.status === 503) tell("busy");
  else if ([401, 403, 421].includes(answer.status)) tell("refused");
};

document.addEventListener("visibilitychange", () => {
  if (!isWanted([...followers.values()])) close();
  else if (!source) open();
});
addEventListener("online", () => source || open());
addEventListener("pageshow", (event) => event.persisted && open());
