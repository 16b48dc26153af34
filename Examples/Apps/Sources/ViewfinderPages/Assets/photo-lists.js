// What lists of photos say: the titles of days and the names of albums, in the photo app and in the picker.

import { addWords, hasWords, locale, words } from "./words.js";

addWords({
  en: {
    today: "Today", yesterday: "Yesterday", loadingPhotos: "Loading photos",
    "album.all": "All photos", "album.recents": "Recently added", "album.camera-roll": "Camera roll", "album.videos": "Videos",
    "album.favorites": "Favourites", "album.bursts": "Bursts", "album.screenshots": "Screenshots", "album.stream": "My Photo Stream",
  },
  de: {
    today: "Heute", yesterday: "Gestern", loadingPhotos: "Die Fotos werden geladen",
    "album.all": "Alle Fotos", "album.recents": "Zuletzt hinzugefügt", "album.camera-roll": "Aufnahmen", "album.videos": "Videos",
    "album.favorites": "Favoriten", "album.bursts": "Serien", "album.screenshots": "Bildschirmfotos", "album.stream": "Mein Fotostream",
  },
});

/// Writes dates by the camera's own clock, whose zone nobody may know.
export const dateFormat = (options) => new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options });

const [weekday, dayOfYear] = [
  dateFormat({ weekday: "long", day: "numeric", month: "long" }),
  dateFormat({ weekday: "long", day: "numeric", month: "long", year: "numeric" }),
];
const secondsOfDay = 86_400;

/// The middle of the night in which a day begins; `number` counts days since 1970.
export const dateOf = (number) => new Date(number * secondsOfDay * 1000);

/// Today's number, by this device's clock.
const today = () => {
  const now = new Date();
  return Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 1000 / secondsOfDay;
};

/// "Today", "Saturday 21 November", and the year where it is another one.
export const dayTitle = (number) => {
  const ago = today() - number;
  if (ago === 0) return words("today");
  if (ago === 1) return words("yesterday");
  const date = dateOf(number);
  return (date.getUTCFullYear() === new Date().getFullYear() ? weekday : dayOfYear).format(date);
};

/// In this order albums that fill themselves are shown.
const roles = ["favorites", "videos", "stream", "camera-roll", "recents", "bursts", "screenshots"];

/// Sorts albums that fill themselves.
export const byRole = (a, b) => roles.indexOf(a.role) - roles.indexOf(b.role);

/// An album's name: of those that fill themselves in the reader's language.
export const albumName = ({ name, role }) => (role && hasWords(`album.${role}`) ? words(`album.${role}`) : name);
