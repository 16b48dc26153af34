// What is selected in the grid, and what can be done with it.

import { ask } from "/ui/picker-actions.js";
import { send } from "/events.js";
import { askName, choose, confirm } from "/sheet.js";
import { photos } from "/words.js";

const [bar, words, add, remove, trash, toggle] =
  ["selection", "selected", "add", "remove", "trash", "select"].map((id) =>
    document.getElementById(id));

/// Selects assets of a grid. Events: "done" with words, "problem" with words.
export class Selection extends EventTarget {
  #grid;
  #album = null;

  constructor(grid) {
    super();
    this.#grid = grid;
    toggle.addEventListener("click", () => this.set(!this.isOn));
    add.addEventListener("click", () => this.#do((assets) => this.#add(assets)));
    remove.addEventListener("click", () => this.#do((assets) => this.#remove(assets)));
    trash.addEventListener("click", () => this.#do((assets) => this.trash(assets)));
    document.addEventListener("keydown", (event) => this.#press(event));
  }

  get isOn() { return this.#grid.selected !== null; }

  /// Says what is shown, and whether it may be changed.
  begin(album) {
    this.#album = album;
    remove.hidden = album?.kind !== "made";
    this.set(false);
  }

  /// Begins to select, or ends.
  set(isOn) {
    this.#grid.selected = isOn ? new Set() : null;
    this.#show();
  }

  toggle(id) {
    const { selected } = this.#grid;
    if (!selected.delete(id)) selected.add(id);
    this.#show();
  }

  /// Forgets what isn't there any more.
  forget(id) {
    if (this.#grid.selected?.delete(id)) this.#show();
  }

  /// Asks, and puts assets into the trash; returns whether it did.
  async trash(assets) {
    const what = photos(assets.length);
    const isSure = await confirm(
      `Move ${what} to the trash?`,
      "All their files go there, the raw and the edited ones too. "
        + "Your file manager can take them back.", "Move to trash");
    if (!isSure) return null;
    await send("/trash", { assets });
    return `${what} moved to the trash.`;
  }

  async #add(assets) {
    const albums = (await ask("/albums")).filter(
      ({ kind, id }) => kind === "made" && id !== this.#album?.id);
    const choice = await choose(
      `Add ${photos(assets.length)} to …`,
      [
        ...albums.map(({ id, name }) => ({ value: id, words: name })),
        { value: "new", words: "A new album", isFirst: true },
      ]);
    if (!choice) return null;
    if (choice !== "new") {
      await send(`/albums/${choice}/add`, { assets });
      return `Added to ${albums.find(({ id }) => id === choice).name}.`;
    }
    const name = await askName("New album", "Name", "Make album");
    if (!name) return null;
    await send("/albums", { name, assets });
    return `Added to ${name}.`;
  }

  async #remove(assets) {
    await send(`/albums/${this.#album.id}/remove`, { assets });
    return `${photos(assets.length)} removed from the album, and still in the library.`;
  }

  async #do(action) {
    const assets = [...(this.#grid.selected ?? [])];
    if (!assets.length) return;
    try {
      const detail = await action(assets);
      if (!detail) return;
      this.set(false);
      this.dispatchEvent(new CustomEvent("done", { detail }));
    } catch (error) {
      this.dispatchEvent(new CustomEvent("problem", { detail: error.message }));
    }
  }

  #press({ key }) {
    if (!this.isOn || document.querySelector("dialog[open]")) return;
    if (key === "Escape") this.set(false);
    if (key === "Delete") trash.click();
  }

  #show() {
    const { selected } = this.#grid;
    bar.hidden = selected === null;
    toggle.textContent = selected ? "Cancel" : "Select";
    const count = selected?.size ?? 0;
    words.textContent = count ? `${count.toLocaleString()} selected` : "Choose photos and videos.";
    for (const button of [add, remove, trash]) button.disabled = count === 0;
    this.#grid.draw();
  }
}
