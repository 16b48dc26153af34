// The page: photos, albums, search, trash and stream; the state of the library; the camera.

import { Bones } from "/ui/bones.js";
import { attempt, button, icon, iconButton, make } from "/ui/elements.js";
import { follow, followConnection } from "/ui/events.js";
import { followKeys } from "/ui/keys.js";
import { albumName } from "/ui/photo-lists.js";
import { ask, send } from "/ui/requests.js";
import { toast } from "/ui/toast.js";
import { told, translate, words } from "/ui/words.js";
import "/words.js";
import { addToAlbum, canShare, removeFromAlbum, save, setFavorite, share, trash } from "/actions.js";
import { addressOf, wanted } from "/address.js";
import { AlbumList } from "/albums.js";
import { Banners } from "/banners.js";
import { pageKeys } from "/key-lists.js";
import { ListPage, emptyPage } from "/list-page.js";
import { Menu } from "/menu.js";
import { Months } from "/months.js";
import { askName, confirm } from "/questions.js";
import { Scrubber } from "/scrubber.js";
import { Search } from "/search.js";
import { Sizes } from "/sizes.js";
import { Slideshow } from "/slideshow.js";
import { StreamPage } from "/stream.js";
import { Trash } from "/trash.js";

const element = (id) => document.getElementById(id);
translate();

const tabs = { photos: ["photos", "#/"], albums: ["album", "#/albums"], search: ["search", "#/search"], stream: ["sync", "#/stream"] };
element("tabs").ariaLabel = words("main");
// What lies above the tabs: they grow with the text.
new ResizeObserver(([{ target }]) => document.body.style.setProperty("--tabs", `${target.offsetHeight}px`)).observe(element("tabs"));
element("tabs").append(...Object.entries(tabs).map(([view, [name, href]]) =>
  make("a", { href, data: { view } }, icon(name), make("span", { textContent: words(`tab.${view}`) }))));

const newAlbum = () => askName(words("newAlbum"), words("create"), async (name) => {
  location.hash = addressOf({ view: "album", album: (await send("POST", "/albums", { name })).id });
  return name;
});

const list = new ListPage();
const { assets, grid, selection, viewer } = list;
const albums = new AlbumList(element("albums"), button(words("newAlbum"), newAlbum, { icon: "plus" }));
const search = new Search(element("search"));
const bin = new Trash(element("trash"));
/// What isn't part of a list is asked for by itself.
const asked = { albums: albums.asked, search: search.asked, trash: bin.asked };
const stream = new StreamPage(element("stream"));
const sizes = new Sizes(element("frame"), grid);
const months = new Months(element("months"), assets, (place) => sizes.choose("large", place));
const slideshow = new Slideshow(assets);
const banners = new Banners(element("banners"));
const bones = new Bones(element("bones"));
new Scrubber(element("scrubber"), grid);

let state = null;
/// What the album that is shown says of itself.
let album = null;
let isOldestFirst = false;
let view = null;
/// Where an album's list was when its page was left.
let from = null;

const isOpen = () => state?.access === "open";
const canChange = () => isOpen() && state.canSave;
const hasList = () => ["photos", "album"].includes(view) || (view === "search" && search.isOn);
const isByOwnOrder = () => album?.kind === "made" || ["favorites", "recents"].includes(album?.role);

// MARK: What is shown

