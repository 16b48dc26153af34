// Keys of the whole page: search, and the list of keys.

import { make } from "/ui/elements.js";
import { words } from "/ui/words.js";
import { sheet } from "/wallet-dialogs.js";

const keys = [["/", "key.search"], ["?", "key.keys"], ["Esc", "key.close"], ["← → ↑ ↓", "key.move"], ["Ctrl+Z", "undo"], ["C F B", "key.sides"]];

/// `search` gives the field that searches, or takes the page to it.
export const beginKeys = (search) => addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, textarea, select, dialog, [popover]")) return;
  if (event.key === "/") {
    event.preventDefault();
    search()?.focus();
  } else if (event.key === "?") {
    sheet(words("keys"), make("dl", { className: "rows facts-rows keys" }, ...keys.map(([key, code]) =>
      make("div", {}, make("dt", { textContent: words(code) }), make("dd", {}, make("kbd", { textContent: key }))))));
  }
});
