// Shows the list, a card, or the editor, by the part of the address behind "#".

import { editor } from "/wallet-editor.js";
import { devices } from "/wallet-devices.js";
import { detail } from "/wallet-detail.js";
import { list } from "/wallet-list.js";
import { attempt } from "/wallet-server.js";

const view = document.getElementById("view");
const sync = document.getElementById("sync");
let shown = null;
let version = null;

/// The view for an address: what it shows, and what it does when the cards change.
const open = (address) => {
  const [, place, id] = address.split("/");
  if (place === "card") return detail(id);
  if (place === "edit") return editor(id);
  if (place === "new") return editor();
  if (place === "devices") return devices();
  return list();
};

const show = () => attempt(async () => {
  document.getElementById("viewer").close();
  shown?.close?.();
  shown = open(location.hash);
  view.replaceChildren(shown.element);
  await shown.refresh();
  document.title = shown.title?.() ?? "My cards";
  view.focus({ preventScroll: true });
});

addEventListener("hashchange", show);

new EventSource("/events").onmessage = (event) => {
  const report = JSON.parse(event.data);
  sync.textContent = report.sync ?? "";
  if (report.photo) dispatchEvent(new CustomEvent("photo", { detail: report.photo }));
  if (report.imports) dispatchEvent(new CustomEvent("import", { detail: report.imports }));
  const isChange = version !== null && version !== report.version;
  version = report.version;
  // What somebody is typing stays.
  if (isChange && !shown?.isEditing) attempt(() => shown?.refresh());
};

show();
