// The page: the albums, or one of them; the state of the library; the camera.

import { addressOf, wanted } from "/address.js";
import { AlbumList } from "/albums.js";
import { AlbumPage } from "/album.js";
import { LibraryEvents, send } from "/events.js";
import { complain, hold, on, resume, tell } from "/messages.js";
import { askName, confirm } from "/sheet.js";
import { openStream, showStream, streamNews } from "/stream.js";

const element = (id) => document.getElementById(id);
const events = new LibraryEvents();
const albums = new AlbumList(element("albums"));
const page = new AlbumPage();
let state = null;

/// Shows what the address names, as far as the library allows.
const route = () => {
  const isOpen = state?.access === "open";
  const { album } = wanted();
  const hides = {
    denied: state?.access !== "denied", albums: !isOpen || album, album: !isOpen || !album,
    back: !isOpen || !album, stream: !isOpen || album, select: !isOpen || !album, "new-album": !isOpen || album,
  };
  if (isOpen && album && album === page.album?.id) return page.showAsset();
  const from = page.album?.id;
  page.begin(isOpen ? album : null);
  for (const [id, isHidden] of Object.entries(hides)) element(id).hidden = Boolean(isHidden);
  if (!isOpen) return;
  events.follow(album);
  refresh().then(() => { if (from && !album) albums.focus(from); });
};

/// Asks for what the albums say of themselves.
const refresh = async () => {
  const { album } = page;
  try {
    if (album) return await page.refresh();
    document.title = element("title").textContent = "Photos";
    element("subtitle").textContent = "";
    await albums.refresh();
  } catch (error) {
    if (page.album === album) complain(error.message);
  }
};

/// Changes come in crowds.
let refreshing = 0;
const refreshSoon = () => {
  refreshing ||= setTimeout(() => {
    refreshing = 0;
    refresh();
  }, 150);
};

// MARK: What the program tells

events.anchor = () => page.anchor;

events.addEventListener("state", ({ detail }) => {
  const before = state;
  state = detail;
  const { access, advice, canSave, isScanning, problems, problem, saved } = state;
  const canChange = access === "open" && canSave;
  for (const id of ["camera", "new-album", "delete-album", "select"]) {
    element(id).disabled = !canChange;
  }
  page.allow(canChange, !isScanning);
  element("advice").textContent = access === "denied" ? advice : "";
  hold([
    ...(access === "opening" ? ["The library is being opened."] : []),
    ...(access === "open" && advice ? [advice] : []),
    ...(isScanning ? ["Looking for photos …"] : []), ...problems,
  ].join(" "));
  showStream(state.stream);
  element("stream-news").textContent = streamNews(state.stream);
  element("stream-news").hidden = !element("stream-news").textContent;
  if (problem !== before?.problem) complain(problem, state.unsaved > 0);
  if (before && saved && saved.id !== before.saved?.id) tell(`Saved as ${saved.name}.`);
  if (access !== before?.access) route();
  else if (state.version !== before.version) refreshSoon();
});

events.addEventListener("list", ({ detail }) => page.follow(detail));
events.addEventListener("problem", ({ detail }) => complain(detail));
events.addEventListener("away", ({ detail }) => tell(detail));
events.addEventListener("back", resume);

// MARK: Buttons

on("retry", () => send("/library/open"));
on("save-again", () => send("/camera/save"));
on("discard", () => send("/camera/discard"));
on("close-alert", () => complain(null));
on("camera", () => send("/camera", { album: page.album?.kind === "made" ? page.album.id : null }));
on("stream", () => openStream(state?.stream));
on("new-album", async () => {
  const name = await askName("New album", "Name", "Make album");
  if (name) location.hash = addressOf((await send("/albums", { name })).id);
});
on("delete-album", async () => {
  const { id, name } = page.album;
  const isSure = await confirm(
    `Delete the album ${name}?`, "Its photos stay in the library.", "Delete album");
  if (!isSure) return;
  await send(`/albums/${id}/delete`);
  location.hash = "#/";
});

addEventListener("hashchange", route);
events.follow(null);
