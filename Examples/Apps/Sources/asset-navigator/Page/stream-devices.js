// The devices that share the stream: as the server has them, or, while it doesn't say, those from which photos are.

import { button, childrenOf, icon, make } from "/ui/elements.js";
import { ask, send } from "/ui/requests.js";
import { toast } from "/ui/toast.js";
import { momentWords, told, words } from "/ui/words.js";
import { confirm } from "/questions.js";

export class StreamDevices {
  #list = make("ul", { className: "rows", role: "list" });
  #problem = make("p", { className: "quiet small-text", role: "status" });
  element = make("div", { className: "stack tight", id: "stream-devices" }, this.#list, this.#problem);
  /// As the server has them; null while it doesn't say.
  #known = null;
  #report = {};
  #others = [];
  #rows = childrenOf(this.#list, ({ id, name, isThis }) => isThis ? "" : `${id}/${name}`, (row) => this.#row(row));

  /// Asks the server for them.
  async refresh() {
    try {
      const { devices, problem } = await ask("/stream/devices");
      this.#known = problem ? null : devices;
      this.#problem.textContent = problem ? words("stream.devicesAway", { reason: told(problem) }) : "";
    } catch ({ message }) {
      this.#known = null;
      this.#problem.textContent = words("stream.devicesAway", { reason: message });
    }
    this.#draw();
  }

  /// Shows how the stream is going; `others` are the names of devices from which photos are.
  show(report, others) {
    [this.#report, this.#others] = [report, others];
    this.#draw();
  }

  #draw() {
    const { device } = this.#report;
    const own = { name: device ?? "", isThis: true };
    const rows = this.#known ?? [own, ...this.#others.filter((name) => name !== device).map((name) => ({ name }))];
    this.#rows(rows.map((row) => ({ ...row, here: this.#here(row), sent: this.#sent(row) })));
  }

  #row({ id, name, isThis }) {
    const [called, here, sent] = [make("bdi"), make("span", { className: "caption quiet" }), make("span", { className: "caption quiet" })];
    const element = make("li", { className: "item" }, icon(isThis ? "device" : "tablet"), make("span", { className: "grow" }, called, here, sent),
      id && !isThis && button(words("stream.remove"), () => this.#remove(id, name), { kind: "plain danger", ariaLabel: words("stream.removeNamed", { name }) }));
    const show = (row) => {
      called.textContent = row.name;
      here.textContent = row.here;
      sent.textContent = row.sent;
    };
    return { element, show };
  }

  /// When a device was here.
  #here({ id, isThis, seen }) {
    const { address, status } = this.#report;
    if (isThis) return words("stream.here", { person: status?.person ?? "…", address });
    if (!id) return "";
    return seen ? words("stream.seen", { time: momentWords(new Date(seen)) }) : words("stream.neverSeen");
  }

  /// What came from it.
  #sent({ name, client, isThis }) {
    const { device: own, status } = this.#report;
    // In the stream a device has the name that it gave itself.
    const called = isThis ? own : client ?? name;
    const { photos: count, newest } = status?.devices?.find(({ device }) => device === called) ?? {};
    return count && newest ? words("stream.from", { count, time: momentWords(new Date(newest * 1000)) }) : "";
  }

  /// It can only come back with a new token: that is asked.
  async #remove(id, name) {
    if (!await confirm(words("stream.removeSure", { name }), words("stream.removeWhat"), words("stream.remove"))) return;
    await send("DELETE", `/stream/devices/${encodeURIComponent(id)}`);
    toast(words("stream.removed", { name }));
    await this.refresh();
  }
}
