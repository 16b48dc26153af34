// Photos from the picker, which the program shows in this page.

import { follow } from "/ui/events.js";
import { RequestError, send } from "/ui/requests.js";
import { told } from "/ui/words.js";

const waiting = new Set();
let newest = null;

export const beginPhotos = () => follow("photo", (result) => {
  newest = result;
  for (const each of waiting) each();
});

/// Asks for a photo and gives what came of it: {picture, original, barcodes}, without a picture where it was cancelled; what
/// was asked for at "scan" may have barcodes alone.
///
/// `task` is what the picker says of it. The result may be told of before the answer comes that says which request it is of.
export const askForPhoto = async (path = "photos", task = null) => {
  const before = newest;
  document.querySelector("viewfinder-picker").task = task;
  const { id } = await send("POST", path);
  const result = await new Promise((resolve) => {
    const look = () => {
      if (newest?.id !== id || newest === before) return;
      waiting.delete(look);
      resolve(newest);
    };
    waiting.add(look);
    look();
  });
  if (result.problem) throw new RequestError(told(result.problem), result.problem);
  return result;
};
