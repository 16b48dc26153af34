// The page's part of the binding: the button presents, the picture follows the selection.

import { attempt } from "/ui/elements.js";
import { send } from "/ui/requests.js";

const picture = document.getElementById("picture");
const none = document.getElementById("none");

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
