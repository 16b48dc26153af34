// What holds for now: no connection, a folder that can't be written, photos that wait to be saved.

import { button, icon, make } from "/ui/elements.js";
import { send } from "/ui/requests.js";
import { told, words } from "/ui/words.js";

export class Banners {
  #connection = this.#banner("warn", "cloud-off", "status");
  #advice = this.#banner("warn", "lock", "status");
  #problem = this.#banner("danger", "warning", "alert");
  #work = make("p", { className: "quiet", role: "status", id: "work" });

  constructor(element) {
    this.#connection.id = "connection";
    this.#advice.id = "advice";
    this.#problem.id = "problem";
    this.#problem.append(make("div", { className: "row" },
      button(words("saveAgain"), () => send("POST", "/camera/save"), { kind: "plain", id: "save-again" }),
      button(words("discard"), () => send("POST", "/camera/discard"), { kind: "plain", id: "discard" })));
    element.append(this.#connection, this.#problem, this.#advice, this.#work);
  }

  #banner(kind, name, role) {
    return make("div", { className: `banner ${kind}`, role, hidden: true }, icon(name), make("p"));
  }

  #say(banner, title, text) {
    banner.hidden = !title;
    banner.querySelector("p").replaceChildren(make("strong", { textContent: title ?? "" }), text ?? "");
  }

  /// Says while nothing comes from the program.
  connection(state) {
    const isLost = state !== "open" && state !== "opening";
    this.#say(this.#connection, isLost ? words(state === "lost" ? "connection.away" : `connection.${state}`) : null, isLost ? words("connection.seen") : "");
  }

  /// Says what the library can't do.
  show({ access, advice, canSave, isScanning, problems, problem, unsaved }) {
    this.#say(this.#advice, access === "open" && !canSave ? words("readOnly") : problems.length ? words("someFolders") : null,
      [...(access === "open" && !canSave && advice ? [advice] : []), ...problems].map(told).join(" "));
    this.#say(this.#problem, problem ? words(unsaved ? "unsaved" : "cameraProblem", { count: unsaved }) : null, problem ? told(problem) : "");
    this.#problem.querySelector(".row").hidden = !unsaved;
    this.#work.textContent = access === "opening" ? words("opening") : access === "open" && isScanning ? words("scanning") : "";
  }
}
