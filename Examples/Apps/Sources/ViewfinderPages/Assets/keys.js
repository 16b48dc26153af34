// Keys of a whole page, and the list of them, which ? shows everywhere.
//
//   const stop = followKeys({ "/": () => search.focus() }, [["/", words("key.search")], …]);

import "./sheet.js";
import { make } from "./elements.js";
import { words } from "./words.js";

/// What all lists end with.
const shared = [["?", "key.keys"], ["Esc", "key.close"]];

/// Shows which keys there are, [key, words] each, until it is closed; within a dialog that lies over the page, if given.
export const showKeys = (list, place = document.body) => {
  const rows = [...list, ...shared.map(([key, code]) => [key, words(code)])];
  const sheet = make("viewfinder-sheet", { label: words("keys"), on: { close: () => sheet.remove() } },
    make("dl", { className: "rows facts-rows keys" }, ...rows.map(([key, text]) =>
      make("div", {}, make("dt", { textContent: text }), make("dd", {}, make("kbd", { dir: "ltr", textContent: key }))))));
  place.append(sheet);
  sheet.show();
  return sheet;
};

/// Whether a key is for what has the focus: a field takes letters, a dialog or menu has keys of its own.
const isTaken = (event) => event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey
  || event.composedPath()[0].closest?.("input:not([type=checkbox], [type=radio]), textarea, select, dialog, [popover], viewfinder-sheet");

/// Does what keys do on a page, and shows the list of [key, words] with ?, until the function that it returns is called.
export const followKeys = (actions, list) => {
  const press = (event) => {
    if (isTaken(event)) return;
    const act = event.key === "?" ? () => showKeys(list) : Object.hasOwn(actions, event.key) ? actions[event.key] : null;
    if (!act) return;
    event.preventDefault();
    act();
  };
  addEventListener("keydown", press);
  return () => removeEventListener("keydown", press);
};
