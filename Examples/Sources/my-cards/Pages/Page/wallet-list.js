// The list of cards: search, groups, and everything that is about all cards.

import { ask, button, cardPicture, make, send, toast } from "/wallet-server.js";

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
  const add = make("a", { className: "button primary", href: "#/new", textContent: "Add a card" });
  const menu = make("div", { className: "row" },
    archived, button("Import", () => file.click()),
    make("a", { className: "button", href: "/export", download: "my-cards.zip", textContent: "Export" }), file);
  const element = make("section", { className: "list" },
    make("header", {}, make("h1", { textContent: "My cards" }), add), lost, search, groups, none, cards, menu);

  const refresh = async () => {
    const query = new URLSearchParams();
    if (wanted.text) query.set("text", wanted.text);
    if (wanted.group) query.set("group", wanted.group);
    if (wanted.archived) query.set("archived", "true");
    const asked = `${query}`;
    const report = await ask(`/cards?${query}`);
    // An answer to what isn't wanted any more.
    if (asked !== `${query}`) return;
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
      const { added, known, remarks } = await send("POST", "/import", chosen);
      toast([`${added} cards are new, ${known} were here already.`, ...remarks].join(" "));
    } catch (error) {
      toast(error.message);
    }
  });
  return { element, refresh };
};

const tile = ({ id, name, isStarred, isExpired, color, picture }) => {
  const words = make("span", { className: "name", textContent: name });
  if (isStarred) words.prepend("★ ");
  const link = make("a", { href: `#/card/${id}` }, cardPicture(picture, "", color), words);
  if (isExpired) link.append(make("span", { className: "quiet", textContent: "Expired" }));
  return make("li", {}, link);
};
