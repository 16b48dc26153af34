// Answers without the program, with what the page keeps: its own files, and the cards.
//
// `version` and `shell` come before this text from the program: the files that the page consists of, and a name that
// changes with any of them.

const shellStore = `wallet-shell-${version}`;
const cardStore = "wallet-cards";
/// How long the program may take before its page is shown from here, in milliseconds.
const patience = 4000;

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
  else if (url.pathname === "/cards") event.respondWith(list(request));
});

/// The program's file where it answers: what is here may be older than the program.
const ofShell = async (request, url) => {
  const kept = () => caches.match(request.mode === "navigate" && url.pathname === "/" ? "/" : url.pathname, { cacheName: shellStore, ignoreSearch: true });
  try {
    const answer = await fetch(request, request.mode === "navigate" ? {} : { signal: AbortSignal.timeout(patience) });
    // Who isn't known any more still sees that cards are kept here, and can clear them. Who brings a key is asked.
    const isRefused = [401, 403, 421].includes(answer.status) && !url.searchParams.has("token");
    return isRefused ? (await kept()) ?? answer : answer;
  } catch (error) {
    const answer = await kept();
    if (!answer) throw error;
    return answer;
  }
};

/// The same for ever.
const forEver = async (request) => (await caches.match(request.url, { cacheName: cardStore })) ?? fetch(request);

/// The cards as the program has them; else as they were kept, with the word since when.
const list = async (request) => {
  const kept = async (more = {}) => {
    const answer = await caches.match("/cards", { cacheName: cardStore });
    if (!answer) return null;
    const headers = new Headers(answer.headers);
    headers.set("Viewfinder-Kept", headers.get("Viewfinder-Date"));
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    return new Response(await answer.blob(), { headers });
  };
  try {
    const answer = await fetch(request);
    return [401, 403, 421].includes(answer.status) ? (await kept({ "Viewfinder-Refused": "1" })) ?? answer : answer;
  } catch (error) {
    const answer = await kept();
    if (!answer) throw error;
    return answer;
  }
};
