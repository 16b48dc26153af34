// The cards as a grid: made once, patched when something changes, one stop for Tab and arrows within.

import { icon, make, whenIdle } from "/ui/elements.js";
import { words } from "/ui/words.js";
import { isEnded } from "/wallet-cards.js";
import { badge, face, validity } from "/wallet-face.js";

/// How many cards are drawn before the first paint: what a usual screen shows.
const atOnce = 24;
/// How many come at a time when the page has nothing else to do.
const aPart = 32;
/// How long they wait for that at most, in milliseconds.
const patience = 500;
/// How long they wait at most for the pictures in sight, in milliseconds: over a poor network those need it alone.
const patienceWithPictures = 4000;

export const grid = () => {
  const element = make("ul", { className: "wallet cards", id: "cards", ariaLabel: words("cards") });
  const tiles = new Map();
  /// Counts the lists, so that a part comes for the newest alone.
  let turn = 0;

  const tile = (card, place) => {
    const signature = JSON.stringify([card.name, card.front, card.headerColor, card.barcodeType, card.isStarred, card.isArchived, card.validFrom, card.expiry]);
    const known = tiles.get(card.id);
    if (known?.signature === signature) return known.item;
    const link = make("a", { href: `#/till/${card.id}`, tabIndex: -1 }, face(card, { small: true, lazy: place > 8 }),
      make("span", { className: "tile-name" },
        card.isStarred && icon("star-on"), card.isStarred && make("span", { className: "visually-hidden", textContent: words("favourite") }),
        make("span", { className: "name" }, make("bdi", { textContent: card.name }))));
    const near = validity(card);
    if (near) link.append(badge(near));
    if (card.isArchived) link.append(badge({ text: words("archived"), kind: "" }));
    // What is there already stays where it is, with the keyboard's focus.
    const item = known?.item ?? make("li", { data: { id: card.id } });
    const hadFocus = item.contains(document.activeElement);
    item.className = isEnded(card) ? "ended" : "";
    item.replaceChildren(link);
    if (hadFocus) link.focus();
    tiles.set(card.id, { signature, item });
    return item;
  };

  const put = (list, from, to) => {
    for (let place = from; place < to; place += 1) {
      const item = tile(list[place], place);
      if (element.children[place] !== item) element.insertBefore(item, element.children[place] ?? null);
    }
  };

  /// The pictures in sight are there, or can't be had; or somebody scrolls, or has waited long enough.
  const picturesInSight = () => {
    const isAwaited = (image) => !image.complete && image.getBoundingClientRect().top < innerHeight;
    const ended = (image) => new Promise((resolve) => {
      for (const name of ["load", "error"]) image.addEventListener(name, resolve, { once: true });
    });
    return Promise.race([
      Promise.all([...element.querySelectorAll("img")].filter(isAwaited).map(ended)),
      new Promise((resolve) => addEventListener("scroll", resolve, { once: true, passive: true })),
      new Promise((resolve) => setTimeout(resolve, patienceWithPictures)),
    ]);
  };

  /// What is far below the screen comes part by part: browsers load pictures of lines that are near.
  const putLater = (list, from, mine) => whenIdle(() => {
    if (mine !== turn) return;
    const to = Math.min(from + aPart, list.length);
    put(list, from, to);
    if (to < list.length) putLater(list, to, mine);
  }, patience);

  /// Shows cards in an order; as many at once as there are already, or fill a screen.
  const show = (list) => {
    turn += 1;
    const ids = new Set(list.map(({ id }) => id));
    for (const item of [...element.children]) if (!ids.has(item.dataset.id)) item.remove();
    const first = Math.min(Math.max(atOnce, element.children.length), list.length);
    put(list, 0, first);
    if (first < list.length) {
      const mine = turn;
      picturesInSight().then(() => putLater(list, first, mine));
    }
    stop();
  };

  const links = () => [...element.querySelectorAll("li > a")];

  /// One card is a stop for Tab.
  const stop = () => {
    if (element.querySelector('li > a[tabindex="0"]')) return;
    const first = element.querySelector("li > a");
    if (first) first.tabIndex = 0;
  };

  element.addEventListener("focusin", (event) => {
    const link = event.target.closest("li > a");
    for (const other of element.querySelectorAll('li > a[tabindex="0"]')) if (other !== link) other.tabIndex = -1;
    if (link) link.tabIndex = 0;
  });
  element.addEventListener("keydown", (event) => {
    const all = links();
    const at = all.indexOf(event.target.closest("li > a"));
    if (at < 0) return;
    const top = all[0].getBoundingClientRect().top;
    const across = Math.max(1, all.findIndex((link) => Math.abs(link.getBoundingClientRect().top - top) > 2)) || all.length;
    const forward = getComputedStyle(element).direction === "rtl" ? -1 : 1;
    const step = { ArrowRight: forward, ArrowLeft: -forward, ArrowDown: across, ArrowUp: -across, Home: -at, End: all.length - 1 - at }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    all[Math.min(all.length - 1, Math.max(0, at + step))].focus();
  });
  return { element, show };
};
