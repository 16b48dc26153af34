// What a search means: days, coordinates, and words, in the reader's language.

import { language, words } from "/ui/words.js";
import { dayText } from "/format.js";

const months = (style) => Array.from({ length: 12 }, (_, month) =>
  new Intl.DateTimeFormat(language, { month: style, timeZone: "UTC" }).format(Date.UTC(2024, month, 15)).toLocaleLowerCase(language).replace(/\.$/, ""));
const [long, short] = [months("long"), months("short")];

const monthIn = (word) => {
  const name = word.toLocaleLowerCase(language).replace(/\.$/, "");
  const at = long.indexOf(name);
  return at >= 0 ? at : short.indexOf(name);
};

const day = (year, month, date) => {
  const made = new Date(year, month, date);
  return made.getMonth() === month && made.getDate() === date ? made : null;
};

/// From the beginning of a day, month or year to the end of it: { from, until }, the latter not included.
const span = (year, month, date) => {
  if (date !== undefined && !day(year, month, date)) return null;
  const from = new Date(year, month ?? 0, date ?? 1);
  const until = date !== undefined ? new Date(year, month, date + 1)
    : month !== undefined ? new Date(year, month + 1, 1) : new Date(year + 1, 0, 1);
  return { from: dayText(from), until: dayText(until) };
};

const year = (word) => (/^(18|19|20|21)\d\d$/.test(word ?? "") ? Number(word) : null);
const dateNumber = (word) => (/^\d{1,2}\.?$/.test(word ?? "") ? Number.parseInt(word, 10) : null);

/// The day, month or year at the beginning of some words, and how many words say it; null for none.
const timeIn = (list, now) => {
  const [first, second, third] = list;
  const iso = /^(\d{4})-(\d\d)(?:-(\d\d))?$/.exec(first);
  if (iso) {
    const found = span(Number(iso[1]), Number(iso[2]) - 1, iso[3] ? Number(iso[3]) : undefined);
    return found && { ...found, taken: 1 };
  }
  const name = first.toLocaleLowerCase(language);
  if (name === words("today").toLocaleLowerCase(language)) return { ...span(now.getFullYear(), now.getMonth(), now.getDate()), taken: 1 };
  if (name === words("yesterday").toLocaleLowerCase(language)) {
    const before = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
    return { ...span(before.getFullYear(), before.getMonth(), before.getDate()), taken: 1 };
  }
  // Without a year it is the last time that there was one.
  const last = (month, date) => (new Date(now.getFullYear(), month, date ?? 1) > now ? now.getFullYear() - 1 : now.getFullYear());
  if (dateNumber(first) && second && monthIn(second) >= 0) {
    const [date, month] = [dateNumber(first), monthIn(second)];
    const found = span(year(third) ?? last(month, date), month, date);
    return found && { ...found, taken: year(third) ? 3 : 2 };
  }
  if (monthIn(first) >= 0) {
    const month = monthIn(first);
    // "November 21, 2026" and "November 2026".
    const date = dateNumber(second?.replace(",", ""));
    if (date && !year(second)) {
      const found = span(year(third) ?? last(month, date), month, date);
      if (found) return { ...found, taken: year(third) ? 3 : 2 };
    }
    return { ...span(year(second) ?? last(month), month), taken: year(second) ? 2 : 1 };
  }
  return year(first) ? { ...span(year(first)), taken: 1 } : null;
};

/// How far around typed coordinates is searched, in degrees.
const near = 0.05;

/// Takes days and coordinates out of what was typed: { words, time, area }.
export const meaning = (text, now = new Date()) => {
  let rest = text;
  let area = null;
  const place = /(-?\d{1,2}\.\d+)°?\s*,\s*(-?\d{1,3}\.\d+)°?/.exec(text);
  if (place) {
    const [north, east] = [Number(place[1]), Number(place[2])];
    if (Math.abs(north) <= 90 && Math.abs(east) <= 180) {
      area = [north - near, north + near, east - near, east + near];
      rest = text.replace(place[0], " ");
    }
  }
  const list = rest.split(/\s+/).filter(Boolean);
  let time = null;
  const others = [];
  while (list.length) {
    const found = time ? null : timeIn(list, now);
    if (found) {
      time = { from: found.from, until: found.until, text: list.slice(0, found.taken).join(" ") };
      list.splice(0, found.taken);
    } else others.push(list.shift());
  }
  return { words: others, time, area };
};
