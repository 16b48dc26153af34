// What can be done with photos: favourites, albums, trash, sharing and saving copies.

import { make } from "/ui/elements.js";
import { ask, request, send } from "/ui/requests.js";
import { toast } from "/ui/toast.js";
import { words } from "/ui/words.js";
import { askName, choose } from "/questions.js";

/// Makes photos favourites, or no favourites; with a way back.
export const setFavorite = async (ids, isFavorite, assets) => {
  const set = async (value) => {
    await send("POST", "/favorites", { assets: ids, isFavorite: value });
    assets?.change(ids, { isFavorite: value });
  };
  await set(isFavorite);
  toast(words(isFavorite ? "favorites.added" : "favorites.removed", { count: ids.length }), { undo: () => set(!isFavorite) });
};

/// Puts photos into the trash at once; Undo brings them back, into their albums too.
export const trash = async (ids) => {
  const { items } = await send("POST", "/trash", { assets: ids });
  toast(words("trash.moved", { count: ids.length }), { undo: () => restore(items) });
};

export const restore = async (items) => {
  await send("POST", "/trash/restore", { items });
  toast(words("trash.restored", { count: items.length }));
};

/// Asks for an album, and puts photos into it; says whether it did.
export const addToAlbum = async (ids, but) => {
  const albums = (await ask("/albums")).filter(({ kind, id }) => kind === "made" && id !== but);
  const choice = await choose(words("addTo", { count: ids.length }), [
    ...albums.map(({ id, name }) => ({ value: id, text: name, icon: "album" })),
    { value: "new", text: words("newAlbum"), icon: "plus" },
  ]);
  if (!choice) return false;
  if (choice !== "new") {
    await send("POST", `/albums/${choice}/add`, { assets: ids });
    toast(words("album.added", { name: albums.find(({ id }) => id === choice).name }));
    return true;
  }
  const name = await askName(words("newAlbum"), words("create"), async (wanted) => {
    await send("POST", "/albums", { name: wanted, assets: ids });
    return wanted;
  });
  if (name) toast(words("album.added", { name }));
  return Boolean(name);
};

export const removeFromAlbum = async (ids, album) => {
  await send("POST", `/albums/${album}/remove`, { assets: ids });
  toast(words("album.removed", { count: ids.length }), { undo: () => send("POST", `/albums/${album}/add`, { assets: ids }) });
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
