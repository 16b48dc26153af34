// What somebody does to a card: done at once, told with a way back.

import { attempt } from "/ui/elements.js";
import { send } from "/ui/requests.js";
import { toast } from "/ui/toast.js";
import { words } from "/ui/words.js";
import { cards, isOffline, refreshCards } from "/wallet-cards.js";

const short = (name) => (name.length > 60 ? `${name.slice(0, 60)}…` : name);

/// Changes members of a card, and only those: the rest may have changed on another device meanwhile.
export const change = async (id, changes, before) => {
  await send("PUT", `cards/${id}`, { changes, before });
  await refreshCards();
};

export const setStar = (card) =>
  change(card.id, { starStatus: !card.isStarred }, { starStatus: card.isStarred || undefined });

export const setArchived = async (card, isArchived = !card.isArchived) => {
  await change(card.id, { archiveStatus: isArchived }, { archiveStatus: card.isArchived || undefined });
  toast(words(isArchived ? "isArchived" : "isUnarchived", { name: short(card.name) }), {
    undo: () => change(card.id, { archiveStatus: !isArchived }, { archiveStatus: isArchived || undefined }),
  });
};

/// Deletes without asking: it can be brought back.
export const deleteCard = async (card) => {
  await send("DELETE", `cards/${card.id}`);
  if (location.hash.includes(card.id)) location.hash = "#/";
  await refreshCards();
  toast(words("isDeleted", { name: short(card.name) }), { undo: () => restore(card.id) });
};

export const restore = async (id, { isTold = false } = {}) => {
  const restored = await send("POST", `cards/${id}/undelete`);
  await refreshCards();
  const name = cards().cards.get(restored.id)?.name ?? "";
  if (isTold) toast(words("isBack", { name: short(name) }), { undo: () => { location.hash = `#/card/${restored.id}`; }, action: words("showIt") });
  return restored.id;
};

/// Chooses between kept values and present ones; gives what takes that back.
export const settle = async (choices) => {
  const { undo } = await send("POST", "kept", { choices });
  return undo.length ? async () => {
    await send("POST", "kept/undo", { undo });
    await refreshCards();
  } : undefined;
};

/// Notes that a card was shown: what is used often comes first. At the till nothing is told of a failure.
export const markShown = async (id) => {
  if (!isOffline()) await send("POST", `cards/${id}/shown`).catch(() => {});
};

/// Copies text; only secure contexts have a clipboard.
export const copy = (text) => attempt(async () => {
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  toast(words("isCopied"));
});