/// Shows what the address names, as far as the library allows.
const route = () => {
  const next = wanted();
  const isOther = next.view !== view || (next.album && next.album !== album?.id);
  if (isOther) {
    from = view === "album" ? album?.id : null;
    [view, album] = [next.view, next.album ? { id: next.album } : null];
    isOldestFirst = false;
    for (const id of ["search", "albums", "trash", "stream"]) element(id).hidden = id !== view;
    element("main").classList.toggle("narrow", view === "stream");
    if (!hasList()) scrollTo(0, 0);
  }
  for (const link of element("tabs").children) {
    const isHere = link.dataset.view === (["album", "trash"].includes(view) ? "albums" : view);
    if (isHere) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  show();
  if (isOther) attempt(refresh).then(() => { if (from && view === "albums") albums.focus(from); });
};

/// The list that belongs to what is shown; an album's order isn't known before the album is.
const openList = () => {
  const order = isOldestFirst ? "oldest" : "newest";
  if (!isOpen()) list.close();
  else if (view === "photos") list.open({ order });
  else if (view === "search" && search.isOn) list.open(search.parameters);
  else if (view === "album" && album.kind) list.open({ album: album.id, order: isByOwnOrder() ? "own" : order });
  else list.close();
};

const show = () => {
  openList();
  const hasAlbum = view === "album";
  const titles = { photos: "tab.photos", albums: "tab.albums", search: "tab.search", trash: "trash", stream: "stream" };
  const title = hasAlbum ? (album.kind ? albumName(album) : "") : words(titles[view]);
  element("title").replaceChildren(make("bdi", { textContent: title }));
  document.title = title || words("tab.photos");
  const [hasPhotos, isMonths] = [hasList() && assets.count > 0, sizes.size === "months" && assets.days !== null];
  const hides = {
    back: !["album", "trash"].includes(view), select: !hasPhotos || isMonths, size: !hasPhotos, "new-album": view !== "albums",
    "empty-trash": view !== "trash" || !bin.count, more: !(hasPhotos || view === "photos" || (hasAlbum && album.kind === "made")),
    camera: !["photos", "album"].includes(view), frame: !hasList() || isMonths, months: !hasPhotos || !isMonths,
  };
  for (const [id, isHidden] of Object.entries(hides)) element(id).hidden = Boolean(isHidden) || !isOpen();
  for (const id of ["albums", "search", "trash", "stream"]) element(id).hidden = view !== id || (id !== "stream" && state?.access === "denied");
  if (!isOpen() || isMonths) element("scrubber").hidden = true;
  for (const id of ["camera", "new-album", "select", "empty-trash"]) element(id).disabled = !canChange();
  viewer.canSave = canChange();
  search.tell(list.isKnown ? assets.count : null);
  if (hasPhotos && isMonths) months.show();
  grid.draw();
  bones.show(hasList() && state?.access !== "denied" && !list.isKnown && !list.problem);
  showEmpty();
};

/// Says why there is nothing to see.
const showEmpty = () => {
  const content = emptyContent();
  element("empty").hidden = !content;
  element("empty").replaceChildren(...(content ?? []));
};

const camera = (kind = "") => button(words("takePhoto"), openCamera, { icon: "camera", kind, disabled: !canChange() });

const emptyContent = () => {
  if (state?.access === "denied") {
    return emptyPage(icon("lock", "big"), words("denied", { name: state.folder }), state.advice ? told(state.advice) : "",
      button(words("retry"), () => send("POST", "/library/open"), { id: "retry" }));
  }
  if (isOpen() && hasList() && list.problem) {
    return emptyPage(icon("warning", "big"), words(view === "search" ? "search.stopped" : "cantShow"), list.problem, button(words("retry"), () => list.retry()));
  }
  if (!isOpen() || !hasList() || !list.isKnown || assets.count || state.isScanning) return null;
  if (view === "search") {
    return emptyPage(icon("search", "big"), words("search.none", { phrase: search.phrase }), words("search.why"),
      button(words("search.clear"), () => search.clear()));
  }
  if (album?.kind === "made") return emptyPage(icon("album", "big"), words("emptyAlbum"), words("emptyAlbumWhy"), camera());
  if (album?.role === "favorites") return emptyPage(icon("heart", "big"), words("emptyFavorites"), words("emptyFavoritesWhy"));
  return emptyPage(icon("photos", "big"), words("emptyPhotos"), words("emptyPhotosWhy", { name: state.folder }), camera("primary"));
};

/// Asks for what isn't part of a list.
const refresh = async () => {
  if (view === "stream") stream.refresh();
  asked[view]?.wait();
  if (!isOpen()) return;
  await asked[view]?.refresh();
  if (view === "album") {
    const { id } = album;
    const report = await ask(`/albums/${id}`);
    if (album?.id !== id) return;
    album = report;
  }
  show();
};

/// Changes come in crowds.
let refreshing = 0;
const refreshSoon = () => {
  refreshing ||= setTimeout(() => {
    refreshing = 0;
    attempt(refresh);
  }, 150);
};

// MARK: What the program tells

follow("state", (report) => {
  const before = state;
  state = report;
  const { access, saved, version } = state;
  banners.show(state);
  if (before && saved && saved.id !== before.saved?.id) toast(words("savedAs", { name: saved.name }));
  show();
  if (access !== before?.access) attempt(refresh);
  else if (version !== before.version) refreshSoon();
});
follow("stream", (report) => stream.show(report));
let isAway = false;
followConnection((connection) => {
  banners.connection(connection);
  // What couldn't be had meanwhile.
  if (isAway && connection === "open") refreshSoon();
  isAway = !["open", "opening"].includes(connection);
});
for (const part of Object.values(asked)) part.addEventListener("change", show);
list.addEventListener("change", show);
search.addEventListener("change", () => {
  if (wanted().asset) location.hash = "#/search";
  show();
});

// MARK: Buttons

const press = (id, name, text, action) => {
  const target = element(id);
  target.replaceChildren(...(name ? [icon(name, ...(name === "back" ? ["turns"] : []))] : []));
  if (text) target.ariaLabel = target.title = words(text);
  target.addEventListener("click", () => attempt(action));
};
const openCamera = () => send("POST", "/camera", { album: album?.kind === "made" ? album.id : null });

press("back", "back", "tab.albums", () => {});
press("new-album", "plus", "newAlbum", newAlbum);
press("size", "grid", "gridSize", () => sizes.cycle());
press("more", "more", "more", () => {});
press("camera", "camera", null, openCamera);
element("camera").append(make("span", { textContent: words("camera") }));
element("select").addEventListener("click", () => selection.set(true));
element("end-selecting").addEventListener("click", () => selection.set(false));
element("select-all").addEventListener("click", () => attempt(() => selection.all()));
element("empty-trash").addEventListener("click", () => attempt(async () => { await bin.empty(); show(); }));

sizes.addEventListener("change", ({ detail: { size, place } }) => {
  show();
  if (size !== "months") grid.resizeTiles(size, place);
});
if (sizes.size !== "months") grid.layout.size = sizes.size;

new Menu(element("menu"), () => {
  const isByDay = assets.days !== null;
  return [
    ...(assets.count ? [{ icon: "play", text: words("slideshow"), press: () => slideshow.open(grid.firstInSight) }] : []),
    ...(isByDay ? [{ icon: "sort", text: words("oldestFirst"), isOn: isOldestFirst, press: () => { isOldestFirst = !isOldestFirst; show(); } }] : []),
    { icon: "trash", text: words("trash"), href: "#/trash" }, { icon: "settings", text: words("stream"), href: "#/stream" },
    ...(album?.kind === "made" ? [{ icon: "trash", text: words("deleteAlbum"), isDanger: true, isOff: !canChange(), press: deleteAlbum, id: "delete-album" }] : []),
  ];
});

const deleteAlbum = async () => {
  const { id, name } = album;
  if (!await confirm(words("deleteAlbumSure", { name }), words("deleteAlbumWhat"), words("deleteAlbum"))) return;
  await send("POST", `/albums/${id}/delete`);
  location.hash = "#/albums";
};

// MARK: Selection

let isBusy = false;
const tool = (name, code, action, kind = "") => {
  const target = make("button", { type: "button", className: kind, data: { tool: code } }, icon(name), make("span", { textContent: words(code) }));
  target.addEventListener("click", () => attempt(async () => {
    const { ids } = selection;
    // Of very many photos one thing is done at a time.
    if (!ids.length || isBusy) return;
    isBusy = true;
    try {
      if (await action(ids) !== false) selection.set(false);
    } finally {
      isBusy = false;
    }
  }));
  return target;
};
const isAllFavorite = (ids) => ids.every((id) => assets.at(assets.placeOf(id))?.isFavorite);
const tools = {
  ...(canShare ? { share: tool("share", "share", share) } : { save: tool("save", "save", save) }),
  add: tool("album", "addToAlbum", (ids) => addToAlbum(ids, album?.id)),
  favorite: tool("heart", "favorite", (ids) => setFavorite(ids, !isAllFavorite(ids), assets)),
  remove: tool("minus", "remove", (ids) => removeFromAlbum(ids, album.id)),
  trash: tool("trash", "toTrash", trash, "danger"),
};
element("actions").firstElementChild.append(...Object.values(tools));
list.addEventListener("select", () => {
  tools.remove.hidden = album?.kind !== "made";
  for (const target of Object.values(tools)) target.disabled = !selection.ids.length;
});

// MARK: Keys

/// Without a selection it is the photo that has the keyboard's focus.
const trashFocused = async () => {
  const { id } = document.activeElement.closest("#grid button")?.dataset ?? {};
  if (id) await trash([id]);
};

followKeys({
  "/": () => {
    location.hash = "#/search";
    requestAnimationFrame(() => search.focus());
  },
}, pageKeys());
document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]") || event.target.closest("input, textarea")) return;
  const isCommand = event.ctrlKey || event.metaKey;
  if (event.key === "a" && isCommand && hasList() && canChange()) {
    event.preventDefault();
    attempt(() => selection.all());
  } else if (event.key === "Escape" && selection.isOn) selection.set(false);
  else if (event.key === "Delete" && selection.isOn) tools.trash.click();
  else if (event.key === "Delete" && canChange()) attempt(trashFocused);
});

addEventListener("hashchange", route);
route();
