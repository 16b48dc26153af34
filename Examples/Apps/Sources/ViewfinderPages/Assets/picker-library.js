// The picker's albums and their assets: as many as are near the screen.

import { act, ask, make } from "/ui/picker-actions.js";

const pageSize = 60;

export class LibraryGrid {
  #albums = make("select", { ariaLabel: "Album" });
  #from = make("input", { type: "date", ariaLabel: "Taken from" });
  #to = make("input", { type: "date", ariaLabel: "Taken until" });
  #list = make("ul", { className: "grid", ariaLabel: "Photos, newest first" });
  #end = make("div", { className: "end", ariaHidden: "true" });
  #words = make("p", { className: "quiet", role: "status" });
  #observer = new IntersectionObserver((entries) =>
    entries.some((entry) => entry.isIntersecting) && this.#more());
  #isOpen = false;
  #isLoading = false;
  #count = null;
  #version = 0;
  #selection = [];

  element = make("section", { className: "library", ariaLabel: "Library" });

  constructor() {
    const search = make("form", { className: "search", role: "search" });
    search.append(this.#albums, this.#from, this.#to);
    search.addEventListener("change", () => this.#restart());
    search.addEventListener("submit", (event) => event.preventDefault());
    this.#list.addEventListener("click", (event) => this.#choose(event));
    this.element.append(search, this.#words, this.#list, this.#end);
    this.#observer.observe(this.#end);
  }

  /// Forgets what was shown before.
  begin() {
    this.#isOpen = false;
    this.#list.replaceChildren();
    this.#words.textContent = "The library is being opened.";
  }

  /// Follows the picker's state.
  show({ library, libraryAdvice, selection }) {
    this.#selection = selection.map((photo) => photo.id);
    this.#mark();
    if (library === "unavailable") this.#words.textContent = libraryAdvice;
    if (library !== "open" || this.#isOpen) return;
    this.#isOpen = true;
    this.#open().catch((error) => { this.#words.textContent = error.message; });
  }

  async #open() {
    const albums = await ask("/picker/albums");
    this.#albums.replaceChildren(
      make("option", { value: "", textContent: "All" }),
      ...albums.map(({ id, name, count }) =>
        make("option", { value: id, textContent: `${name} (${count})` })));
    await this.#restart();
  }

  async #restart() {
    this.#version += 1;
    this.#count = null;
    this.#isLoading = false;
    this.#list.replaceChildren();
    await this.#more();
  }

  async #more() {
    const shown = this.#list.children.length;
    if (!this.#isOpen || this.#isLoading || (this.#count !== null && shown >= this.#count)) return;
    this.#isLoading = true;
    const version = this.#version;
    const query = new URLSearchParams({ first: shown, count: pageSize });
    for (const [name, field] of [["album", this.#albums], ["from", this.#from], ["to", this.#to]]) {
      if (field.value) query.set(name, field.value);
    }
    try {
      const { count, items } = await ask(`/picker/assets?${query}`);
      if (version !== this.#version) return;
      this.#count = count;
      this.#list.append(...items.map((item) => this.#item(item)));
      this.#mark();
      this.#words.textContent = count === 0 ? "There is no photo here." : "";
    } catch (error) {
      if (version === this.#version) this.#words.textContent = error.message;
      return;
    } finally {
      if (version === this.#version) this.#isLoading = false;
    }
    // A page may be shorter than the screen.
    const { top } = this.#end.getBoundingClientRect();
    if (top < this.element.getBoundingClientRect().bottom) await this.#more();
  }

  #item({ id, name, isVideo, problem }) {
    const picture = make("img", { loading: "lazy", alt: "", src: `/picker/thumbnail/${id}` });
    const button = make("button", { type: "button", title: problem ?? name }, picture);
    button.setAttribute("aria-label", `${isVideo ? "Video" : "Photo"} ${name}`);
    button.dataset.id = id;
    picture.addEventListener("error", () => {
      picture.remove();
      button.append(make("span", { className: "missing", textContent: name }));
    });
    if (isVideo) button.append(make("span", { className: "mark", textContent: "▶" }));
    return make("li", {}, button);
  }

  #mark() {
    for (const button of this.#list.querySelectorAll("button")) {
      const place = this.#selection.indexOf(button.dataset.id);
      button.setAttribute("aria-pressed", String(place >= 0));
      button.dataset.place = place >= 0 ? place + 1 : "";
    }
  }

  async #choose(event) {
    const button = event.target.closest("button[data-id]");
    if (!button) return;
    try {
      await act("toggle", { name: button.dataset.id });
      this.#words.textContent = "";
    } catch (error) {
      this.#words.textContent = error.message;
    }
  }
}
