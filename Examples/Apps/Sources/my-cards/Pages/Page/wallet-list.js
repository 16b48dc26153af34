// The list of cards: search, groups, and everything that is about all cards.

import { ask, button, cardPicture, make, send, toast } from "/wallet-server.js";

// The import that this page waits for, and the last news of any: small ones are over before their answer is here.
let begun = null;
let news = null;
// Kept while somebody looks at a card.
const wanted = { text: "", group: "", archived: false };

export const list = () => {
  const search = make("input", {
    type: "search", placeholder: "Search", ariaLabel: "Search cards", value: wanted.text,
  });
  const groups = make("div", { className: "chips", role: "group", ariaLabel: "Groups" });
  const cards = make("ul", { className: "cards", ariaLabel: "Cards" });
  const none = make("p", { className: "none quiet" });
  const lost = make("div", { className: "kept" });
  const file = make("input", { type: "file", accept: ".zip,.csv", hidden: true, ariaLabel: "Catima's file" });
  const archived = button("Archive", () => {
    wanted.archived = !wanted.archived;
    return refresh();
  });
  let shown = "";
  const add = make("a", { className: "button primary", href: "#/new", textContent: "Add a card" });
  const menu = make("div", { className: "row" },
    archived, button("Import", () => file.click()),
    make("a", { className: "button", href: "/export", download: "my-cards.zip", textContent: "Export" }),
    make("a", { className: "button", href: "#/devices", textContent: "Devices" }), file);
  const element = make("section", { className: "list" },
    make("header", {}, make("h1", { textContent: "My cards" }), add), lost, search, groups, none, cards, menu);

  const query = () => {
    const members = new URLSearchParams();
    if (wanted.text) members.set("text", wanted.text);
    if (wanted.group) members.set("group", wanted.group);
    if (wanted.archived) members.set("archived", "true");
    // A plus is a space in forms alone.
    return `${members}`.replaceAll("+", "%20");
  };

  const refresh = async () => {
    const asked = query();
    const report = await ask(`/cards?${asked}`);
    // An answer to what isn't wanted any more.
    if (asked !== query()) return;
    // What somebody is about to press stays.
    if (shown === JSON.stringify([report, wanted])) return;
    shown = JSON.stringify([report, wanted]);
    cards.replaceChildren(...report.cards.map(tile));
    archived.setAttribute("aria-pressed", String(wanted.archived));
    groups.hidden = report.groups.length === 0;
    groups.replaceChildren(...report.groups.map(({ name, count }) => {
      const chip = button(`${name} (${count})`, () => {
        wanted.group = wanted.group === name ? "" : name;
        return refresh();
      });
      chip.setAttribute("aria-pressed", String(wanted.group === name));
      return chip;
    }));
    lost.replaceChildren(...report.lost.map(({ id, name }) => make("p", {},
      make("span", { textContent: `“${name}” was deleted on another device after it was changed here.` }),
      button("Restore it", () => send("POST", `/kept/${encodeURIComponent(id)}/use`)),
      button("Drop it", () => send("POST", `/kept/${encodeURIComponent(id)}/dismiss`)))));
    none.hidden = report.cards.length > 0;
    none.textContent = report.isEmpty
      ? "No cards yet. Add your first: a photo of its front and one of its back."
      : wanted.archived ? "No card is in the archive." : "No card is like that.";
  };

  search.addEventListener("input", () => {
    wanted.text = search.value;
    refresh().catch((error) => toast(error.message));
  });
  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    file.value = "";
    if (!chosen) return;
    try {
      begun = (await send("POST", "/import", chosen)).id;
      if (news) follow({ detail: news });
    } catch (error) {
      toast(error.message);
    }
  });
  const follow = ({ detail }) => {
    news = detail;
    const { id, done, count, report, problem } = detail;
    if (id !== begun) return;
    if (!report && !problem) toast(`${done} of ${count} cards are imported.`);
    else if (problem) toast(problem);
    else toast([`${report.added} cards are new, ${report.known} were here already.`, ...report.remarks].join(" "));
    if (report || problem) begun = null;
  };
  addEventListener("import", follow);
  return { element, refresh, close: () => removeEventListener("import", follow) };
};

const tile = ({ id, name, isStarred, isExpired, color, picture }) => {
  const words = make("span", { className: "name", textContent: name });
  if (isStarred) words.prepend("★ ");
  const link = make("a", { href: `#/card/${id}` }, cardPicture(picture, "", color), words);
  if (isExpired) link.append(make("span", { className: "quiet", textContent: "Expired" }));
  return make("li", {}, link);
};
