// What the timeline says.

import { addWords } from "/ui/words.js";

addWords({
  en: {
    title: "Timeline", photos: "Photos, newest first", loading: "Loading the timeline",
    none: "Nothing yet", noneWhat: "Your first photo starts the timeline.", notKept: "A photo isn’t saved yet",
    add: "Add a photo", addShort: "Add photo", camera: "Take a photo", photoLibrary: "Choose from library", savedPhotosAlbum: "Choose from library",
    photoOf: "Photo of {moment}", savePhoto: "Save the photo of {moment}",
    sending: "Sending", sendingWhat: "It’s sent also when you leave this page.", waiting: "Not sent yet", sendNow: "Send now",
    away: "The program doesn’t answer",
    "error.uploadStarts": "The program starts. It is sent in a moment.",
    "error.uploadRefused": "The server doesn’t take it ({status}). It is tried again.",
    "error.uploadUnconfirmed": "The server doesn’t say that the photo arrived. If your network wants you to sign in, open a page in a browser. It is tried again.",
    "error.uploadUnreachable": "The server can’t be reached. It is tried again.",
    "error.uploadUnread": "The photo can’t be read. It is tried again.",
  },
  de: {
    title: "Verlauf", photos: "Fotos, neueste zuerst", loading: "Der Verlauf wird geladen",
    none: "Noch nichts da", noneWhat: "Mit deinem ersten Foto beginnt der Verlauf.", notKept: "Ein Foto ist noch nicht gesichert",
    add: "Ein Foto dazu", addShort: "Foto dazu", camera: "Foto aufnehmen", photoLibrary: "Aus der Mediathek wählen", savedPhotosAlbum: "Aus der Mediathek wählen",
    photoOf: "Foto, {moment}", savePhoto: "Das Foto sichern, {moment}",
    sending: "Wird gesendet", sendingWhat: "Es wird auch gesendet, wenn du diese Seite verlässt.", waiting: "Noch nicht gesendet", sendNow: "Jetzt senden",
    away: "Das Programm antwortet nicht",
    "error.uploadStarts": "Das Programm startet. Es wird gleich gesendet.",
    "error.uploadRefused": "Der Server nimmt es nicht an ({status}). Es wird noch einmal versucht.",
    "error.uploadUnconfirmed": "Der Server sagt nicht, dass das Foto angekommen ist. Verlangt dein Netz eine Anmeldung, öffne eine Seite im Browser. Es wird noch einmal versucht.",
    "error.uploadUnreachable": "Der Server ist nicht erreichbar. Es wird noch einmal versucht.",
    "error.uploadUnread": "Das Foto ist nicht lesbar. Es wird noch einmal versucht.",
  },
});
