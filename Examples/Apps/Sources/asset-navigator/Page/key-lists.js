// Which keys there are: in the photos, and on one in full.

import { words } from "/ui/words.js";

/// Keys whose names are other ones on other keyboards have codes, the rest is as it is printed on them.
const list = (...keys) => keys.map(([key, code]) => [key.startsWith("key.") ? words(key) : key, words(code)]);

export const pageKeys = () => list(
  ["/", "key.search"], ["← → ↑ ↓", "key.move"], ["key.ends", "key.toEnds"], ["key.return", "key.open"], ["key.shift", "key.extend"],
  ["key.a", "selectAll"], ["key.delete", "key.toTrash"], ["key.z", "undo"]);

export const viewerKeys = () => list(
  ["← →", "key.turn"], ["I", "about"], ["H", "favorite"], ["E", "edit"], ["key.space", "key.play"], ["+ − 0", "key.zoom"],
  ["key.delete", "key.toTrash"], ["key.z", "undo"]);
