// Shows the list, a card, the till or a form, by the part of the address behind "#": links lead into the page, and Back works.

import { attempt } from "/ui/elements.js";
import "/wallet-words.js";
import { language, words } from "/ui/words.js";
import { beginCards } from "/wallet-cards.js";
import { beginExchange } from "/wallet-exchange.js";
import { beginKept } from "/wallet-kept.js";
import { beginKeys } from "/wallet-keys.js";
import { list } from "/wallet-list.js";
import { beginPhotos } from "/wallet-photos.js";
import { beginSync } from "/wallet-sync.js";

const place = document.getElementById("view");
const skip = document.querySelector(".skip");
skip.textContent = words("toCards");
// What it is called where it is installed.
if (language === "de") document.querySelector("link[rel=manifest]").href = "/wallet-de.webmanifest";
let shown = null;
let shownAddress = "";
/// The list stays as it is behind what is shown over it, with its search and where it was scrolled to.
let home = null;
let homeScroll = 0;
let dialog = null;

/// The view for an address. What the first page doesn't need is loaded when it is.
const open = async (address) => {
  const [, name, id] = address.split("/").map(decodeURIComponent);
  switch (name) {
    case "card": return (await import("/wallet-detail.js")).detail(id);
    case "lost": return (await import("/wallet-detail.js")).lost(id);
    case "edit": return (await import("/wallet-editor.js")).editor(id);
    case "new": return (await import("/wallet-editor.js")).editor(undefined, id);
    case "devices": return (await import("/wallet-devices.js")).devices();
    case "deleted": return (await import("/wallet-deleted.js")).deleted();
    case "settings": return (await import("/wallet-settings.js")).settings();
    case "archive": return list({ isArchive: true });
    default: return home ??= list();
  }
};

const isTill = (address) => address.startsWith("#/till/");
let turn = 0;

const show = async () => {
  turn += 1;
  const mine = turn;
  const address = location.hash || "#/";
  for (const menu of document.querySelectorAll("[popover]:popover-open")) menu.hidePopover();
  for (const sheet of document.querySelectorAll("viewfinder-sheet[open], dialog.dialog[open]")) sheet.close();
  if (isTill(address)) {
    if (!shown) await showPage("#/", mine);
    const { till } = await import("/wallet-till.js");
    if (mine !== turn) return;
    dialog?.close();
    dialog = till(decodeURIComponent(address.split("/")[2]), leaveTill);
    document.body.append(dialog.element);
    dialog.element.showModal();
    document.title = dialog.title() || words("cards");
    return;
  }

  dialog?.close();
  dialog = null;
  if (shownAddress !== address) await showPage(address, mine);
  else document.title = shown.title();

};

const showPage = async (address, mine) => {
  const next = await open(address);
  if (mine !== turn) {
    if (next !== home) next.close?.();
    return;
  }
  const swap = () => {
    if (shown === home) homeScroll = scrollY;
    else shown?.close?.();
    shown = next;
    shownAddress = address;
    place.replaceChildren(next.element);
    scrollTo(0, next === home ? homeScroll : 0);
    document.body.classList.toggle("above-fab", next === home);
  };
  const isFirst = !shown;
  if (isFirst || !document.startViewTransition || matchMedia("(prefers-reduced-motion: reduce)").matches) swap();
  else {
    const transition = document.startViewTransition(swap);
    // A window that changes its size ends the animation; the view is swapped all the same.
    transition.ready.catch(() => {});
    await transition.updateCallbackDone;
  }
  await next.refresh();
  document.title = next.title();
  if (!isFirst && !next.element.contains(document.activeElement)) (next.element.matches("main") ? next.element : next.element.querySelector("main"))?.focus({ preventScroll: true });
};

/// Back to where the till was opened from; to the list where it was the first page.
const leaveTill = () => {
  if (history.state?.isInside) history.back();
  else location.replace("#/");
};

let before = location.hash;
addEventListener("hashchange", () => {
  // A till that was opened from within is left by going back.
  if (isTill(location.hash) && !isTill(before)) history.replaceState({ isInside: true }, "");
  before = location.hash;
  attempt(show);
});
skip.addEventListener("click", (event) => {
  event.preventDefault();
  (document.getElementById("cards") ?? place.querySelector("main"))?.querySelector("a, button")?.focus();
});

beginSync();
beginPhotos();
beginExchange();
const cards = beginCards();
beginKeys(() => {
  if (shown !== home) location.hash = "#/";
  return home?.search;
});
attempt(show);
// What isn't needed for the first page comes after it.
cards.then(() => beginKept());
// Without the program there is no camera either.
for (const part of ["/ui/live.js", "/ui/picker.js"]) import(part).catch(() => {});
