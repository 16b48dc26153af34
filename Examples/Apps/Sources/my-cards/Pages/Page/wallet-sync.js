// How the cards here and on other devices stand: an icon, a sheet, and one banner, the most urgent one.

import { button, childrenOf, icon, iconButton, make } from "/ui/elements.js";
import { follow } from "/ui/events.js";
import { ask, send } from "/ui/requests.js";
import { toast } from "/ui/toast.js";
import { momentWords, told, words } from "/ui/words.js";
import { cards, isOffline } from "/wallet-cards.js";
import { sheet } from "/wallet-dialogs.js";
import { importCards, importTitle, stopImport } from "/wallet-exchange.js";

let report = { state: "alone", waiting: 0, problems: [] };
const listeners = new Set();

const hear = (news) => {
  // There is none yet right after the program's start.
  report = news ?? report;
  for (const listener of listeners) listener(report);
};

export const beginSync = () => follow("sync", hear);

/// Hears of the state whenever it changes.
export const showSync = (listener) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const syncReport = () => report;

/// The state in a word, and what it means.
export const syncWords = () => {
  const { state, done, count, waiting, photos, lastSuccess, server, isReadOnly, reason, problems, missingPhotos, unreadable } = report;
  const all = { cards: cards().cards.size, waiting };
  const waits = waiting ? words("changesWait", { count: waiting }) : "";
  const join = (...parts) => parts.filter(Boolean).join(" ");
  if (isOffline()) return { icon: "cloud-off", title: words("offline"), text: words("programAway") };
  const checked = lastSuccess ? words("lastChecked", { when: momentWords(new Date(lastSuccess)) }) : "";
  const left = join(missingPhotos ? words("photosToCome", { count: missingPhotos }) : "",
    problems.length ? words("notTaken", { count: problems.length, reason: told(problems[0].reason) }) : "",
    unreadable ? words("unreadable", { count: unreadable }) : "");
  switch (state) {
    case "alone": return { icon: "device", title: words("alone"), text: words("aloneWhy") };
    case "new": return { icon: "cloud", title: words("notSynced"), text: words("notSyncedWhy") };
    case "syncing": return { icon: "cloud", title: words("syncing"), text: count ? words("syncingCount", { done, all: count }) : checked };
    case "portal": return { icon: "lock", title: words("portal"), text: join(words("portalWhy"), waits) };
    case "waiting": return { ...inTheWay(reason?.code), text: join(words("allHere"), waits, reason && told(reason)) };
    case "refused": return { icon: "warning", title: words("refused"), text: join(reason && told(reason), waits) };
    default: return {
      icon: left ? "warning" : "cloud-ok", title: words(isReadOnly ? "readOnly" : "synced"),
      text: join(isReadOnly ? words("readOnlyWhy", { server }) : join(waits || words("allThere", { count: all.cards }), photos ? words("photosThere", { count: photos }) : ""), left, checked),
    };
  }
};

/// A server may be away, or answer and take nothing.
const inTheWay = (code) => {
  if (!code || ["serverAway", "serverSlow"].includes(code)) return { icon: "cloud-off", title: words("serverAway") };
  return { icon: "warning", title: words(code.startsWith("serverFull") ? "serverIsFull" : "refused") };
};

/// Exchanges now, and tells what came of it: for a card first of all what came of that one.
export const syncNow = async (card) => {
  hear(await send("POST", "sync"));
  const { problems, isReadOnly } = report;
  const own = problems.filter((each) => each.card.toLowerCase() === card);
  const [first] = [...own, ...problems];
  toast(first ? words("notTaken", { count: own.length ? 1 : problems.length, reason: told(first.reason) }) : words(isReadOnly ? "isChecked" : "allSent"));
};

/// The icon in the list's head, which opens the sheet.
export const syncButton = () => {
  const element = iconButton("cloud", words("sync"), () => openSheet());
  const refresh = () => {
    const { icon: name, title } = syncWords();
    if (element.dataset.state === name + title) return;
    element.dataset.state = name + title;
    element.replaceChildren(icon(name));
    Object.assign(element, { ariaLabel: title, title });
  };
  refresh();
  return { element, refresh };
};

