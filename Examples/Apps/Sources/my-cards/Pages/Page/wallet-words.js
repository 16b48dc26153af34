// What the wallet says, in English and German.

import "/ui/feed-words.js";
import { addWords } from "/ui/words.js";
import { english } from "/wallet-words-en.js";
import { german } from "/wallet-words-de.js";

addWords({ en: english, de: german });
