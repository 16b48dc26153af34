// Words by codes, in the reader's language: one table a language, and a page adds its own.
//
//   addWords({ en: { deleted: "“{name}” is deleted.", cards: { one: "{count} card", other: "{count} cards" } }, de: … });
//   words("deleted", { name: "Toy Box" }); words("cards", { count: 3 })

import { tables } from "./words-shared.js";

const known = Object.keys(tables);
const key = "viewfinder-language";

/// The language chosen on this device, or the first of the browser's that there is a table for.
const chosen = () => {
  let kept = null;
  try { kept = localStorage.getItem(key); } catch { /* Nothing may be kept here. */ }
  const wanted = [kept, ...navigator.languages].filter(Boolean).map((tag) => tag.split("-")[0]);
  return wanted.find((tag) => known.includes(tag)) ?? "en";
};

export const language = chosen();
document.documentElement.lang = language;

/// The reader's own way of writing the page's language, such as that of Britain.
export const locale = navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;

/// The languages that there are, by their own names.
export const languages = { en: "English", de: "Deutsch" };

/// Takes another language from the next page on; null follows the browser.
export const chooseLanguage = (tag) => {
  if (tag) localStorage.setItem(key, tag);
  else localStorage.removeItem(key);
  location.reload();
};

/// Adds a page's words to the shared ones.
export const addWords = (added) => {
  for (const [tag, table] of Object.entries(added)) Object.assign(tables[tag] ??= {}, table);
};

const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);

/// Whether there are words for a code.
export const hasWords = (code) => code in tables[language] || code in tables.en;

/// The words for a code, with values in the places of {name}. Of several forms `count` chooses.
export const words = (code, values = {}) => {
  const entry = tables[language][code] ?? tables.en[code] ?? code;
  const form = typeof entry === "string" ? entry : entry[plurals.select(values.count)] ?? entry.other;
  return form.replaceAll(/\{([A-Za-z]+)\}/g, (whole, name) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === "number" ? numbers.format(value) : String(value);
  });
};

/// What went wrong, in the reader's language: by its code where there are words for it, else as the program says it.
export const told = ({ message, code, values, reasons }) => {
  if (!code || !hasWords(`error.${code}`)) return message ?? words("error.unknown");
  const inside = Object.entries(values ?? {}).map(([name, value]) => [name, tables[language][`value.${value}`] ?? value]);
  return words(`error.${code}`, { reason: reasons?.map(told).join(" "), ...Object.fromEntries(inside) });
};

/// Fills in elements that have data-words, data-label, data-title or data-placeholder with codes.
export const translate = (root = document) => {
  for (const element of root.querySelectorAll("[data-words]")) element.textContent = words(element.dataset.words);
  for (const element of root.querySelectorAll("[data-label]")) element.ariaLabel = words(element.dataset.label);
  for (const element of root.querySelectorAll("[data-title]")) element.title = words(element.dataset.title);
  for (const element of root.querySelectorAll("[data-placeholder]")) element.placeholder = words(element.dataset.placeholder);
};

const day = (options) => new Intl.DateTimeFormat(locale, options);
const sameYear = day({ day: "numeric", month: "short" });
const otherYear = day({ day: "numeric", month: "short", year: "numeric" });
const clock = day({ hour: "2-digit", minute: "2-digit" });
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });

/// A day: "2 Nov", with the year where it is another.
export const dayWords = (date) =>
  (date.getFullYear() === new Date().getFullYear() ? sameYear : otherYear).format(date);

/// A moment: "2 minutes ago", "Today 13:55", and a date where it is more than a week away.
export const momentWords = (date) => {
  const seconds = (date - Date.now()) / 1000;
  if (Math.abs(seconds) < 60) return relative.format(0, "second");
  if (Math.abs(seconds) < 3600) return relative.format(Math.round(seconds / 60), "minute");
  const midnight = (moment) => new Date(moment).setHours(0, 0, 0, 0);
  const days = Math.round((midnight(date) - midnight(Date.now())) / 86_400_000);
  if (days === 0) return `${capital(relative.format(0, "day"))} ${clock.format(date)}`;
  return Math.abs(days) <= 7 ? relative.format(days, "day") : dayWords(date);
};

const capital = (text) => text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
