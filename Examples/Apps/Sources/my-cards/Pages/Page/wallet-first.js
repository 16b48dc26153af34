// Asks for the cards while the page's other files are still on their way.

import { refreshCards } from "/wallet-cards.js";

refreshCards();
