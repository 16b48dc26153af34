// What the program tells by itself, and what the page asks it to do.

const away = "The server doesn't answer. This goes on when it does.";

/// Follows the library, and an album where one is shown.
///
/// Events: "state", "list" and "problem" with what came, "away" with words while nothing comes, "back" afterwards.
export class LibraryEvents extends EventTarget {
  #source = null;
  #album = null;
  #timer = 0;

  /// The asset that is to be in sight when a list begins anew.
  anchor = () => null;

  /// Follows an album from now on; null for none.
  follow(album) {
    this.#album = album;
    this.#open();
  }

  #open() {
    clearTimeout(this.#timer);
    this.#source?.close();
    const query = new URLSearchParams();
    if (this.#album) query.set("album", this.#album);
    const anchor = this.#album && this.anchor();
    if (anchor) query.set("anchor", anchor);
    const source = new EventSource(`/events?${query}`);
    source.onopen = () => this.#tell("back");
    source.onmessage = (event) => {
      const { state, list, problem } = JSON.parse(event.data);
      if (state) this.#tell("state", state);
      if (list) this.#tell("list", list);
      if (problem) this.#tell("problem", problem);
    };
    // Left to itself the browser would ask again for the old anchor.
    source.onerror = () => {
      source.close();
      this.#tell("away", away);
      this.#timer = setTimeout(() => this.#open(), 2000);
    };
    this.#source = source;
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/// Asks the program to do something; throws what it says against it.
export const send = async (path, body = {}) => {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Error(away);
  });
  if (answer.status === 204) return null;
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.error);
  return value;
};
