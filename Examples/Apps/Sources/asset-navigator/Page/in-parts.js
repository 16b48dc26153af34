// Work on more photos than one request has room for: part by part, with how far it is and a way to stop.

import { button, make } from "/ui/elements.js";
import { toast } from "/ui/toast.js";
import { words } from "/ui/words.js";

/// So many go in one request: their ids are far less than the 1 MB that the program takes.
export const parts = { size: 5000 };

/// How long the program may take for one part, in milliseconds: it moves or notes thousands of files.
const time = 600_000;

/// What is under way, for as long as it is.
class Sign {
  #progress;
  isStopped = false;

  constructor(code, count) {
    this.#progress = make("progress", { className: "progress", value: 0, max: count, ariaLabel: words("work.progress") });
    const stop = button(words("work.stop"), () => { this.isStopped = true; stop.disabled = true; });
    const text = make("span", { role: "status" });
    this.element = make("div", { className: "toast work" }, text, stop, this.#progress);
    document.body.append(this.element);
    // Set after it is there, so that it is read aloud.
    text.textContent = words(`work.${code}`, { count });
  }

  show(done) { this.#progress.value = done; }
  end() { this.element.remove(); }
}

/// Calls `send` with one part of the ids after the other. Gives the ids that are done, what was answered, and why not all are:
/// an error where one part failed, null also where somebody stopped it. What fails at once is thrown.
export const inParts = async (ids, code, send) => {
  const { size } = parts;
  const sign = ids.length > size ? new Sign(code, ids.length) : null;
  const result = { done: [], answers: [], error: null };
  try {
    for (let at = 0; at < ids.length && !sign?.isStopped; at += size) {
      const part = ids.slice(at, at + size);
      result.answers.push(await send(part, { time }));
      result.done.push(...part);
      sign?.show(result.done.length);
    }
  } catch (error) {
    if (!result.done.length) throw error;
    result.error = error;
  } finally {
    sign?.end();
  }
  return result;
};

/// Says what was done, of how many photos, and why not of more; `undo` brings it back. Gives whether no part failed.
export const tell = (code, { done, error }, undo) => {
  toast([words(code, { count: done.length }), error?.message].filter(Boolean).join(" "), { undo });
  return !error;
};
