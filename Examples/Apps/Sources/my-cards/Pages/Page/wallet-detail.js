// A card: what is known of it, and what can be done with it.

import { button, icon, iconButton, make } from "/ui/elements.js";
import { ask } from "/ui/requests.js";
import { language, momentWords, told, words } from "/ui/words.js";
import { cards, isOffline, refreshCards, watchCards } from "/wallet-cards.js";
import { change, copy, deleteCard, setArchived, setStar } from "/wallet-changes.js";
import { conflict, lostCard } from "/wallet-conflict.js";
import { menu } from "/wallet-dialogs.js";
import { badge, balanceWords, dayOf, drawnFace, face, photo, spaced, validity } from "/wallet-face.js";
import { askForPhoto } from "/wallet-photos.js";
import { showSync, syncNow, syncReport } from "/wallet-sync.js";

export const detail = (id) => {
  const star = iconButton("star", words("makeFavourite"), () => setStar(card));
  const edit = make("a", { className: "button plain", href: `#/edit/${id}`, textContent: words("edit") });
  const more = iconButton("more", words("more"), () => showMenu(), { ariaHasPopup: "menu" });
  const tools = make("div", { className: "row" }, star, edit, more);
  const bar = make("header", { className: "bar" },
    make("a", { className: "icon-button", href: "#/", ariaLabel: words("cards") }, icon("back", "turns")), make("span", { className: "bar-title" }), tools);
  const body = make("main", { className: "page", tabIndex: -1 });
  const element = make("div", { className: "view" }, bar, body);
  let card = null;
  let drawn = "";

  const refresh = () => {
    const { cards: all, isLoaded, problem } = cards();
    card = all.get(id) ?? null;
    const reason = syncReport().problems.find((each) => each.card.toLowerCase() === id)?.reason;
    const refusal = reason && told(reason);
    const key = JSON.stringify([card && { ...card, lastUsed: "" }, isLoaded, problem?.message, refusal, isOffline()]);
    if (key === drawn) return;
    drawn = key;
    tools.hidden = !card;
    if (!card) body.replaceChildren(isLoaded ? gone() : problem ? make("p", { className: "error", textContent: problem.message }) : bones());
    else show(refusal);
  };

  const show = (refusal) => {
    const isFavourite = card.isStarred;
    star.setAttribute("aria-pressed", String(isFavourite));
    star.replaceChildren(icon(isFavourite ? "star-on" : "star"));
    Object.assign(star, { ariaLabel: words("favouriteName"), title: words("favouriteName") });
    body.replaceChildren(...[
      card.kept && conflict(card, done),
      refusal && banner("danger", "warning", words("onlyHere"), words("onlyHereWhy", { reason: refusal }),
        button(words("sendNow"), () => syncNow(id), { kind: "plain" })),
      isOffline() && banner("", "cloud-off", words("offline"), words("offlineCard")),
      make("div", { className: "detail" }, hero(), make("div", { className: "stack" }, facts(), photos())),
    ].filter(Boolean));
  };

  const banner = (kind, name, title, text, ...actions) => make("div", { className: `banner ${kind} before-detail`.trim(), role: "status" },
    icon(name), make("p", {}, make("strong", { textContent: title }), text), actions.length > 0 && make("div", { className: "row" }, ...actions));

  const hero = () => {
    const near = validity(card);
    return make("div", { className: "hero" }, face(card, { lazy: false }),
      make("h1", { className: "hero-name" }, make("bdi", { textContent: card.name })),
      (near || card.isArchived) && make("p", { className: "row" }, near && badge(near), card.isArchived && badge({ text: words("archived"), kind: "" })),
      make("a", { className: "button primary large wide", href: `#/till/${id}` }, icon("barcode"), make("span", { textContent: words("showAtTill") })));
  };

  const facts = () => {
    const row = (name, value, act, ...classes) => value && make("div", {}, make("dt", { textContent: words(name) }),
      make("dd", { className: classes.join(" ") }, value), act && make("dd", { className: "do" }, act));
    const valid = [card.validFrom && words("from", { day: dayOf(card.validFrom) }), card.expiry && words("until", { day: dayOf(card.expiry) })].filter(Boolean);
    const rows = [
      row("number", card.cardId && make("bdi", { dir: "ltr", textContent: spaced(card.cardId, card.barcodeType) }),
        iconButton("copy", words("copyNumber"), () => copy(card.cardId)), "figures"),
      row("codeSays", card.barcodeId && make("bdi", { dir: "ltr", textContent: card.barcodeId }), null, "figures"),
      row("balance", card.balance && make("bdi", { textContent: balanceWords(card, language) }),
        !isOffline() && button(words("change"), async () => (await import("/wallet-balance.js")).changeBalance(card), { kind: "plain", ariaLabel: words("changeBalance") }), "figures"),
      row("valid", valid.length > 0 && valid.join(" · ")),
      row("groups", card.groups.length > 0 && make("bdi", { textContent: card.groups.join(", ") })),
      row("note", card.note && make("bdi", { textContent: card.note }), null, "lines"),
    ].filter(Boolean);
    return rows.length > 0 && make("dl", { className: "rows facts-rows" }, ...rows);
  };

  const photos = () => {
    const slots = ["front", "back"].map((side) => {
      if (!card[side]) {
        return button(words(`add.${side}`), async () => addPhoto(side), { kind: "slot", icon: "camera" });
      }
      const picture = photo(card[side], { alt: "", small: true });
      picture.addEventListener("error", () => picture.replaceWith(drawnFace(card)), { once: true });
      const open = make("button", { type: "button", className: "slot done", ariaLabel: words(`whole.${side}`), data: { side } }, picture);
      open.addEventListener("click", () => whole(side));
      return open;
    });
    for (const slot of slots) slot.classList.remove("button");
    return make("section", { ariaLabel: words("photos") }, make("h2", { className: "section-title", textContent: words("photos") }),
      make("div", { className: "photo-slots" }, ...slots));
  };

  const addPhoto = async (side) => {
    const { picture, original } = await askForPhoto();
    if (picture) await change(id, { [side]: { picture, original } }, { [side]: undefined });
  };

  const whole = (side) => {
    const close = iconButton("close", words("close"), () => viewer.close(), { kind: "glass" });
    const viewer = make("dialog", { className: "full whole", ariaLabel: words(`${side}Of`, { name: card.name }) },
      make("img", { src: `/pictures/${card[side]}`, alt: words(`${side}Of`, { name: card.name }) }), close);
    viewer.addEventListener("click", (event) => { if (event.target === viewer) viewer.close(); });
    viewer.addEventListener("close", () => viewer.remove());
    element.append(viewer);
    viewer.showModal();
  };

  const done = async () => {
    await refreshCards();
  };

  const gone = () => {
    const why = make("p", { textContent: words("cardGoneWhy") });
    // Told as far as it is known, and nothing else where that can't be asked.
    if (!isOffline()) deletion(id).then((text) => { why.textContent = text; }).catch(() => {});
    return make("section", { className: "empty" }, icon("trash", "big"), make("h1", { className: "visually-hidden", textContent: words("card") }),
      make("h2", { textContent: words("cardGone") }), why, make("div", { className: "row" },
        make("a", { className: "button", href: "#/deleted", textContent: words("recentlyDeleted") }),
        make("a", { className: "button plain", href: "#/", textContent: words("allCards") })));
  };

  const bones = () => make("div", { className: "detail", role: "status", ariaLabel: words("loadingCard") },
    make("h1", { className: "visually-hidden", textContent: words("card") }),
    make("div", { className: "hero", ariaHidden: "true" }, make("span", { className: "face bone" }), make("span", { className: "bone line" })));

  const showMenu = () => menu([
    ...(navigator.share ? [["share", words("shareCard"), () => navigator.share({ title: card.name, text: `${card.name}: ${card.cardId}` })]] : []),
    ["archive", words(card.isArchived ? "unarchive" : "archiveIt"), () => setArchived(card)], null,
    ["trash", words("delete"), () => deleteCard(card), "danger"],
  ], { button: more });

  const stops = [watchCards(refresh), showSync(refresh)];
  return { element, refresh, close: () => stops.forEach((stop) => stop()), title: () => card?.name ?? words("card") };
};

/// Where and when a card was deleted, in words.
const deletion = async (id) => {
  const { wallet, date } = await ask(`cards/${id}/deletion`);
  if (date) return words("goneHere", { when: momentWords(new Date(date)) });
  if (wallet === cards().wallet) return words("goneHereOnce");
  const { devices = [] } = await ask("devices").catch(() => ({}));
  const device = devices.find(({ client }) => client === wallet)?.name;
  return device ? words("goneOn", { device }) : words("goneElsewhere");
};

/// A card that was changed here and deleted on another device.
export const lost = (id) => {
  const body = make("main", { className: "page narrow", tabIndex: -1 });
  const element = make("div", { className: "view" }, make("header", { className: "bar narrow-bar" },
    make("a", { className: "icon-button", href: "#/", ariaLabel: words("cards") }, icon("back", "turns")),
    make("h1", { textContent: words("card") }), make("span")), body);
  const refresh = () => {
    const copy = cards().lost.find((each) => each.id === id);
    if (!copy && cards().isLoaded) location.hash = "#/";
    if (copy && !body.firstChild) body.replaceChildren(lostCard(copy));
  };
  return { element, refresh, close: watchCards(refresh), title: () => words("card") };
};
