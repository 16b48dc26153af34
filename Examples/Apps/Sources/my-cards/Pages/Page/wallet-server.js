// What the pages of the wallet ask their server, and how they tell what it said.

import { ask, make } from "/ui/picker-actions.js";

export { ask, make };

/// Sends JSON, or a file; throws what the server says against it.
export const send = async (method, path, body) => {
  const isFile = body instanceof Blob;
  const answer = await fetch(path, {
    method,
    headers: isFile || body === undefined ? {} : { "Content-Type": "application/json" },
    body: isFile || body === undefined ? body : JSON.stringify(body),
  }).catch(() => {
    throw new Error("The server doesn't answer. Nothing is lost; try again in a moment.");
  });
  const value = answer.status === 204 ? null : await answer.json();
  if (!answer.ok) throw new Error(value.error);
  return value;
};

/// A button that does something when it is pressed, and tells what went wrong.
export const button = (text, action, properties = {}) => {
  const element = make("button", { type: "button", textContent: text, ...properties });
  element.addEventListener("click", () => attempt(action));
  return element;
};

export const attempt = async (action) => {
  try {
    await action();
  } catch (error) {
    toast(error.message);
  }
};

let toastTimer = 0;

/// Shows a line for ten seconds, with a way back where there is one.
export const toast = (text, undo) => {
  const place = document.getElementById("toast");
  const words = make("span", { textContent: text });
  const close = () => { place.hidden = true; };
  place.replaceChildren(words);
  if (undo) place.append(button("Undo", async () => { close(); await undo(); }));
  place.append(button("✕", close, { ariaLabel: "Close" }));
  place.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(close, 10_000);
};

/// A card's side, or a plain card where there is no picture.
export const cardPicture = (hash, alt, color) => {
  const plain = () => {
    const element = make("span", { className: "card plain", role: "img", ariaLabel: alt });
    if (color) element.style.setProperty("background", color);
    return element;
  };
  if (!hash) return plain();
  const picture = make("img", { className: "card", alt, src: `/pictures/${hash}`, loading: "lazy" });
  // It may come with the next synchronisation.
  picture.addEventListener("error", () => picture.replaceWith(plain()));
  return picture;
};

/// Shows a picture as large as the screen until it is pressed.
export const showFull = (picture) => {
  const viewer = document.getElementById("viewer");
  viewer.replaceChildren(picture, button("✕", () => viewer.close(), { ariaLabel: "Close" }));
  viewer.onclick = (event) => { if (event.target === viewer) viewer.close(); };
  viewer.showModal();
};
