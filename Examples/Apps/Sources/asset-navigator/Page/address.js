// The page's address: #/ for the albums, #/album/ID for one of them, #/album/ID/ASSET for an asset in full.

/// The ids of the album and the asset that the address names; null where it names none.
export const wanted = () => {
  const [, kind, album, asset] = location.hash.split("/");
  return kind === "album" && album
    ? { album, asset: asset || null } : { album: null, asset: null };
};

export const addressOf = (album, asset) => `#/album/${album}${asset ? `/${asset}` : ""}`;

/// Names another asset without a step back to this one.
export const replaceAsset = (album, asset) => {
  const address = addressOf(album, asset);
  if (location.hash !== address) history.replaceState(null, "", address);
};
