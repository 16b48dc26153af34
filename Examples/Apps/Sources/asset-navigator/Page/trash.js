// The trash: what was thrown away, its way back, and its end.

import { tileBones } from "/ui/bones.js";
import { button, icon, make } from "/ui/elements.js";
import { ask } from "/ui/requests.js";
import { momentWords, words } from "/ui/words.js";
import { deleteForGood, restore } from "/actions.js";
import { Asked } from "/asked.js";
import { confirm, show, submit } from "/questions.js";

export class Trash {
  #tiles = make("ul", { className: "tiles bleed", role: "list" });
  #none = make("section", { className: "empty", hidden: true }, icon("trash", "big"),
    make("h2", { textContent: words("trash.empty") }), make("p", { textContent: words("trash.emptyWhy") }));
  #items = [];
  asked;

  constructor(element) {
    const bones = tileBones();
    bones.classList.add("bleed");
    this.asked = new Asked(element, bones, { loading: words("trash.loading"), failed: words("trash.failed") }, () => this.#load());
    this.asked.content.append(make("p", { className: "quiet", textContent: words("trash.how") }), this.#none, this.#tiles);
    this.#tiles.addEventListener("keydown", (event) => this.#key(event));
  }

  get count() { return this.#items.length; }

  async #load() {
    const items = await ask("/trash");
    const isSame = items.map(({ id }) => id).join() === this.#items.map(({ id }) => id).join();
    this.#items = items;
    this.#none.hidden = items.length > 0;
    if (isSame && this.#tiles.childElementCount) return;
    this.#tiles.replaceChildren(...items.map((item, place) => this.#tile(item, place)));
  }

  #tile(item, place) {
    const picture = make("img", { alt: "", loading: "lazy", src: `/trash/${item.id}/thumbnail` });
    const tile = button("", () => this.#ask(item), { ariaLabel: words("trash.item", { name: item.name }) });
    tile.className = "tile";
    tile.tabIndex = place ? -1 : 0;
    tile.replaceChildren(picture);
    picture.addEventListener("error", () => tile.replaceChildren(make("span", { className: "words", textContent: item.name })));
    return make("li", {}, tile);
  }

  async #ask({ id, name, deleted }) {
    const text = make("p", { className: "quiet", textContent: deleted ? words("trash.since", { time: momentWords(new Date(deleted * 1000)) }) : "" });
    const answer = await show(name, [text], [
      submit("delete", words("delete"), "plain danger"), submit("restore", words("restore")),
    ]);
    if (answer === "restore") await restore([id]);
    if (answer === "delete") await this.#delete([id]);
    if (answer) await this.asked.refresh();
  }

  /// Deletes all for good, after a question.
  async empty() {
    if (this.#items.length) await this.#delete(this.#items.map(({ id }) => id));
    await this.asked.refresh();
  }

  async #delete(items) {
    const count = items.length;
    const isSure = await confirm(words("trash.sure", { count }), words("trash.final"), words("trash.delete", { count }));
    if (isSure) await deleteForGood(items);
  }

  #key(event) {
    const tiles = [...this.#tiles.querySelectorAll("button")];
    const at = tiles.indexOf(event.target);
    if (at < 0) return;
    const { top } = tiles[0].getBoundingClientRect();
    const across = tiles.filter((tile) => Math.abs(tile.getBoundingClientRect().top - top) < 2).length;
    const forward = getComputedStyle(this.#tiles).direction === "rtl" ? -1 : 1;
    const step = { ArrowRight: forward, ArrowLeft: -forward, ArrowDown: across, ArrowUp: -across, Home: -at, End: tiles.length - 1 - at }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = tiles[Math.min(Math.max(at + step, 0), tiles.length - 1)];
    tiles[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}
