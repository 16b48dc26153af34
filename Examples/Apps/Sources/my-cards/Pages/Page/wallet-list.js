// The list: search, groups, order and the cards.

import { attempt, button, icon, iconButton, make } from "/ui/elements.js";
import { words } from "/ui/words.js";
import { cards, groupsOf, matches, refreshCards, sorted, watchCards } from "/wallet-cards.js";
import { deleteCard, setArchived, setStar } from "/wallet-changes.js";
import { choice, choose } from "/wallet-choices.js";
import { menu, sheet } from "/wallet-dialogs.js";
import { exportCards, importCards, watchImport } from "/wallet-exchange.js";
import { grid } from "/wallet-grid.js";
import { chooseGroup, mostUsed } from "/wallet-groups.js";
import { onMenu } from "/wallet-press.js";
import { banner, showSync, syncButton } from "/wallet-sync.js";

/// Skeletons come where the cards take longer than this.
const patience = 300;

export const list = ({ isArchive = false } = {}) => {
  let group = null;
  const search = make("input", {
    className: "input", type: "search", placeholder: words("searchHint"), ariaLabel: words("searchCards"), autocomplete: "off",
  });
  const sync = syncButton();
  const more = iconButton("more", words("more"), () => showMenu(), { ariaHasPopup: "menu" });
  const title = make("h1", { textContent: words(isArchive ? "archive" : "cards") });
  const head = make("header", { className: "head" },
    isArchive && make("a", { className: "icon-button", href: "#/", ariaLabel: words("cards") }, icon("back", "turns")),
    title, make("search", { className: "search" }, icon("search"), search), sync.element, more);
  const news = banner();
  const chips = make("div", { className: "chips scrolls", role: "group", ariaLabel: words("groups") });
  const count = make("span", { role: "status" });
  const order = button("", () => chooseOrder(), { kind: "plain", icon: "sort" });
  order.append(make("span"));
  const filters = make("div", { className: "filters", hidden: true }, chips, make("div", { className: "list-head" }, count, order));
  const body = grid();
  const bones = make("div", { className: "wallet", role: "status", ariaLabel: words("loadingCards"), hidden: true },
    ...Array.from({ length: 8 }, () => make("div", { className: "stack tight", ariaHidden: "true" },
      make("span", { className: "face bone" }), make("span", { className: "bone line" }))));
  const nothing = make("div");
  const add = make("a", { className: "button primary fab", href: "#/new" }, icon("plus"), make("span", { textContent: words("addCard") }));
  const element = make("main", { className: "page with-fab stack", tabIndex: -1 }, head, news.element, filters, bones, body.element, nothing, !isArchive && add);
  const bonesTimer = setTimeout(() => { if (!cards().isLoaded && !cards().problem) bones.hidden = false; }, patience);

  const refresh = () => {
    const { cards: all, isLoaded, problem } = cards();
    if (!isLoaded && !problem) return;
    clearTimeout(bonesTimer);
    bones.hidden = true;
    const own = [...all.values()].filter((card) => card.isArchived === isArchive);
    const groups = isArchive ? [] : groupsOf(own);
    if (!groups.some(({ name }) => name === group)) group = null;
    const text = search.value.trim();
    // A search looks through the archive as well.
    const found = text ? [...all.values()].filter((card) => matches(card, text) && (!group || card.groups.includes(group)))
      : own.filter((card) => !group || card.groups.includes(group));
    const settings = { order: choice("order"), starsFirst: choice("starsFirst") };
    body.show(sorted(found, settings));
    showGroups(groups, own.length);
    order.lastElementChild.textContent = words(`order.${settings.order}`);
    const hasNone = isLoaded && own.length === 0 && !text;
    count.textContent = text ? words("cardsWith", { count: found.length, text }) : group ? words("cardsIn", { count: found.length, group })
      : words("cardCount", { count: found.length });
    filters.hidden = hasNone || !isLoaded || (text && found.length === 0);
    head.querySelector(".search").hidden = hasNone && !isArchive || !isLoaded;
    body.element.hidden = found.length === 0;
    add.hidden = hasNone || !isLoaded;
    document.body.classList.toggle("above-fab", !add.hidden && !isArchive);
    showNothing({ problem, isLoaded, hasNone, text, found });
    news.refresh();
    sync.refresh();
  };

  const showGroups = (groups, all) => {
    chips.hidden = groups.length === 0;
    const atHand = mostUsed(groups, group ? [group] : []);
    const wanted = JSON.stringify([atHand, all, groups.length]);
    if (chips.dataset.wanted !== wanted) {
      chips.dataset.wanted = wanted;
      const focused = chips.querySelector(":focus")?.dataset.group;
      chips.replaceChildren(chip(null, words("all"), all), ...atHand.map(({ name, count: number }) => chip(name, name, number)),
        ...(atHand.length < groups.length ? [moreGroups(groups)] : []));
      if (focused !== undefined) [...chips.children].find(({ dataset }) => dataset.group === focused)?.focus();
    }
    for (const each of chips.querySelectorAll("[data-group]")) each.setAttribute("aria-pressed", String(each.dataset.group === (group ?? "")));
  };

  const moreGroups = (groups) => {
    const element = button(words("moreGroups"), () => chooseGroup(groups, (name) => {
      group = name;
      refresh();
    }), { icon: "more" });
    element.className = "chip";
    return element;
  };

  const chip = (name, text, number) => {
    const element = make("button", { type: "button", className: "chip", data: { group: name ?? "" } },
      make("bdi", { textContent: text }), make("span", { className: "count", textContent: number }));
    element.addEventListener("click", () => {
      group = group === name ? null : name;
      refresh();
    });
    return element;
  };

  const showNothing = ({ problem, isLoaded, hasNone, text, found }) => {
    const key = !isLoaded ? `error ${problem?.message}` : hasNone ? "empty" : text && found.length === 0 ? `none ${text}` : "";
    if (nothing.dataset.key === key) return;
    nothing.dataset.key = key;
    const empty = (name, heading, why, ...actions) => make("section", { className: "empty" }, icon(name, "big"),
      make("h2", { textContent: heading }), make("p", { textContent: why }), make("div", { className: "row" }, ...actions));
    nothing.replaceChildren(...(key === "" ? []
      : !isLoaded ? [empty("warning", words("cantOpen"), problem.message, button(words("retry"), () => refreshCards(), { kind: "primary", icon: "sync" }))]
      : hasNone && isArchive ? [empty("archive", words("archiveEmpty"), words("archiveEmptyWhy"))]
      : hasNone ? [empty("card", words("noCards"), words("noCardsWhy"),
        make("a", { className: "button primary large", href: "#/new" }, icon("plus"), make("span", { textContent: words("addFirst") })),
        button(words("importCatima"), importCards, { kind: "plain" }))]
      : [empty("search", words("noneWith", { text }), words("noneWhy"),
        button(words("clearSearch"), () => {
          search.value = "";
          refresh();
          search.focus();
        }),
        make("a", { className: "button plain", href: `#/new/${encodeURIComponent(text)}`, textContent: words("addNamed", { text }) }))]));
  };

  const chooseOrder = () => {
    const orders = ["used", "name", "expiry"].map((name) => {
      const input = make("input", { type: "radio", name: "order", checked: choice("order") === name });
      input.addEventListener("change", () => {
        choose("order", name);
        refresh();
      });
      return make("div", {}, make("label", { className: "item" }, make("span", { className: "grow", textContent: words(`order.${name}`) }), input));
    });
    const stars = make("input", { className: "switch", type: "checkbox", role: "switch", checked: choice("starsFirst") });
    stars.addEventListener("change", () => {
      choose("starsFirst", stars.checked);
      refresh();
    });
    sheet(words("sortBy"), make("fieldset", { className: "rows" }, make("legend", { className: "visually-hidden", textContent: words("order") }), ...orders),
      make("div", { className: "rows" }, make("label", { className: "item" }, make("span", { className: "grow", textContent: words("starsFirst") }), stars)));
  };

  const go = (place) => () => { location.hash = place; };
  const showMenu = () => menu([
    ["sort", words("sortBy"), chooseOrder], ["archive", words("archive"), go("#/archive")], ["trash", words("recentlyDeleted"), go("#/deleted")], null,
    ["save", words("importCards"), importCards], ["share", words("exportCards"), exportCards], null,
    ["settings", words("settings"), go("#/settings")],
  ], { button: more });

  search.addEventListener("input", refresh);
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !search.value) return;
    search.value = "";
    refresh();
  });
  const stopMenu = onMenu(body.element, (target, point, isHeld) => {
    const card = cards().cards.get(target.closest("li")?.dataset.id);
    if (!card) return false;
    menu([
      ["info", words("aboutCard"), go(`#/card/${card.id}`)],
      [card.isStarred ? "star" : "star-on", words(card.isStarred ? "noFavourite" : "makeFavourite"), () => setStar(card)],
      ["archive", words(card.isArchived ? "unarchive" : "archiveIt"), () => setArchived(card)], null,
      ["trash", words("delete"), () => deleteCard(card), "danger"],
    ], { point, isHeld });
    return true;
  });

  const stopCards = watchCards(() => attempt(refresh));
  const stopSync = showSync(() => attempt(refresh));
  const stopImports = watchImport(() => attempt(refresh));
  const close = () => {
    stopCards();
    stopSync();
    stopImports();
    stopMenu();
    clearTimeout(bonesTimer);
    document.body.classList.remove("above-fab");
  };
  return { element, refresh, close, search, title: () => words(isArchive ? "archive" : "cards") };
};
