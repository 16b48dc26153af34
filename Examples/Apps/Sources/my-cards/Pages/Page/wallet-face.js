// How a card looks: its photo, or its name and initial on its colour.

import { icon, make } from "/ui/elements.js";
import { dayWords, words } from "/ui/words.js";
import { dayText, isEnded } from "/wallet-cards.js";

/// The colours that cards without one take by their names, the same on all devices.
export const colors = {
  blue: "#0b57cf", teal: "#0f7f9c", green: "#0b6b50", moss: "#4b7a1e", yellow: "#f2b705", orange: "#d9580d",
  red: "#b5121b", pink: "#c2255c", violet: "#6b3fd1", night: "#22223b", brown: "#8d5a3b", grey: "#5c6570",
};

export const colorOf = ({ headerColor, name }) => {
  if (headerColor) return headerColor;
  const list = Object.values(colors);
  let hash = 2166136261;
  for (const character of name ?? "") hash = Math.imul(hash ^ character.codePointAt(0), 16777619) >>> 0;
  return name ? list[hash % list.length] : colors.grey;
};

/// White or nearly black, whichever is easier to read on a colour.
const inkFor = (color) => {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (light + 0.05) >= (light + 0.05) / 0.0595 ? "#ffffff" : "#18181b";
};

/// Gives an element a card's colour. Through the object model, because the pages allow no inline styles.
export const paint = (element, color) => {
  element.style.setProperty("--card", color);
  element.style.setProperty("--ink", inkFor(color));
  return element;
};

export const isSquare = (type) => ["QR_CODE", "AZTEC", "DATA_MATRIX"].includes(type);

/// A card as it is drawn where there is no photo.
export const drawnFace = (card) => {
  const name = card.name || words("name");
  const initial = [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(name.trim())][0]?.segment ?? "";
  const code = card.barcodeType && icon(isSquare(card.barcodeType) ? "qr" : "barcode", "face-code");
  return paint(make("span", { className: "face drawn", ariaHidden: "true" },
    make("span", { className: "initial", textContent: initial.toLocaleUpperCase() }),
    make("bdi", { className: "face-name", textContent: name }), code), colorOf(card));
};

/// A side's photo.
export const photo = (hash, { alt = "", small = false, lazy = true } = {}) => make("img", {
  className: "face", alt, width: 856, height: 540, loading: lazy ? "lazy" : "eager", decoding: "async",
  src: small ? `/pictures/${hash}/small` : `/pictures/${hash}`,
});

/// A card's front, or the card as it is drawn; also where the photo can't be had.
export const face = (card, { small = false, lazy = true } = {}) => {
  if (!card.front) return drawnFace(card);
  const picture = photo(card.front, { small, lazy });
  picture.addEventListener("error", () => picture.replaceWith(drawnFace(card)), { once: true });
  return picture;
};

const date = (day) => new Date(`${day}T12:00:00`);

/// When a card is good, where that is near or over: words and how urgent they are.
export const validity = (card) => {
  const today = dayText();
  if (isEnded(card)) return { text: words("ended", { day: dayWords(date(card.expiry)) }), kind: "danger" };
  if (card.validFrom && card.validFrom > today) return { text: words("from", { day: dayWords(date(card.validFrom)) }), kind: "" };
  if (card.expiry && card.expiry <= dayText(30)) {
    const count = Math.round((date(card.expiry) - date(today)) / 86_400_000);
    return { text: count ? words("daysLeft", { count }) : words("lastDay"), kind: "warn" };
  }
  return null;
};

export const dayOf = (day) => dayWords(date(day));

export const badge = ({ text, kind }, ...children) =>
  make("span", { className: `badge ${kind}`.trim() }, ...children, text);

/// A number as people read it out.
export const spaced = (text, type) => {
  if (/^\d{13}$/.test(text) && type === "EAN_13") return text.replace(/^(\d)(\d{6})(\d{6})$/, "$1 $2 $3");
  return /^\d{8,}$/.test(text) ? text.replace(/(\d{4})(?=\d)/g, "$1 ") : text;
};

/// Whether a text is a number that a balance may be.
export const isAmount = (text) => /^-?\d{1,15}([.,]\d{1,6})?$/.test(text.trim());

/// A balance in its currency, or points.
export const balanceWords = ({ balance, balanceType }, language) => {
  const number = Number(balance);
  if (!balanceType) return words("points", { count: number });
  try {
    return new Intl.NumberFormat(language, { style: "currency", currency: balanceType }).format(number);
  } catch {
    return `${number} ${balanceType}`;
  }
};
