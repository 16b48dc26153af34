// A card at the till: its code as large as the screen allows, and its sides.

import { icon, iconButton, make } from "/ui/elements.js";
import { language, words } from "/ui/words.js";
import { cards, isEnded, watchCards } from "/wallet-cards.js";
import { choice, choose } from "/wallet-choices.js";
import { codeFor } from "/wallet-code.js";
import { badge, balanceWords, colorOf, dayOf, paint, photo, spaced } from "/wallet-face.js";
import { markShown } from "/wallet-changes.js";

const hintTime = 8000;
const hintTimes = 5;

/// A full-screen view of a card; `leave` is called when somebody closes it.
export const till = (id, leave) => {
  const title = make("h1");
  const head = make("header", { className: "till-head" },
    iconButton("close", words("close"), () => leave()), title,
    iconButton("info", words("aboutCard"), () => { location.hash = `#/card/${id}`; }));
  // It has the focus at first: there, Space turns the card over and closes nothing.
  const place = make("div", { className: "till-place", tabIndex: -1, autofocus: true });
  const hint = make("p", { className: "till-hint" }, icon("sun", "small"), make("span", { textContent: words("brighter") }));
  const sideways = make("p", { className: "till-hint sideways", hidden: true },
    icon("rotate-phone", "small"), make("span", { textContent: words("sideways") }));
  const segments = make("fieldset", { className: "segments" });
  const foot = make("footer", { className: "till-foot" }, hint, sideways, segments);
  const main = make("div", { className: "till" }, head, place, foot);
  const element = make("dialog", { className: "full till-page", ariaLabel: words("tillName") }, main);
  let card = null;
  let side = "code";
  let lock = null;
  let code = null;
  let drawn = "";

  const isHinting = choice("hints") && choice("hintsShown") < hintTimes;
  hint.hidden = !isHinting;
  if (isHinting) choose("hintsShown", choice("hintsShown") + 1);
  const hintTimer = setTimeout(() => { hint.hidden = !choice("hints") || side !== "code" || !card?.code || !sideways.hidden; }, hintTime);

  const sides = () => [["code", card.code ? words("code") : words("number")],
    ...(card.front ? [["front", words("front")]] : []), ...(card.back ? [["back", words("back")]] : [])];

  const show = (wanted) => {
    if (!sides().some(([name]) => name === wanted)) return;
    side = wanted;
    for (const input of segments.querySelectorAll("input")) input.checked = input.value === side;
    code?.end();
    code = null;
    const hadFocus = place.contains(document.activeElement);
    place.replaceChildren(side === "code" ? codeSide() : photoSide());
    hint.classList.toggle("away", side !== "code" || !card.code);
    if (side !== "code") sideways.hidden = true;
    if (hadFocus) (place.querySelector(".flip") ?? place).focus({ preventScroll: true });
  };

  const codeSide = () => {
    const text = spaced(card.barcodeId || card.cardId, card.barcodeType);
    const body = make("div", { className: "till-body", tabIndex: 0, role: "group", ariaLabel: words(card.code ? "code" : "number") });
    if (isEnded(card)) body.append(badge({ text: words("endedMayWork", { day: dayOf(card.expiry) }), kind: "danger" }, icon("warning")));
    const number = make("p", { className: `code-number${card.code ? "" : " alone"}` }, make("bdi", { dir: "ltr", textContent: text }));
    if (card.code) {
      code = codeFor(card, body, {
        turned: (isTurned) => {
          sideways.hidden = !isTurned;
          if (isTurned) hint.hidden = true;
          number.classList.toggle("small-text", isTurned);
        },
        failed: (reason) => {
          hint.hidden = true;
          body.prepend(make("p", { className: "quiet small-text till-facts", textContent: reason }));
          number.classList.add("alone");
        },
      });
      body.append(code.element);
    }
    const facts = [
      card.balance && badge({ text: balanceWords(card, language), kind: "" }),
      card.expiry && !isEnded(card) && badge({ text: words("until", { day: dayOf(card.expiry) }), kind: "" }),
    ].filter(Boolean);
    if (!card.code && !text) number.replaceChildren(words("noNumber"));
    body.append(number, ...(facts.length ? [make("p", { className: "till-facts" }, ...facts)] : []));
    return body;
  };

  const photoSide = () => {
    const other = side === "front" ? "back" : "front";
    const hasOther = Boolean(card[other]);
    const picture = photo(card[side], { alt: words(`${side}Of`, { name: card.name }), lazy: false });
    picture.addEventListener("error", () => picture.replaceWith(make("span", { className: "face" }, words("photoAway"))), { once: true });
    const flip = make("button", {
      className: "flip turning", type: "button", ariaLabel: words(hasOther ? `show.${other}` : "show.code"),
    }, picture);
    flip.addEventListener("click", () => turn());
    return make("div", { className: "till-body" }, flip,
      make("p", { className: "quiet small-text", textContent: words(hasOther ? "tapToTurn" : "tapForCode") }));
  };

  const turn = () => {
    const order = side === "code" ? ["front", "back"] : side === "front" ? ["back", "code"] : ["front", "code"];
    show(order.find((name) => name === "code" || card[name]) ?? "code");
  };

  const segmentsFor = () => sides().map(([name, text]) => {
    const input = make("input", { type: "radio", name: "side", value: name, checked: name === side });
    input.addEventListener("change", () => show(name));
    return make("label", {}, input, make("span", { textContent: text }));
  });

  const refresh = () => {
    const { cards: all, isLoaded } = cards();
    const now = all.get(id);
    if (!now) {
      if (isLoaded) leave();
      return;
    }
    // What is read at this moment isn't drawn anew because the card was noted as shown.
    const { lastUsed, kept, ...shown } = now;
    if (drawn === JSON.stringify(shown)) return;
    drawn = JSON.stringify(shown);
    card = now;
    title.replaceChildren(make("bdi", { textContent: card.name }));
    paint(head, colorOf(card));
    segments.replaceChildren(make("legend", { className: "visually-hidden", textContent: words("show") }), ...segmentsFor());
    segments.hidden = sides().length < 2;
    show(sides().some(([name]) => name === side) ? side : "code");
  };

  /// Where the platform can't keep the screen on, nothing is said.
  const keepAwake = async () => {
    if (!choice("awake") || document.hidden || !navigator.wakeLock) return;
    lock = await navigator.wakeLock.request("screen").catch(() => null);
  };

  element.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const wanted = { c: "code", f: "front", b: "back" }[event.key.toLowerCase()];
    if (wanted) show(wanted);
    else if (event.key === " " && !event.target.closest("button, input:not(:checked), a")) {
      event.preventDefault();
      turn();
    }
  });
  element.addEventListener("cancel", (event) => {
    event.preventDefault();
    leave();
  });
  const stop = watchCards(refresh);
  document.addEventListener("visibilitychange", keepAwake);
  keepAwake();
  markShown(id);

  const close = () => {
    stop();
    code?.end();
    clearTimeout(hintTimer);
    document.removeEventListener("visibilitychange", keepAwake);
    lock?.release().catch(() => {});
    element.close();
    element.remove();
  };
  return { element, close, title: () => card?.name ?? "" };
};
