// The page's part of the binding: the button presents, the picture follows the selection.

import { attempt } from "/ui/elements.js";
import { send } from "/ui/requests.js";
import { addWords, translate, words } from "/ui/words.js";

addWords({
  en: {
    "component.title": "One picture", "component.none": "No picture yet.", "component.choose": "Choose a picture",
    "component.picture": "The picture",
  },
  de: {
    "component.title": "Ein Bild", "component.none": "Noch kein Bild.", "component.choose": "Bild wählen",
    "component.picture": "Das Bild",
  },
});
translate();
document.title = words("component.title");

const picture = document.getElementById("picture");
const none = document.getElementById("none");
picture.alt = words("component.picture");

document.getElementById("choose").addEventListener("click", () =>
  attempt(() => send("POST", "presented")));

document.querySelector("viewfinder-picker").addEventListener("state", ({ detail: state }) => {
  if (state.isPresented || state.isElsewhere) return;
  const [photo] = state.selection;
  picture.hidden = !photo;
  none.hidden = Boolean(photo);
  const address = photo ? `/picker/photo/${photo.id}` : "";
  if (photo && picture.getAttribute("src") !== address) picture.src = address;
});
