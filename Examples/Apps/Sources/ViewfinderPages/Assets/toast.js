// Says what was done or what went wrong, with a way back. A toast stays for six seconds, longer under the pointer or
// with the focus.

import { words } from "./words.js";

const time = 6000;
let shown = null;

/// Shows words in place of those before.
///
/// `undo` is what brings back what was done; the button says `action`, if not Undo. Ctrl+Z does it, too, while the toast is there.
export const toast = (text, { undo, action } = {}) => {
  shown?.remove();
  const element = document.createElement("div");
  element.className = "toast";
  element.setAttribute("role", "status");
  const place = document.createElement("span");
  element.append(place);
  if (undo) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "button", textContent: action ?? words("undo") });
    button.addEventListener("click", () => goBack(element, undo));
    element.append(button);
    element.goBack = () => goBack(element, undo);
  }
  // In the topmost dialog, or it would lie behind it.
  (topDialog() ?? document.body).append(element);
  // Set after it is there, so that it is read aloud.
  place.textContent = text;
  shown = element;
  const go = () => {
    if (element.matches(":hover, :focus-within")) setTimeout(go, 2000);
    else element.remove();
  };
  setTimeout(go, time);
};

const goBack = async (element, undo) => {
  element.remove();
  try {
    await undo();
  } catch (error) {
    toast(error.message);
  }
};

/// The dialog that lies above all others, also when it is within an element of its own.
const topDialog = () => {
  const find = (root) => [...root.querySelectorAll("*")].flatMap((element) => [
    ...(element.matches("dialog:modal") ? [element] : []), ...(element.shadowRoot ? find(element.shadowRoot) : []),
  ]);
  return find(document).at(-1);
};

document.addEventListener("keydown", (event) => {
  if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.target.closest?.("input, textarea")) return;
  if (!shown?.isConnected || !shown.goBack) return;
  event.preventDefault();
  shown.goBack();
});
