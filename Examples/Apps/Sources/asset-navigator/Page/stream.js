// The photo stream's page: one switch, what is sent, how long, whose devices, and what happens when it is off.

import { attempt, button, icon, make } from "/ui/elements.js";
import { send } from "/ui/requests.js";
import { toast } from "/ui/toast.js";
import { momentWords, told, words } from "/ui/words.js";
import { size } from "/format.js";
import { labelled, show, submit } from "/questions.js";
import { StreamChoices, switchRow, toggle } from "/stream-choices.js";
import { StreamDevices } from "/stream-devices.js";
import { StreamPhotos } from "/stream-photos.js";

const heading = (code) => make("h2", { className: "section-title", textContent: words(code) });
const share = ({ name, done, size }) => words("stream.share", { name, percent: Math.floor((done / Math.max(size, 1)) * 100) });

/// So many photos that can't be sent are named.
const most = 20;

/// What is the same stays as it is, so that it isn't read aloud again.
const say = (banner, title, text) => {
  const [place, key] = [banner.querySelector("p"), JSON.stringify([title, text])];
  if (banner.dataset.key === key) return;
  banner.dataset.key = key;
  place.replaceChildren(make("strong", { textContent: title }), text);
};

export class StreamPage {
  #switch = toggle();
  #all = toggle();
  #banner = make("div", { className: "banner lift", role: "status", hidden: true }, icon("cloud-off"), make("p"));
  #facts = make("div", { className: "panel stack tight", id: "stream-facts" });
  #unsent = make("div", { className: "banner danger lift", role: "status", hidden: true }, icon("warning"), make("p"),
    make("div", { className: "row" }, button(words("stream.showThem"), () => this.#showUnsent(), { kind: "plain" }),
      button(words("stream.sendSmaller"), () => this.#sendSmaller(), { kind: "plain" })));
  #choices = new StreamChoices();
  #devices = new StreamDevices();
  #photos = new StreamPhotos();
  #on;
  #off;
  #report = null;

  constructor(element) {
    this.#on = make("div", { hidden: true },
      this.#banner, this.#unsent, heading("stream.now"), this.#facts, heading("stream.come"),
      make("ul", { className: "rows", role: "list" }, switchRow(this.#all, "stream.all", "stream.allWhy")),
      this.#photos.element,
      heading("stream.sent"), this.#choices.sent, heading("stream.long"), this.#choices.kept,
      heading("stream.devices"), this.#devices.element);
    this.#off = make("p", { className: "quiet lift", textContent: words("stream.off") });
    element.append(make("p", { className: "quiet", textContent: words("stream.what") }),
      make("div", { className: "rows lift" }, make("label", { className: "item" },
        make("span", { className: "grow", textContent: words("stream") }), this.#switch)),
      this.#on, this.#off);
    this.#switch.addEventListener("change", () => attempt(() => this.#turn(this.#switch.checked)));
    this.#all.addEventListener("change", () => attempt(async () => {
      try { await send("POST", "/stream/settings", { fetchesAll: this.#all.checked }); } finally { this.show(this.#report); }
    }));
  }

  /// Asks for what changes seldom.
  refresh() { return this.#report?.isOn ? Promise.all([this.#devices.refresh(), this.#choices.refresh()]) : undefined; }

  /// Shows how the stream is going.
  show(report) {
    if (!report) return;
    const isNew = report.isOn && !this.#report?.isOn;
    this.#report = report;
    if (isNew) this.refresh();
    const { isOn, status, fetchesAll } = report;
    this.#switch.checked = isOn;
    this.#all.checked = fetchesAll;
    [this.#on.hidden, this.#off.hidden] = [!isOn, isOn];
    if (!isOn) return;
    this.#showTrouble(status);
    this.#facts.replaceChildren(...this.#lines(status).map((textContent) => make("p", { textContent })),
      ...(status?.sending ? [make("progress", { className: "progress", value: status.sending.done, max: Math.max(status.sending.size, 1), ariaLabel: words("stream.progress") })] : []));
    this.#choices.show(report);
    this.#devices.show(report, this.#photos.devices);
    this.#photos.show(status);
  }

  /// Says what keeps the stream from going on, and which photos the server doesn't take.
  #showTrouble(status) {
    const isStuck = ["waiting", "refused"].includes(status?.phase);
    this.#banner.hidden = !isStuck;
    this.#banner.className = `banner lift ${status?.phase === "refused" ? "danger" : "warn"}`;
    if (isStuck) say(this.#banner, words(`stream.${status.phase}`, { count: status.waiting }), status.reason ? told(status.reason) : "");
    const count = status?.problems?.length ?? 0;
    this.#unsent.hidden = !count;
    // The program names the first of them.
    const code = count < most ? "stream.unsent" : "stream.unsentMany";
    if (count) say(this.#unsent, words(code, { count }), words("stream.unsentWhat"));
  }

  #showUnsent() {
    return show(words("stream.unsentTitle"), [make("ul", { className: "stack tight", role: "list" },
      this.#report.status.problems.map((problem) => make("li", { textContent: told(problem) })))], [], { close: words("close") });
  }

  /// Of photos that the server doesn't take as they are.
  async #sendSmaller() {
    const { count } = await send("POST", "/stream/smaller");
    toast(count ? words("stream.smallerSent", { count }) : words("stream.noSmaller"));
  }

  #lines(status) {
    if (!status?.person) return [words("stream.asking")];
    const { sending, fetching, waiting, waitingBytes, wanted, sent, received, devices = [] } = status;
    // The one that is on its way is named by itself.
    const work = [
      ...(sending ? [words("stream.sending", { share: share(sending) })] : []),
      ...(fetching ? [words("stream.receiving", { share: share(fetching) })] : []),
      ...(waiting > (sending ? 1 : 0) ? [words("stream.toSend", { count: waiting, size: size(waitingBytes) })] : []),
      ...(wanted > (fetching ? 1 : 0) ? [words("stream.toGet", { count: wanted })] : []),
    ];
    const count = devices.reduce((sum, { photos }) => sum + photos, 0);
    const newest = Math.max(...devices.map((device) => device.newest ?? 0));
    return [
      words("stream.as", { person: status.person }), ...(work.length ? work : [words("stream.idle")]),
      ...(count && newest ? [words("stream.has", { count, time: momentWords(new Date(newest * 1000)) })] : []),
      words("stream.counts", { sent: words("photos", { count: sent }), received: words("photos", { count: received }) }),
    ];
  }

  async #turn(isOn) {
    try {
      if (isOn) await this.#join();
      else await send("POST", "/stream/leave");
    } finally {
      this.#switch.checked = this.#report?.isOn ?? false;
    }
  }

  async #join() {
    const address = make("input", { className: "input", type: "url", required: true, placeholder: "http://192.168.1.5:8090", autocomplete: "off" });
    const token = make("input", { className: "input", type: "password", required: true, autocomplete: "off" });
    await show(words("stream.join"), [
      make("p", { className: "quiet", textContent: words("stream.joinWhat") }), labelled(words("stream.address"), address), labelled(words("stream.token"), token),
    ], [submit("join", words("stream.on"))], {
      field: address, check: () => send("POST", "/stream", { address: address.value, token: token.value }),
    });
  }
}
