// Keys of the whole page: search, and the list of keys.

import { followKeys } from "/ui/keys.js";
import { words } from "/ui/words.js";

const keys = [["/", "key.search"], ["← → ↑ ↓", "key.move"], ["Ctrl+Z", "undo"], ["C F B", "key.sides"]];

/// `search` gives the field that searches, or takes the page to it.
export const beginKeys = (search) =>
  followKeys({ "/": () => search()?.focus() }, keys.map(([key, code]) => [key, words(code)]));
