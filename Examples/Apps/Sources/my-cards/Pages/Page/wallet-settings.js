// Settings: sync, the till, what this browser keeps, the language.

import { attempt, button, icon, make } from "/ui/elements.js";
import { chooseLanguage, language, languages, momentWords, words } from "/ui/words.js";
import { cards, watchCards } from "/wallet-cards.js";
import { choice, choose } from "/wallet-choices.js";
import { question } from "/wallet-dialogs.js";
import { clearKept, keptReport, watchKept } from "/wallet-kept.js";
import { showSync, syncNow, syncReport, syncWords } from "/wallet-sync.js";

/// Why the browser doesn't keep the screen on, where it doesn't.
const awakeReason = () => navigator.wakeLock ? null : words(isSecureContext ? "awakeUnknown" : "awakeNever");

export const settings = () => {
  const sync = make("ul", { className: "rows" });
  const kept = make("ul", { className: "rows" });
  const toggle = (name, text, reason) => {
    const input = make("input", { className: "switch", type: "checkbox", role: "switch", checked: choice(name) });
    input.addEventListener("change", () => choose(name, input.checked));
    return make("li", {}, make("label", { className: "item" },
      make("span", { className: "grow" }, text, reason && make("span", { className: "caption quiet", textContent: reason })), input));
  };
  const tongue = make("select", { className: "input language", id: "language" },
    ...Object.entries(languages).map(([value, textContent]) => make("option", { value, textContent, selected: value === language })));
  tongue.addEventListener("change", () => attempt(() => chooseLanguage(tongue.value)));
  const title = (code) => make("h2", { className: "section-title", textContent: words(code) });
  const element = make("div", { className: "view" }, make("header", { className: "bar narrow-bar" },
    make("a", { className: "icon-button", href: "#/", ariaLabel: words("cards") }, icon("back", "turns")), make("h1", { textContent: words("settings") }), make("span")),
  make("main", { className: "page narrow", tabIndex: -1 }, title("sync"), sync, title("atTill"),
    make("ul", { className: "rows" }, toggle("awake", words("keepAwake"), awakeReason()), toggle("hints", words("remindBrightness"))),
    title("inBrowser"), kept, title("language"),
    make("div", { className: "rows" }, make("div", { className: "item" }, make("label", { className: "grow", for: "language", textContent: words("language") }), tongue))));

  const showState = () => {
    const { icon: name, title: state, text } = syncWords();
    const isShared = syncReport().state !== "alone";
    const key = JSON.stringify([name, state, text, isShared]);
    if (sync.dataset.key === key) return;
    sync.dataset.key = key;
    sync.replaceChildren(
      make("li", { className: "item" }, icon(name), make("span", { className: "grow" }, state, make("span", { className: "caption quiet", textContent: text })),
        isShared && button(words("syncNow"), () => syncNow())),
      make("li", {}, make("a", { className: "item", href: "#/devices" }, icon("tablet"), make("span", { className: "grow", textContent: words("devices") }), icon("forward", "turns"))));
  };

  const showKept = async () => {
    const report = await keptReport();
    const { isRefused, connection } = cards();
    const size = new Intl.NumberFormat(language, { style: "unit", unit: "megabyte", maximumFractionDigits: 1 }).format(report.bytes / 1e6);
    const isUnknown = isRefused || connection === "refused";
    const text = !report.isPossible ? words("keptNever")
      : report.cards === 0 ? words(report.isCleared ? "keptCleared" : "keptNothing")
      : [words("keptCount", { cards: words("cardCount", { count: report.cards }), photos: words("photoCount", { count: report.photos }), size }),
        words("keptWhen", { when: momentWords(new Date(report.date)) }), report.left ? words("keptLeft", { count: report.left, size: Math.round(report.budget / 1e6) }) : "",
        words("keptSeen")].filter(Boolean).join(" ");
    kept.replaceChildren(
      make("li", { className: "item" }, icon(isUnknown ? "lock" : "save"), make("span", { className: "grow" },
        words(isUnknown && report.cards ? "keptUnknown" : report.isPossible ? "keptTitle" : "keptNeverTitle"), make("span", { className: "caption quiet", textContent: isUnknown && report.cards ? words("keptUnknownWhy", { count: report.cards, size }) : text }))),
      ...(report.cards ? [make("li", { className: "item" }, make("span", { className: "grow" }), button(words("clearBrowser"), askToClear, { kind: "plain danger" }))] : []));
  };

  const askToClear = () => question(words("clearBrowserAsk"), words("clearBrowserWhy"), {
    safe: { text: words("cancel") }, risky: { text: words("clear"), kind: "danger" }, act: clearKept,
  });

  const refresh = () => {
    showState();
    return showKept();
  };
  const stops = [watchCards(() => attempt(refresh)), showSync(showState), watchKept(() => attempt(showKept))];
  return { element, refresh, close: () => stops.forEach((stop) => stop()), title: () => words("settings") };
};
