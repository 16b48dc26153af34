// Groups, of which there may be thousands: the most used at hand, all of them by search.

import { make } from "/ui/elements.js";
import { words } from "/ui/words.js";
import { folded } from "/wallet-cards.js";
import { sheet } from "/wallet-dialogs.js";

/// How many are at hand, and how many a search shows.
const [atHand, most] = [20, 100];

/// The groups that are used most, by name; `kept` are among them in any case.
export const mostUsed = (groups, kept = []) => {
  if (groups.length <= atHand) return groups;
  const names = new Set(kept);
  for (const { name } of [...groups].sort((one, other) => other.count - one.count).slice(0, atHand)) names.add(name);
  return groups.filter(({ name }) => names.has(name));
};

/// Lets somebody choose one of all groups; `choose` gets its name.
export const chooseGroup = (groups, choose) => {
  const search = make("input", { className: "input", type: "search", autocomplete: "off", placeholder: words("searchGroups"), ariaLabel: words("searchGroups") });
  const list = make("ul", { className: "rows" });
  const count = make("p", { className: "quiet small-text", role: "status" });
  const row = ({ name, count: number }) => {
    const press = make("button", { type: "button", className: "item" },
      make("bdi", { className: "grow", textContent: name }), make("span", { className: "quiet figures", textContent: number }));
    press.addEventListener("click", () => {
      element.close();
      choose(name);
    });
    return make("li", {}, press);
  };
  const show = () => {
    const wanted = folded(search.value).split(/\s+/).filter(Boolean);
    const found = groups.filter(({ name }) => wanted.every((word) => folded(name).includes(word)));
    list.replaceChildren(...found.slice(0, most).map(row));
    list.hidden = found.length === 0;
    count.textContent = found.length > most ? words("groupsShown", { shown: most, count: found.length }) : words("groupCount", { count: found.length });
  };
  search.addEventListener("input", show);
  const element = sheet(words("groups"), search, list, count);
  show();
  if (matchMedia("(pointer: fine)").matches) search.focus();
};
