// What was changed on two devices at once: both values side by side.

import { button, icon, make } from "/ui/elements.js";
import { ask } from "/ui/requests.js";
import { toast } from "/ui/toast.js";
import { language, momentWords, words } from "/ui/words.js";
import { cards, refreshCards } from "/wallet-cards.js";
import { settle } from "/wallet-changes.js";
import { balanceWords, dayOf, drawnFace } from "/wallet-face.js";

/// A value as people read it.
const text = (field, value, card) => {
  if (value === null || value === undefined || value === "") return words("nothing");
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "boolean") return words(value ? "yes" : "no");
  if (typeof value === "object") return words("anotherPhoto");
  if (field === "balance") return balanceWords({ ...card, balance: value }, language);
  if (field === "validFrom" || field === "expiry") return dayOf(value);
  return String(value);
};

/// The member of the list's report that has a field's value.
const reported = { starStatus: "isStarred", archiveStatus: "isArchived" };

const numbers = new Set(["cardId", "barcodeId"]);

/// A text whose part that another one hasn't got is marked.
const marked = (own, other) => {
  let [start, end] = [0, 0];
  const [mine, theirs] = [[...own], [...other]];
  while (start < mine.length && mine[start] === theirs[start]) start += 1;
  while (end < mine.length - start && end < theirs.length - start && mine.at(-1 - end) === theirs.at(-1 - end)) end += 1;
  const join = (from, to) => mine.slice(from, to).join("");
  const middle = join(start, mine.length - end);
  return middle && (start || end)
    ? [join(0, start), make("mark", { textContent: middle }), join(mine.length - end)] : [own];
};

/// What the person's devices are called, by what they call themselves in records.
let names = new Map();

/// Asks for the names and tells them, now as they were and then as they are; nothing where they can't be known.
const withNames = (tell) => {
  tell();
  ask("devices").then(({ devices, problem }) => {
    if (problem) return;
    names = new Map(devices.filter(({ client }) => client).map(({ client, name }) => [client, name]));
    tell();
  }).catch(() => {});
};

/// Whose values stay here until somebody has chosen.
const postponed = new Set();

/// The choice for a card, above all else of it; null where it was put off.
export const conflict = (card, done) => {
  if (postponed.has(card.id)) return null;
  const choices = new Map();
  const writers = [];
  const fields = card.kept.map((copy) => {
    const isOwn = copy.isOwn === true;
    const present = card[reported[copy.field] ?? copy.field];
    const values = {
      present: text(copy.field, present, card),
      kept: copy.field === "front" || copy.field === "back" ? words("anotherPhoto") : text(copy.field, copy.value, card),
    };
    // This device's is chosen.
    choices.set(copy.id, isOwn ? "use" : "dismiss");
    // When both were there for the first time: wallets don't say when they wrote what.
    const when = copy.date ? words("noticed", { when: momentWords(new Date(copy.date)) }) : "";
    const version = (action, wallet, isOurs, own, other) => {
      // Where it isn't known whose it is, there are only two.
      const isThis = wallet ? wallet === cards().wallet : isOurs;
      const who = make("bdi");
      writers.push(() => { who.textContent = isThis ? words("thisDevice") : names.get(wallet) ?? words("anotherDevice"); });
      const input = make("input", { type: "radio", name: `kept-${copy.id}`, checked: choices.get(copy.id) === action });
      input.addEventListener("change", () => choices.set(copy.id, action));
      return make("label", { className: "version" }, input,
        make("span", { className: "who" }, icon(isThis ? "device" : "tablet", "small"), who),
        make("bdi", { className: numbers.has(copy.field) ? "what figures" : "what" }, ...marked(own, other)), when && make("span", { className: "caption", textContent: when }));
    };
    const versions = [
      version("dismiss", copy.winner, !isOwn, values.present, values.kept),
      version("use", copy.wallet, isOwn, values.kept, values.present),
    ];
    return make("fieldset", {}, make("legend", { className: "label", textContent: words(`field.${copy.field}`) }),
      make("div", { className: "versions" }, ...(isOwn ? versions.reverse() : versions)));
  });
  withNames(() => writers.forEach((write) => write()));
  const element = make("section", { className: "conflict before-detail", ariaLabel: words("changedOnTwo") },
    make("h2", {}, icon("warning"), words("changedOnTwo")), make("div", { className: "pairs" }, ...fields),
    make("div", { className: "row" },
      button(words("later"), () => {
        postponed.add(card.id);
        element.remove();
        toast(words("leftForLater"));
      }, { kind: "plain" }),
      button(words("useChosen"), async () => {
        const undo = await settle(Object.fromEntries(choices));
        await done();
        toast(words("savedEverywhere"), { undo });
      }, { kind: "primary" })));
  return element;
};

/// The choice for a card that was deleted elsewhere after it was changed here.
export const lostCard = (copy) => {
  const decide = (action, code) => async () => {
    const undo = await settle({ [copy.id]: action });
    await refreshCards();
    location.hash = "#/";
    toast(words(code, { name: copy.name }), { undo });
  };
  const title = make("strong");
  withNames(() => {
    const device = names.get(copy.winner);
    title.textContent = device ? words("deletedOn", { device }) : words("deletedElsewhere");
  });
  return make("div", { className: "stack" },
    make("div", { className: "banner danger", role: "status" }, icon("trash"),
      make("p", {}, title, words("deletedElsewhereWhy")),
      make("div", { className: "row" }, button(words("delete"), decide("dismiss", "isDeleted"), { kind: "plain danger" }),
        button(words("keepCard"), decide("use", "isKept"), { kind: "plain" }))),
    make("div", { className: "hero" }, drawnFace(copy.value), make("p", { className: "hero-name" }, make("bdi", { textContent: copy.name }))));
};
