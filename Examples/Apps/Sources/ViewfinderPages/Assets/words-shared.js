// What all pages say. Short, plain, active; the thing by its name in “ ”; a button is a verb of one or two words.

import { errors } from "./words-errors.js";

export const tables = {
  en: {
    ...errors.en,
    undo: "Undo", cancel: "Cancel", close: "Close", back: "Back", done: "Done", more: "More", retry: "Try again",
    save: "Save", delete: "Delete", restore: "Restore", search: "Search", settings: "Settings",
    livePicture: "Live picture of the camera", pictureLate: "Waiting for the camera’s first picture …",
    keys: "Keys", "key.search": "Search", "key.keys": "This list", "key.close": "Close what is on top", "key.return": "Return",
    "connection.lost": "The program doesn’t answer. This page goes on when it does.",
    "connection.refused": "The program refuses this page. Open the address that it printed when it started.",
    "connection.busy": "Too many pages are open. This one goes on when there is room.",
  },
  de: {
    ...errors.de,
    undo: "Widerrufen", cancel: "Abbrechen", close: "Schließen", back: "Zurück", done: "Fertig", more: "Mehr",
    retry: "Noch einmal", save: "Sichern", delete: "Löschen", restore: "Zurückholen", search: "Suchen",
    settings: "Einstellungen", livePicture: "Livebild der Kamera", pictureLate: "Auf das erste Bild der Kamera wird gewartet …",
    keys: "Tasten", "key.search": "Suchen", "key.keys": "Diese Liste", "key.close": "Schließen, was oben liegt", "key.return": "Eingabe",
    "connection.lost": "Das Programm antwortet nicht. Die Seite macht weiter, sobald es das tut.",
    "connection.refused": "Das Programm weist diese Seite ab. Öffne die Adresse, die es beim Start ausgegeben hat.",
    "connection.busy": "Zu viele Seiten sind offen. Diese macht weiter, sobald Platz ist.",
  },
};
