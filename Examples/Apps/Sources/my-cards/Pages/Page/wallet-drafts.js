// Half-typed forms: what is typed is kept in this browser, and the program keeps the photos that no card has yet.

import { send } from "/ui/requests.js";
import { choice, choices, choose } from "/wallet-choices.js";
import { newID } from "/wallet-ids.js";

const prefix = "draft-";
/// By form, the pictures that the program was told of last.
const told = new Map();

/// A form as it was left; null where none was.
export const draft = (name) => choice(prefix + name) ?? null;

const picturesOf = ({ front, back }) =>
  [front, back].flatMap((side) => (side ? [side.picture, side.original] : [])).filter(Boolean);

/// Keeps a form as it is.
export const keepDraft = (name, form) => {
  const id = draft(name)?.id ?? newID();
  choose(prefix + name, { ...form, id });
  const pictures = JSON.stringify(picturesOf(form.values));
  if (told.get(id) === pictures || (!told.has(id) && pictures === "[]")) return;
  told.set(id, pictures);
  // The newest day's photos stay anyway; the next change tells again.
  tellOf(id, form).catch(() => told.delete(id));
};

/// Tells the program which photos a form has; gives those that aren't there any more.
const tellOf = async (id, { values }) => new Set((await send("PUT", `drafts/${id}`, { pictures: picturesOf(values) })).missing);

/// The photos of a form that are gone; none where the program can't be asked.
export const missingPhotos = async (name) => {
  const form = draft(name);
  if (!form || picturesOf(form.values).length === 0) return new Set();
  const id = form.id ?? newID();
  choose(prefix + name, { ...form, id });
  return tellOf(id, form).catch(() => new Set());
};

/// Forgets a form: it was saved, or given up by hand.
export const dropDraft = (name) => {
  const left = draft(name);
  choose(prefix + name, null);
  if (!left?.id || (!told.has(left.id) && picturesOf(left.values).length === 0)) return;
  told.delete(left.id);
  send("DELETE", `drafts/${left.id}`).catch(() => {});
};

/// Forgets all of them.
export const dropDrafts = () => {
  for (const name of choices()) if (name.startsWith(prefix)) dropDraft(name.slice(prefix.length));
};
