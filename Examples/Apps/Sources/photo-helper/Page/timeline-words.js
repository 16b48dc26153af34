// What the timeline says.

import { addWords } from "/ui/words.js";

addWords({
  en: {
    title: "Timeline", photos: "Photos, newest first", loading: "Loading the timeline",
    none: "Nothing yet", noneWhat: "Your first photo starts the timeline.", notKept: "A photo isn’t saved yet",
    add: "Add a photo", addShort: "Add photo", camera: "Take a photo", photoLibrary: "Choose from library", savedPhotosAlbum: "Choose from library",
    photoOf: "Photo of {moment}", savePhoto: "Save the photo of {moment}",
    sending: "Sending", sendingWhat: "It’s sent also when you leave this page.", waiting: "Not sent yet", waitingWhat: "It is tried again by itself.",
    away: "The program doesn’t answer",
  },
  de: {
    title: "Verlauf", photos: "Fotos, neueste zuerst", loading: "Der Verlauf wird geladen",
    none: "Noch nichts da", noneWhat: "Mit deinem ersten Foto beginnt der Verlauf.", notKept: "Ein Foto ist noch nicht gesichert",
    add: "Ein Foto dazu", addShort: "Foto dazu", camera: "Foto aufnehmen", photoLibrary: "Aus der Mediathek wählen", savedPhotosAlbum: "Aus der Mediathek wählen",
    photoOf: "Foto, {moment}", savePhoto: "Das Foto sichern, {moment}",
    sending: "Wird gesendet", sendingWhat: "Es wird auch gesendet, wenn du diese Seite verlässt.", waiting: "Noch nicht gesendet", waitingWhat: "Es wird von selbst noch einmal versucht.",
    away: "Das Programm antwortet nicht",
  },
});
