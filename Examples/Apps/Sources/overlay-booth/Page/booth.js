// Opens the picker, and shows what was picked. The page has no keys but ?, which says so.

import "/ui/picker-words.js";
import { attempt } from "/ui/elements.js";
import { followKeys } from "/ui/keys.js";
import { send } from "/ui/requests.js";
import { addWords, translate, words } from "/ui/words.js";

addWords({
  en: {
    "booth.title": "Photo booth", "booth.pictures": "Pictures, in the order taken", "booth.none": "No pictures yet.",
    "booth.picture": "Picture {number}", "booth.take": "Take", "booth.delayed": "Delayed", "booth.start": "Start",
  },
  de: {
    "booth.title": "Fotoautomat", "booth.pictures": "Bilder, in der Reihenfolge der Aufnahme", "booth.none": "Noch keine Bilder.",
    "booth.picture": "Bild {number}", "booth.take": "Aufnehmen", "booth.delayed": "Verzögert", "booth.start": "Serie",
  },
});
translate();
document.title = words("booth.title");
followKeys({}, []);

const pictures = document.getElementById("pictures");
const none = document.getElementById("none");

for (const name of ["camera", "library"]) {
  document.getElementById(name).addEventListener("click", () =>
    attempt(() => send("POST", `open/${name}`)));
}

document.querySelector("viewfinder-picker").addEventListener("state", ({ detail: state }) => {
  if (state.isPresented || state.isElsewhere) return;
  none.hidden = state.selection.length > 0;
  pictures.replaceChildren(
    ...state.selection.map((photo, place) => {
      const item = document.createElement("li");
      const picture = document.createElement("img");
      picture.src = `/picker/photo/${photo.id}?size=small`;
      picture.alt = words("booth.picture", { number: place + 1 });
      picture.loading = "lazy";
      // A press opens the whole picture.
      const whole = document.createElement("a");
      Object.assign(whole, { href: `/picker/photo/${photo.id}`, target: "_blank" });
      whole.append(picture);
      item.append(whole);
      return item;
    }));
});
