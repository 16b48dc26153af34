// Answers without the program, with what the page keeps: its own files, and the cards.
//
// `version` and `shell` come before this text from the program: the files that the page consists of, and a name that
// changes with any of them.

const shellStore = `wallet-shell-${version}`;
const cardStore = "wallet-cards";
/// How long the program may take before the page and the cards are shown from here, in milliseconds.
const patience = 3000;
/// The same right after it took longer: somebody stands at the till, and each of the page's files would wait anew.
const shortPatience = 300;
/// How long that is so, in milliseconds.
const memory = 30_000;
let slowUntil = 0;

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(shellStore);
    await cache.addAll(shell.map((path) => new Request(path, { cache: "no-cache" })));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith("wallet-shell-") && name !== shellStore) await caches.delete(name);
    await self.clients.claim();
  })());
});

const isShell = new Set(shell);
const isForEver = (url) => url.pathname.startsWith("/pictures/") || (url.pathname.endsWith("/barcode.svg") && url.searchParams.has("of"));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate" || isShell.has(url.pathname)) event.respondWith(ofShell(request, url));
  else if (isForEver(url)) event.respondWith(forEver(request));
  else if (url.pathname === "/cards") event.respondWith(list(event, request));
});

/// The program's answer, unless it takes so long that what is kept is shown before it; where nothing is, it is waited for.
const inTime = async (answer, kept) => {
  let timer = 0;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, Date.now() < slowUntil ? shortPatience : patience); });
  answer.then(() => { slowUntil = 0; }, () => {}).finally(() => clearTimeout(timer));
  const first = await Promise.race([answer, late]);
  if (first) return first;
  slowUntil = Date.now() + memory;
  return (await kept()) ?? answer;
};

const isRefusal = (answer) => [401, 403, 421].includes(answer.status);

/// The program's file where it answers: what is here may be older than the program.
const ofShell = async (request, url) => {
  const kept = () => caches.match(request.mode === "navigate" && url.pathname === "/" ? "/" : url.pathname, { cacheName: shellStore, ignoreSearch: true });
  const limit = new AbortController();
  // A browser has six connections to a program; what isn't waited for any more takes none.
  const early = async () => {
    const answer = await kept();
    if (answer && request.mode !== "navigate") limit.abort();
    return answer;
  };
  try {
    const answer = await inTime(fetch(request, request.mode === "navigate" ? {} : { signal: limit.signal }), early);
    // Who isn't known any more still sees that cards are kept here, and can clear them. Who brings a key is asked.
    return isRefusal(answer) && !url.searchParams.has("token") ? (await kept()) ?? answer : answer;
  } catch (error) {
    const answer = await kept();
    if (!answer) throw error;
    return answer;
  }
};

/// The same for ever.
const forEver = async (request) => (await caches.match(request.url, { cacheName: cardStore })) ?? fetch(request);

/// The cards as the program has them; else as they were kept, with the word since when.
///
/// A page that shows cards already waits; one that has none yet gets those that are kept, and the program's when they come.
const list = async (event, request) => {
  const kept = async (more = {}) => {
    const answer = await caches.match("/cards", { cacheName: cardStore });
    if (!answer) return null;
    const headers = new Headers(answer.headers);
    headers.set("Viewfinder-Kept", headers.get("Viewfinder-Date"));
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    return new Response(await answer.blob(), { headers });
  };
  const fresh = fetch(request);
  const early = async () => {
    const answer = await kept();
    if (answer) event.waitUntil(tellOf(fresh, event.clientId));
    return answer;
  };
  try {
    const answer = await (request.headers.has("Viewfinder-First") ? inTime(fresh, early) : fresh);
    return isRefusal(answer) ? (await kept({ "Viewfinder-Refused": "1" })) ?? answer : answer;
  } catch (error) {
    const answer = await kept();
    if (!answer) throw error;
    return answer;
  }
};

/// Tells a page that the program's cards have come, when it shows the kept ones already.
const tellOf = async (fresh, id) => {
  const answer = await fresh.catch(() => null);
  if (answer?.ok) (await self.clients.get(id))?.postMessage("cards");
};
