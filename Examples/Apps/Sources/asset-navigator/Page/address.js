// The page's address: #/ for all photos, #/albums, #/album/ID, #/search, #/trash and #/stream; /photo/ID behind a list is an
// asset in full.

const views = ["albums", "album", "search", "trash", "stream"];

/// What the address names: a view, its album, and the asset that is shown in full.
export const wanted = () => {
  const [, ...parts] = location.hash.split("/");
  const view = views.includes(parts[0]) ? parts[0] : "photos";
  const album = view === "album" ? parts[1] : null;
  const at = parts.indexOf("photo");
  return { view, album, asset: (at >= 0 && parts[at + 1]) || null };
};

/// The address of a view, or of an asset in it.
export const addressOf = ({ view, album, asset }) =>
  ["#", ...(view === "photos" ? [] : [view]), ...(album ? [album] : []), ...(asset ? ["photo", asset] : [])]
    .join("/").replace(/^#$/, "#/");

/// Names another asset without a step back to this one; null for none.
export const replaceAsset = (asset) => {
  const address = addressOf({ ...wanted(), asset });
  if (location.hash !== address) history.replaceState(null, "", address);
};
