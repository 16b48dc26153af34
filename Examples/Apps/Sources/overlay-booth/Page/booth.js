// Opens the picker, and shows what was picked.

import { attempt } from "/ui/elements.js";
import { send } from "/ui/requests.js";

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
      picture.src = `/picker/photo/${photo.id}`;
      picture.alt = `Picture ${place + 1}`;
      picture.loading = "lazy";
      item.append(picture);
      return item;
    }));
});
