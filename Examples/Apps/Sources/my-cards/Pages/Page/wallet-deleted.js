// Cards that were deleted in the last 30 days.

import { button, icon, make } from "/ui/elements.js";
import { ask, send } from "/ui/requests.js";
import { toast } from "/ui/toast.js";
import { words } from "/ui/words.js";
import { isOffline, refreshCards, watchCards } from "/wallet-cards.js";
import { restore } from "/wallet-changes.js";
import { question } from "/wallet-dialogs.js";
import { drawnFace, face } from "/wallet-face.js";

/// Skeletons come where the list takes longer than this.
const patience = 300;

export const deleted = () => {
  const all = button(words("empty"), () => ask_(), { kind: "plain danger", hidden: true });
  const body = make("main", { className: "page narrow stack", tabIndex: -1 });
  const element = make("div", { className: "view" }, make("header", { className: "bar narrow-bar" },
    make("a", { className: "icon-button", href: "#/", ariaLabel: words("cards") }, icon("back", "turns")),
    make("h1", { textContent: words("recentlyDeleted") }), all), body);
  let list = [];
  let drawn = "";
  const bones = () => make("div", { role: "status", ariaLabel: words("loadingDeleted") },
    make("ul", { className: "rows", ariaHidden: "true" }, ...Array.from({ length: 4 }, () => make("li", { className: "item" },
      make("span", { className: "mini" }, make("span", { className: "face bone" })), make("span", { className: "grow" }, make("span", { className: "bone line" }))))));
  const bonesTimer = setTimeout(() => { if (!drawn) body.replaceChildren(bones()); }, patience);

  const refresh = async () => {
    if (isOffline()) return show(words("deletedOffline"));
    try {
      list = await ask("deleted");
    } catch (error) {
      return show(error.message);
    }
    return show();
  };

  const show = (problem) => {
    const key = JSON.stringify([list, problem]);
    if (key === drawn) return;
    drawn = key;
    all.hidden = Boolean(problem) || list.length === 0;
    if (problem) {
      body.replaceChildren(make("div", { className: "banner", role: "status" }, icon("cloud-off"), make("p", {}, make("strong", { textContent: words("offline") }), problem)));
    } else if (list.length === 0) {
      body.replaceChildren(make("section", { className: "empty" }, icon("trash", "big"), make("h2", { textContent: words("nothingHere") }), make("p", { textContent: words("deletedStay") })));
    } else {
      body.replaceChildren(make("p", { className: "quiet", textContent: words("deletedThen") }), make("ul", { className: "rows" }, ...list.map(row)));
    }
  };

  const row = (card) => make("li", { className: "item" }, make("span", { className: "mini" }, card.front ? face(card, { small: true }) : drawnFace(card)),
    make("span", { className: "grow" }, make("strong", {}, make("bdi", { textContent: card.name })), make("span", { className: "caption quiet", textContent: words("daysLeft", { count: card.days }) })),
    button(words("restore"), async () => {
      await restore(card.id, { isTold: true });
      await refresh();
    }, { ariaLabel: words("restoreNamed", { name: card.name }) }));

  const ask_ = () => question(words("deleteForGood", { count: list.length }), words("noWayBack"), {
    safe: { text: words("cancel") },
    risky: { text: words("deleteCount", { count: list.length }), kind: "danger" },
    act: async () => {
      const { length } = list;
      await send("DELETE", "deleted");
      await refresh();
      await refreshCards();
      toast(words("areGone", { count: length }));
    },
  });

  const stop = watchCards(() => refresh());
  const close = () => {
    stop();
    clearTimeout(bonesTimer);
  };
  return { element, refresh, close, title: () => words("recentlyDeleted") };
};
