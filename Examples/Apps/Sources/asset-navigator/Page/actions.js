// What can be done with photos: favourites, albums, trash, sharing and saving copies.

import { make } from "/ui/elements.js";
import { ask, request, send } from "/ui/requests.js";
import { toast } from "/ui/toast.js";
import { words } from "/ui/words.js";
import { inParts, tell } from "/in-parts.js";
import { askName, choose } from "/questions.js";

/// Makes photos favourites, or no favourites; with a way back.
export const setFavorite = async (ids, isFavorite, assets) => {
  const set = (some, value) => inParts(some, "favorites", async (part, options) => {
    await send("POST", "/favorites", { assets: part, isFavorite: value }, options);
    assets?.change(part, { isFavorite: value });
  });
  const result = await set(ids, isFavorite);
  return tell(isFavorite ? "favorites.added" : "favorites.removed", result, async () => {
    const { error } = await set(result.done, !isFavorite);
    if (error) throw error;
  });
};

/// Puts photos into the trash at once; Undo brings them back, into their albums too.
export const trash = async (ids) => {
  const result = await inParts(ids, "trash", (part, options) => send("POST", "/trash", { assets: part }, options));
  return tell("trash.moved", result, () => restore(result.answers.flatMap(({ items }) => items)));
};

export const restore = async (items) =>
  tell("trash.restored", await inParts(items, "restore", (part, options) => send("POST", "/trash/restore", { items: part }, options)));

export const deleteForGood = async (items) =>
  tell("trash.deleted", await inParts(items, "delete", (part, options) => send("POST", "/trash/delete", { items: part }, options)));

/// Asks for an album, and puts photos into it; says whether it did.
export const addToAlbum = async (ids, but) => {
  const albums = (await ask("/albums")).filter(({ kind, id }) => kind === "made" && id !== but);
  const choice = await choose(words("addTo", { count: ids.length }), [
    ...albums.map(({ id, name }) => ({ value: id, text: name, icon: "album" })),
    { value: "new", text: words("newAlbum"), icon: "plus" },
  ]);
  if (!choice) return false;
  const album = choice === "new" ? await makeAlbum() : albums.find(({ id }) => id === choice);
  if (!album) return false;
  const { error } = await add(ids, album.id);
  if (error) throw error;
  toast(words("album.added", { name: album.name }));
  return true;
};

const makeAlbum = () => askName(words("newAlbum"), words("create"), async (name) =>
  ({ id: (await send("POST", "/albums", { name })).id, name }));

const add = (ids, album) =>
  inParts(ids, "add", (part, options) => send("POST", `/albums/${album}/add`, { assets: part }, options));

export const removeFromAlbum = async (ids, album) => {
  const result = await inParts(ids, "remove", (part, options) => send("POST", `/albums/${album}/remove`, { assets: part }, options));
  return tell("album.removed", result, async () => {
    const { error } = await add(result.done, album);
    if (error) throw error;
  });
};

/// Whether this browser hands files to other apps.
export const canShare = Boolean(navigator.canShare?.({ files: [new File([""], "a.jpg", { type: "image/jpeg" })] }));

const fileOf = async (id) => {
  const asset = await ask(`/assets/${id}`);
  const [file] = asset.files;
  return { name: file.name, type: file.type ?? "application/octet-stream", path: `/assets/${id}/files/${file.id}` };
};

/// Hands files to another app.
export const share = async (ids) => {
  const files = [];
  for (const id of ids) {
    const { name, type, path } = await fileOf(id);
    files.push(new File([await (await request("GET", path, { time: 120_000 })).blob()], name, { type }));
  }
  await navigator.share({ files });
};

/// Puts copies of the files into the browser's downloads.
export const save = async (ids) => {
  for (const id of ids) {
    const { name, path } = await fileOf(id);
    const link = make("a", { href: path, download: name });
    link.click();
  }
  toast(words("saved", { count: ids.length }));
};
