// How days, times, sizes and counts are written.

import { dateFormat, dateOf } from "/ui/photo-lists.js";
import { language, words } from "/ui/words.js";

const [day, whole, time, monthOfYear] = [
  dateFormat({ dateStyle: "long" }), dateFormat({ dateStyle: "full", timeStyle: "short" }), dateFormat({ timeStyle: "short" }),
  dateFormat({ month: "long", year: "numeric" }),
];
const dayName = dateFormat({ weekday: "long" });
const numbers = new Intl.NumberFormat(language);

/// "November 2026".
export const monthTitle = (number) => monthOfYear.format(dateOf(number));

/// A number that is the same for days of one month.
export const monthOf = (number) => dateOf(number).getUTCFullYear() * 12 + dateOf(number).getUTCMonth();

const moment = (seconds) => new Date(seconds * 1000);
export const whenWords = (seconds) => whole.format(moment(seconds));
export const timeTitle = (seconds) => `${dayName.format(moment(seconds))}, ${time.format(moment(seconds))}`;
export const dateTitle = (seconds) => day.format(moment(seconds));

/// A day as the program reads it: "2026-11-21".
export const dayText = (date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");

/// "1:05".
export const length = (seconds) => {
  const total = Math.round(seconds);
  return `${Math.floor(total / 60)}:${String(total % 60).padStart(2, "0")}`;
};

/// "2.4 MB".
export const size = (bytes) => {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return new Intl.NumberFormat(language, {
    style: "unit", unit: units[step], unitDisplay: step ? "short" : "long", maximumFractionDigits: step ? 1 : 0,
  }).format(bytes / 1000 ** step);
};

/// "52.50° N, 13.41° E": nobody here knows the places' names.
export const coordinates = (latitude, longitude) => {
  const degrees = (value, positive, negative) =>
    `${Math.abs(value).toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}° ${words(value < 0 ? negative : positive)}`;
  return `${degrees(latitude, "north", "south")}, ${degrees(longitude, "east", "west")}`;
};

export const number = (value) => numbers.format(value);

/// "12 photos, 1 video": what there is none of isn't said, unless there is nothing.
export const counts = ({ photos, videos, others }) =>
  [
    ...(photos || !(videos || others) ? [words("photos", { count: photos })] : []),
    ...(videos ? [words("videos", { count: videos })] : []),
    ...(others ? [words("unreadable", { count: others })] : []),
  ].join(", ");

/// What is read aloud of an asset in a grid.
export const label = ({ name, isVideo, isFavorite, taken, problem }) =>
  [
    words(isVideo ? "videoNamed" : "photoNamed", { name }), ...(isFavorite ? [words("isFavorite")] : []),
    ...(taken ? [whenWords(taken)] : []), ...(problem ? [problem] : []),
  ].join(", ");
