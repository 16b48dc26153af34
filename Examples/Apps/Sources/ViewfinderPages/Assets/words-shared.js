// What all pages say. Short, plain, active; the thing by its name in “ ”; a button is a verb of one or two words.
// Codes that begin with "error." are those of the server's errors.

export const tables = {
  en: {
    undo: "Undo", cancel: "Cancel", close: "Close", back: "Back", done: "Done", more: "More", retry: "Try again",
    save: "Save", delete: "Delete", restore: "Restore", search: "Search", settings: "Settings",
    "error.away": "The program doesn’t answer. Nothing is lost; try again in a moment.",
    "error.slow": "The program takes too long to answer. Try again in a moment.",
    "error.unknown": "Something went wrong. Try again.",
    "error.token": "This page needs its key. Open the address that the program printed when it started.",
    "connection.lost": "The program doesn’t answer. This page goes on when it does.",
    "connection.refused": "The program refuses this page. Open the address that it printed when it started.",
    "connection.busy": "Too many pages are open. This one goes on when there is room.",
  },
  de: {
    undo: "Widerrufen", cancel: "Abbrechen", close: "Schließen", back: "Zurück", done: "Fertig", more: "Mehr",
    retry: "Noch einmal", save: "Sichern", delete: "Löschen", restore: "Zurückholen", search: "Suchen",
    settings: "Einstellungen",
    "error.away": "Das Programm antwortet nicht. Nichts ist verloren; versuche es gleich noch einmal.",
    "error.slow": "Das Programm antwortet zu langsam. Versuche es gleich noch einmal.",
    "error.unknown": "Etwas ging schief. Versuche es noch einmal.",
    "error.token": "Diese Seite braucht ihren Schlüssel. Öffne die Adresse, die das Programm beim Start ausgegeben hat.",
    "connection.lost": "Das Programm antwortet nicht. Die Seite macht weiter, sobald es das tut.",
    "connection.refused": "Das Programm weist diese Seite ab. Öffne die Adresse, die es beim Start ausgegeben hat.",
    "connection.busy": "Zu viele Seiten sind offen. Diese macht weiter, sobald Platz ist.",
  },
};