const openSheet = () => {
  const { title, text } = syncWords();
  const words_ = make("p", { className: "quiet", textContent: text });
  const devices = make("ul", { className: "rows" });
  const isShared = report.state !== "alone" && !isOffline();
  sheet(title, words_, devices,
    isShared ? button(words("syncNow"), () => syncNow(), { kind: "wide", icon: "sync" })
      : !isOffline() && make("a", { className: "button wide", href: "#/devices", textContent: words("shareCards") }));
  if (isShared) {
    ask("devices").then(({ devices: list }) => deviceRows(devices)(list)).catch(() => devices.remove());
  }
};

/// Shows devices in a list, and when each was here; `action` is what can be done with one.
export const deviceRows = (list, action = () => null) => childrenOf(list, ({ id }) => id, (device) => {
  const when = make("span", { className: "caption quiet" });
  const element = make("li", { className: "item" }, icon(device.isThis ? "device" : "tablet"),
    make("span", { className: "grow" }, make("bdi", { textContent: device.name }), when), action(device));
  const show = ({ isThis, seen }) => {
    when.textContent = isThis ? words("thisDevice") : seen ? words("lastSeen", { when: momentWords(new Date(seen)) }) : words("neverSeen");
  };
  return { element, show };
});

/// The most urgent thing to know above the cards, if there is any.
export const banner = () => {
  const element = make("div", { className: "banner-place", role: "status" });
  const refresh = () => {
    const news = mostUrgent();
    const key = JSON.stringify(news ? [news.kind, news.title, news.text] : "");
    if (element.dataset.key === key) return;
    element.dataset.key = key;
    element.replaceChildren(...(news ? [make("div", { className: `banner ${news.kind}`.trim() }, icon(news.icon),
      make("p", {}, make("strong", { textContent: news.title }), news.text),
      news.action && make("div", { className: "row" }, ...news.action))] : []));
  };
  refresh();
  return { element, refresh };
};

const mostUrgent = () => {
  const { cards: all, lost, kept, connection, isLoaded, isRefused } = cards();
  if (isLoaded && (isRefused || connection === "refused")) {
    return { kind: "warn", icon: "lock", title: words("unknownHere"), text: words("unknownHereWhy"),
      action: [make("a", { className: "button plain", href: "#/settings", textContent: words("settings") })] };
  }
  if (isLoaded && isOffline()) {
    const text = kept ? words("offlineKept", { when: momentWords(new Date(kept)) }) : words("programAway");
    return { kind: "", icon: "cloud-off", title: words("offline"), text };
  }
  if (importTitle()) {
    return { kind: "", icon: "save", title: importTitle(), text: words("importComes"),
      action: [button(words("stop"), stopImport, { kind: "plain" }), button(words("show"), importCards, { kind: "plain" })] };
  }
  if (report.state === "portal") {
    return { kind: "warn", icon: "lock", title: words("portal"), text: syncWords().text,
      action: [make("a", { className: "button plain", href: report.server, target: "_blank", rel: "noopener noreferrer", textContent: words("openPortal") })] };
  }
  if (lost.length) {
    return { kind: "danger", icon: "trash", title: words("deletedElsewhereNamed", { name: lost[0].name }), text: words("deletedElsewhereWhy"),
      action: [make("a", { className: "button plain", href: `#/lost/${lost[0].id}`, textContent: words("look") })] };
  }
  const differing = [...all.values()].find((card) => card.kept);
  if (differing) {
    return { kind: "warn", icon: "warning", title: words("differs", { name: differing.name }), text: words("differsWhy", { field: words(`field.${differing.kept[0].field}`) }),
      action: [make("a", { className: "button plain", href: `#/card/${differing.id}`, textContent: words("chooseOne") })] };
  }
  if (["waiting", "refused"].includes(report.state)) {
    const { icon: name, title, text } = syncWords();
    return { kind: report.state === "refused" ? "danger" : "", icon: name, title, text };
  }
  if (report.isReadOnly && report.state !== "new") return { kind: "", icon: "cloud", title: words("readOnly"), text: words("readOnlyWhy", { server: report.server }) };
  return null;
};
