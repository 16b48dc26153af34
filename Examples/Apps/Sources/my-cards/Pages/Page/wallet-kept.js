// What this browser keeps, so that the cards are there at the till without the program and without a network: the list,
// the drawings of codes, small pictures, and photos as far as their room goes. The service worker answers with it.

import { whenIdle } from "/ui/elements.js";
import { request, send } from "/ui/requests.js";
import { cards, isOffline, watchCards } from "/wallet-cards.js";
import { forgetChoices } from "/wallet-choices.js";
import { dropDrafts } from "/wallet-drafts.js";

const store = "wallet-cards";
const note = "/kept.json";
/// How much room codes and photos may take together, in bytes.
const budget = 64e6;
/// How long cards must be quiet before they are kept, in milliseconds.
const quiet = 1000;
/// How long it is waited at most until the page has nothing else to do, in milliseconds.
const patience = 2000;

const listeners = new Set();
let timer = 0;
let running = false;
let isCleared = false;
/// Where the page isn't a secure context, browsers keep nothing for it.
const isPossible = "serviceWorker" in navigator && "caches" in globalThis;

export const beginKept = () => {
  if (!isPossible) return;
  navigator.serviceWorker.register("/service-worker.js").catch((error) => console.warn(error));
  watchCards(() => {
    clearTimeout(timer);
    timer = setTimeout(keep, quiet);
  });
};

/// Hears when something was kept or cleared.
export const watchKept = (listener) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const tell = () => { for (const listener of listeners) listener(); };

const entries = (all) => {
  const list = [...all].sort((one, other) => (other.isStarred - one.isStarred) || (other.lastUsed ?? "").localeCompare(one.lastUsed ?? ""));
  return {
    codes: list.filter(({ code }) => code).map(({ id, code }) => `/cards/${id}/barcode.svg?of=${code}`),
    small: list.filter(({ front }) => front).map(({ front }) => `/pictures/${front}/small`),
    photos: [...new Set(list.flatMap(({ front, back }) => [front, back]).filter(Boolean))].map((hash) => `/pictures/${hash}`),
  };
};

/// Keeps what is new, and forgets what no card has any more.
const keep = async () => {
  if (running || isCleared || !cards().isLoaded || isOffline()) return;
  running = true;
  try {
    const { wallet, cards: all } = cards();
    const before = await readNote();
    // Another wallet answers at this address now: nobody's cards stay behind with another's.
    if (before && before.wallet !== wallet) await caches.delete(store);
    const cache = await caches.open(store);
    const list = await request("GET", "cards");
    // Answers of the service worker's own are no news.
    if (list.headers.has("Viewfinder-Kept")) return;
    const date = new Date().toISOString();
    await put(cache, "/cards", list, date);
    const { codes, small, photos } = entries(all.values());
    const wanted = new Set(["/cards", note, ...codes, ...small]);
    // Without its code no card is of use; the list's pictures and then the photos take what room is left.
    let bytes = await fill(cache, codes, budget, new Set());
    bytes += await fill(cache, small, budget - bytes, new Set());
    const kept = new Set();
    bytes += await fill(cache, photos, budget - bytes, kept);
    for (const path of kept) wanted.add(path);
    for (const key of await cache.keys()) {
      const { pathname, search } = new URL(key.url);
      if (!wanted.has(pathname + search)) await cache.delete(key);
    }
    const size = (await (await cache.match("/cards")).blob()).size;
    const report = { wallet, date, cards: all.size, photos: kept.size, left: photos.length - kept.size, bytes: bytes + size, budget };
    await cache.put(note, new Response(JSON.stringify(report), { headers: { "Content-Type": "application/json" } }));
  } catch (error) {
    // It is tried again with the next change; Settings tells what there is.
    console.warn(error);
  } finally {
    running = false;
    tell();
  }
};

const put = async (cache, path, answer, date) => {
  const headers = new Headers(answer.headers);
  headers.set("Viewfinder-Date", date);
  await cache.put(path, new Response(await answer.blob(), { headers }));
};

/// Fetches what isn't there yet, a few at a time, up to a number of bytes; gives how many it all has.
const fill = async (cache, paths, room, kept) => {
  let bytes = 0;
  const queue = [...paths];
  const work = async () => {
    while (queue.length && bytes < room && !isCleared) {
      const path = queue.shift();
      let answer = await cache.match(path);
      if (!answer) {
        const url = new URL(path, location.href);
        await new Promise((resolve) => whenIdle(resolve, patience));
        answer = await fetch(url, { priority: "low" }).catch(() => null);
        // What can't be drawn, or isn't here yet, is left out.
        if (!answer?.ok || answer.headers.has("Viewfinder-Kept")) continue;
        await cache.put(path, answer.clone());
      }
      bytes += (await answer.blob()).size;
      kept.add(path);
    }
  };
  await Promise.all([work(), work(), work()]);
  return bytes;
};

const readNote = async () => {
  const answer = await caches.match(note, { cacheName: store });
  return answer ? answer.json().catch(() => null) : null;
};

/// What is kept: cards, photos, bytes, since when, and how many photos found no room.
export const keptReport = async () => {
  const report = isPossible ? await readNote().catch(() => null) : null;
  return { cards: 0, photos: 0, bytes: 0, left: 0, budget, ...report, isPossible, isCleared };
};

/// Forgets all of it, until the page is opened again.
export const clearKept = async () => {
  isCleared = true;
  for (const name of await caches.keys()) await caches.delete(name);
  for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister();
  dropDrafts();
  forgetChoices();
  // Pictures are in the browser's own store as well; it empties that when the program says so.
  if (!isOffline()) await send("POST", "forget").catch(() => {});
  tell();
};
