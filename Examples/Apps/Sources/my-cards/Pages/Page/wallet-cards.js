// All cards: as the program has them, or, without it, as this browser kept them.

import { follow, followConnection } from "/ui/events.js";
import { request } from "/ui/requests.js";

/// What views show. `kept` is when this browser kept the cards, where the program didn't give them just now.
const state = { cards: new Map(), lost: [], wallet: null, isLoaded: false, problem: null, kept: null, connection: "opening" };
const listeners = new Set();
let running = null;
let isStale = false;
let isAnnounced = false;

/// Hears of the cards whenever they or the way to the program change; gives what ends that.
export const watchCards = (listener) => {
  listeners.add(listener);
  if (state.isLoaded || state.problem) listener(state);
  return () => listeners.delete(listener);
};

export const cards = () => state;

/// Whether what is shown comes from this browser alone.
export const isOffline = () => state.kept !== null || ["lost", "refused", "busy"].includes(state.connection);

const tell = () => { for (const listener of listeners) listener(state); };

/// Asks for all cards. What changes while it is under way is asked for once more after it.
export const refreshCards = () => {
  if (running) {
    isStale = true;
    return running;
  }
  running = load().finally(() => {
    running = null;
    if (!isStale) return;
    isStale = false;
    refreshCards();
  });
  return running;
};

const load = async () => {
  try {
    // What this browser keeps may come first, where nothing is shown yet.
    const answer = await request("GET", "cards", { headers: state.isLoaded ? {} : { "Viewfinder-First": "1" } });
    const report = await answer.json();
    state.cards = new Map(report.cards.map((card) => [card.id, card]));
    state.lost = report.lost;
    state.wallet = report.wallet;
    state.kept = answer.headers.get("Viewfinder-Kept");
    state.isRefused = answer.headers.has("Viewfinder-Refused");
    Object.assign(state, { isLoaded: true, problem: null });
  } catch (error) {
    state.problem = error;
  }
  tell();
};

/// Begins to follow what changes.
export const beginCards = () => {
  // The program's cards came when those that are kept were shown already.
  navigator.serviceWorker?.addEventListener("message", ({ data }) => { if (data === "cards") refreshCards(); });
  follow("cards", () => {
    // The first value comes with the list that is asked for at the start.
    if (isAnnounced) refreshCards();
    isAnnounced = true;
  });
  followConnection((connection) => {
    const isBack = connection === "open" && (state.kept !== null || state.problem !== null);
    state.connection = connection;
    if (isBack) refreshCards();
    else if (state.isLoaded) tell();
  });
  // The page began to ask before this was here.
  return running ?? (state.isLoaded || state.problem ? Promise.resolve() : refreshCards());
};

// MARK: What a card is found by, and in which order

/// Text without case and accents.
export const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

const texts = new WeakMap();
const searchText = (card) => {
  if (!texts.has(card)) texts.set(card, folded([card.name, card.cardId, card.note ?? "", ...card.groups].join("\n")));
  return texts.get(card);
};

/// Whether a card has all the words.
export const matches = (card, text) => {
  const words = folded(text).split(/\s+/).filter(Boolean);
  return words.every((word) => searchText(card).includes(word));
};

/// Today, and other days from it, as cards have days.
export const dayText = (days = 0) => {
  const date = new Date();
  date.setDate(date.getDate() + days);
  const two = (number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};

export const isEnded = (card) => Boolean(card.expiry) && card.expiry < dayText();

const collator = new Intl.Collator(undefined, { numeric: true });
const orders = {
  used: (one, other) => (other.lastUsed ?? "").localeCompare(one.lastUsed ?? ""),
  name: () => 0,
  expiry: (one, other) => (one.expiry ?? "9").localeCompare(other.expiry ?? "9"),
};

/// Cards in the order that was chosen: ended ones last.
export const sorted = (list, { order, starsFirst }) => [...list].sort((one, other) =>
  isEnded(one) - isEnded(other)
  || (starsFirst ? other.isStarred - one.isStarred : 0)
  || (orders[order] ?? orders.used)(one, other)
  || collator.compare(one.name, other.name)
  || one.id.localeCompare(other.id));

/// The groups of cards that aren't put away, with how many there are in each, by name.
export const groupsOf = (list) => {
  const counts = new Map();
  for (const card of list) if (!card.isArchived) for (const name of card.groups) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, count })).sort((one, other) => collator.compare(one.name, other.name));
};
