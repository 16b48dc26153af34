// The photos of a card's sides in the form: both are optional.

import { attempt, icon, make } from "/ui/elements.js";
import { words } from "/ui/words.js";
import { menu } from "/wallet-dialogs.js";
import { photo } from "/wallet-face.js";
import { askForPhoto } from "/wallet-photos.js";

/// `changed` is called when a photo came or went, `found` with the bar codes of a new one.
export const sideSlots = ({ changed, found }) => {
  const values = { front: null, back: null };
  const slots = Object.fromEntries(["front", "back"].map((side) => {
    const slot = make("button", { type: "button", className: "slot" });
    // Stays until another photo is asked for: who makes room on a disk needs more than a moment.
    const problem = make("p", { className: "error", role: "alert" });
    slot.addEventListener("click", () => attempt(() => (values[side] ? choose(side) : pick(side))));
    const element = make("div", { className: "side-slot", role: "group", ariaLabel: words(side), data: { side } }, slot, problem);
    return [side, { slot, problem, element }];
  }));

  const show = () => {
    for (const [side, { slot }] of Object.entries(slots)) {
      slot.classList.toggle("done", Boolean(values[side]));
      if (slot.dataset.picture === String(values[side]?.picture)) continue;
      slot.dataset.picture = String(values[side]?.picture);
      if (values[side]) {
        slot.ariaLabel = words(`change.${side}`);
        slot.replaceChildren(photo(values[side].picture, { lazy: false }));
      } else {
        slot.removeAttribute("aria-label");
        slot.replaceChildren(icon("camera"), make("span", { textContent: words(side) }));
      }
    }
  };

  /// Gives what came of it, as askForPhoto does; nothing where it failed.
  const pick = async (side, path, task) => {
    slots[side].problem.replaceChildren();
    try {
      const result = await askForPhoto(path, task);
      const { picture, original, barcodes = [] } = result;
      if (picture) {
        values[side] = original ? { picture, original } : { picture };
        show();
        changed();
      }
      if (picture || barcodes.length) found(barcodes);
      return result;
    } catch (error) {
      slots[side].problem.replaceChildren(icon("warning", "small"), make("span", { textContent: error.message }));
      return {};
    }
  };

  const choose = (side) => menu([
    ["camera", words("anotherPhotoTake"), () => pick(side)],
    ["trash", words("removePhoto"), () => {
      values[side] = null;
      show();
      changed();
    }, "danger"],
  ], { button: slots[side].slot });

  /// Takes out photos that aren't there any more, unless the card has them: those may come from another device.
  const forget = (missing, card) => {
    for (const side of ["front", "back"]) {
      const own = values[side];
      if (!own || own.picture === card[side]?.picture || !(missing.has(own.picture) || missing.has(own.original))) continue;
      values[side] = missing.has(own.picture) ? card[side] ?? null : { picture: own.picture };
      if (missing.has(own.picture)) slots[side].problem.replaceChildren(icon("warning", "small"), make("span", { textContent: words("photoLost") }));
      show();
      changed();
    }
  };

  const set = ({ front = null, back = null }) => {
    Object.assign(values, { front, back });
    show();
  };
  show();
  const element = make("div", { className: "photo-slots", role: "group", "aria-labelledby": "photos-label" }, ...Object.values(slots).map((each) => each.element));
  return { element, pick, set, forget, value: () => ({ ...values }) };
};
