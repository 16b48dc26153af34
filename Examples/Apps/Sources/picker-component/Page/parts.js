// A page that has the parts of a picker where it wants them: camera, library and crop show themselves when they are needed.

import "/ui/picker-words.js";
import { attempt, iconButton, make } from "/ui/elements.js";
import { send } from "/ui/requests.js";
import { addWords, translate, words } from "/ui/words.js";

addWords({
  en: {
    "parts.title": "Parts of a picker", "parts.camera": "Take photos", "parts.library": "Choose photos", "parts.none": "No photos yet.",
    "parts.pictures": "The photos, in their order", "parts.picture": "Photo {number}", "parts.forget": "Forget them",
    "parts.forgotten": { one: "{count} photo is forgotten.", other: "{count} photos are forgotten." }, "parts.what": "About this page",
    "parts.about": "Camera, library and crop are elements of this page. Each shows itself when it is needed.",
  },
  de: {
    "parts.title": "Teile einer Bildauswahl", "parts.camera": "Fotos aufnehmen", "parts.library": "Fotos wählen", "parts.none": "Noch keine Fotos.",
    "parts.pictures": "Die Fotos, in ihrer Folge", "parts.picture": "Foto {number}", "parts.forget": "Vergessen",
    "parts.forgotten": { one: "{count} Foto ist vergessen.", other: "{count} Fotos sind vergessen." }, "parts.what": "Über diese Seite",
    "parts.about": "Kamera, Mediathek und Zuschnitt sind Elemente dieser Seite. Jedes zeigt sich, wenn es gebraucht wird.",
  },
});
translate();
document.title = words("parts.title");

const element = (id) => document.getElementById(id);
const camera = document.querySelector("viewfinder-camera");
const about = element("about");
about.label = words("parts.what");
element("about-place").replaceWith(iconButton("info", words("parts.what"), () => about.show(), { id: "what" }));

/// Shows photos that were picked.
const show = (photos) => {
  element("none").hidden = photos.length > 0;
  element("forget").hidden = photos.length === 0;
  element("pictures").replaceChildren(...photos.map(({ thumbnail }, place) =>
    make("li", {}, make("img", { src: thumbnail, alt: words("parts.picture", { number: place + 1 }) }))));
};

let isPicking = false;
let shown = [];
camera.addEventListener("state", ({ detail: { isPresented } }) => { isPicking = isPresented; });
camera.addEventListener("photos", ({ detail }) => show(shown = detail));

for (const [id, source] of [["camera", "camera"], ["library", "photoLibrary"]]) {
  element(id).addEventListener("click", () => attempt(() =>
    isPicking ? camera.program.act("showSource", { name: source }) : send("POST", `presented/${source}`)));
}

element("forget").addEventListener("click", () => {
  show([]);
  element("camera").focus();
  document.querySelector("viewfinder-toast").show(words("parts.forgotten", { count: shown.length }), { undo: () => show(shown) });
});
