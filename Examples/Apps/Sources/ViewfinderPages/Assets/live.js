// A camera's live picture, the reason where there is none, and the card guide over it:
//
//   <viewfinder-live guide="card" gravity="aspect" mirrored></viewfinder-live>
//
// base: where the program is, if not above the folder of this module. from: the path below which the server has the
// picture, if not "/". topic: the events that tell of it, if not "camera". guide: "card" draws the guide. gravity: aspect,
// fill or stretch. mirrored: as a mirror shows it. A card that the server follows is drawn in the guide's place.
// codes: outlines the bar codes that the server reads.
//
// Its parts for style sheets are "picture", "guide", "shade", "card", also "good" when nothing is to be done for its photo,
// "code", and "words" for the reason; its attribute "state" is the camera's.
//
// The property `outline` is what /photo.jpg takes for a photo of what is in the guide, or null. The event
// "report" has the camera's state, its counts and what is found in its picture as its detail, about once a second and
// whenever something is found; "guide" tells of another outline;
// "full" that the server has no place for another viewer, with the seconds to the next try as its detail; "picture" that a
// picture came.

import { follow, followConnection } from "./events.js";
import { ask, address, waitOf } from "./requests.js";
import { styles } from "./styles.js";
import { told, words } from "./words.js";

const sheets = await styles("live");

/// How long a code stays after it was read last, in milliseconds: in a hand that shakes, frames in between can't be read.
const codeTime = 500;

/// How long the first picture of a running camera is waited for without a word, in milliseconds.
const patience = 1000;

/// A part of the drawing, by its name for this style sheet and others.
const svg = (name, part) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  if (part) set(element, { class: part, part });
  return element;
};

const set = (element, attributes) => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
};

class ViewfinderLive extends HTMLElement {
  static observedAttributes = ["guide", "gravity", "mirrored", "codes"];

  outline = null;
  #picture = document.createElement("img");
  #overlay = svg("svg");
  #shade = svg("path", "shade");
  #guide = svg("rect", "guide");
  #card = svg("polygon", "card");
  #code = svg("path", "code");
  #message = document.createElement("p");
  #resizes = new ResizeObserver(() => this.#drawGuide());
  #stops = null;

  /// The picture, for its size.
  get picture() { return this.#picture; }

  #format = null;
  #frame = null;
  #report = null;
  #codes = [];
  #codeTimer = 0;
  #drawings = 0;
  #starts = 0;
  #late = false;
  #lateTimer = 0;
  #visibility = () => (document.hidden ? this.#stop() : this.#start());

  #path(name) { return `${this.getAttribute("from") ?? ""}/${name}`; }

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = sheets;
    // Once for all places in the tree where the element will be.
    this.#picture.addEventListener("error", () => this.#pictureFailed());
    this.#picture.addEventListener("load", () => {
      this.#isLate(false);
      this.dispatchEvent(new Event("picture"));
    });
    this.#overlay.append(this.#shade, this.#guide, this.#card, this.#code);
    this.#overlay.setAttribute("aria-hidden", "true");
    this.#card.setAttribute("hidden", "");
    this.#picture.part = "picture";
    this.#message.part = "words";
    this.#message.setAttribute("role", "status");
    this.shadowRoot.append(this.#picture, this.#overlay, this.#message);
  }

  get #options() {
    const base = this.getAttribute("base");
    return base ? { base } : {};
  }

  connectedCallback() {
    this.#picture.alt = words("livePicture");
    this.#picture.hidden = true;
    this.#resizes.observe(this);
    document.addEventListener("visibilitychange", this.#visibility);
    // Not before the page is loaded: a picture without an end would keep it loading.
    if (document.readyState === "complete") this.#visibility();
    else window.addEventListener("load", this.#visibility, { once: true });
  }

  disconnectedCallback() {
    document.removeEventListener("visibilitychange", this.#visibility);
    window.removeEventListener("load", this.#visibility);
    this.#resizes.disconnect();
    this.#stop();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#drawGuide();
  }

  /// Begins to watch. Nothing is watched, and so nothing encoded, while the page can't be seen.
  #start() {
    if (this.#stops) return;
    this.#stops = [
      follow(this.getAttribute("topic") ?? "camera", (report) => this.#show(report), {}, this.#options),
      followConnection((state) => this.#connectionIs(state), this.#options),
    ];
  }

  #stop() {
    for (const stop of this.#stops ?? []) stop();
    this.#stops = null;
    // Whoever comes back sees what is there then.
    this.#setCodes([]);
    this.#drawCodes();
    this.#unload();
  }

  #load() {
    this.#starts += 1;
    clearTimeout(this.#lateTimer);
    this.#lateTimer = setTimeout(() => this.#isLate(true), patience);
    this.#picture.src = address(this.#path("stream.mjpg"), { view: this.#starts }, this.#options.base);
    this.#picture.hidden = false;
  }

  #unload() {
    this.#isLate(false);
    this.#picture.hidden = true;
    this.#picture.removeAttribute("src");
  }

  async #pictureFailed() {
    if (!this.#picture.hasAttribute("src")) return;
    this.#unload();
    const wait = await this.#refusal();
    if (wait) this.dispatchEvent(new CustomEvent("full", { detail: wait }));
    setTimeout(() => this.#isConnected && this.#stops && this.#load(), 1000 * (wait ?? 1));
  }

  /// The seconds to the next try, where all places are taken; browsers don't tell why a picture failed.
  async #refusal() {
    const stop = new AbortController();
    try {
      const answer = await fetch(address(this.#path("stream.mjpg"), {}, this.#options.base), { signal: AbortSignal.any([stop.signal, AbortSignal.timeout(5000)]) });
      return answer.status === 503 ? waitOf(answer) : null;
    } catch {
      return null;
    } finally {
      stop.abort();
    }
  }

  #isConnected = false;

  #connectionIs(state) {
    this.#isConnected = state === "open";
    if (state === "opening") return;
    if (this.#isConnected) {
      this.#load();
    } else {
      this.#unload();
      this.#say("unreachable", words(`connection.${state}`));
    }
  }

  #show(report) {
    this.#report = report;
    // While there were no frames, the stream's connection may have ended without a word.
    if (report.state === "running" && this.getAttribute("state") === "interrupted") this.#load();
    this.#sayState();
    if (this.#format !== report.format) {
      this.#format = report.format;
      this.#drawGuide();
    }
    this.#keepCodes(report);
    this.#drawCard();
    this.#tell();
  }

  #tell() {
    this.#drawCodes();
    this.dispatchEvent(new CustomEvent("report", { detail: { ...this.#report, codes: this.#codes } }));
  }

  /// Takes the codes of a report; where it has none, those before stay for a moment.
  #keepCodes({ state, codes = [] }) {
    if (state !== "running") this.#setCodes([]);
    else if (codes.length) this.#setCodes(codes);
    else if (this.#codes.length) {
      this.#codeTimer ||= setTimeout(() => {
        this.#setCodes([]);
        this.#tell();
      }, codeTime);
    }
  }

  #setCodes(codes) {
    clearTimeout(this.#codeTimer);
    [this.#codes, this.#codeTimer] = [codes, 0];
  }

  /// Where a point of the picture, given in its units, lies in the view.
  #point([across, down]) {
    const { x, y, width, height } = this.#frame;
    return `${x + (this.hasAttribute("mirrored") ? 1 - across : across) * width},${y + down * height}`;
  }

  /// Outlines the codes where they lie in the picture.
  #drawCodes() {
    const codes = this.#frame && this.hasAttribute("codes") ? this.#codes : [];
    this.#code.toggleAttribute("hidden", !codes.length);
    const d = codes.map(({ corners }) => `M${corners.map((corner) => this.#point(corner)).join("L")}Z`).join("");
    if (this.#code.getAttribute("d") !== d) set(this.#code, { d });
  }

  /// Draws the card where it lies in the picture.
  #drawCard() {
    const card = this.#report?.state === "running" ? this.#report.card : null;
    const isShown = Boolean(card && this.#frame);
    this.toggleAttribute("follows", isShown);
    this.#card.toggleAttribute("hidden", !isShown);
    if (!isShown) return;
    const points = card.corners.map((corner) => this.#point(corner));
    const part = card.advice ? "card" : "card good";
    set(this.#card, { points: points.join(" "), class: part, part });
  }

  /// Says why there is no picture; nothing where there is one.
  #sayState() {
    const { state } = this.#report;
    this.#say(state, state !== "running" ? told(this.#report) : this.#late ? words("pictureLate") : "");
  }

  /// Notes whether the first picture is late.
  #isLate(late) {
    clearTimeout(this.#lateTimer);
    if (this.#late === late) return;
    this.#late = late;
    if (this.#isConnected && this.#report) this.#sayState();
  }

  /// Words that stay the same aren't set again: screen readers would read them again.
  #say(state, words) {
    if (this.getAttribute("state") !== state) this.setAttribute("state", state);
    if (this.#message.textContent !== words) this.#message.textContent = words;
  }

  get #hasGuide() { return this.getAttribute("guide") === "card"; }

  /// Asks the server where picture and guide belong, and draws the guide there.
  async #drawGuide() {
    this.#drawings += 1;
    const drawing = this.#drawings;
    const { clientWidth: width, clientHeight: height } = this;
    let place = null;
    if ((this.#hasGuide || this.hasAttribute("codes")) && this.#format && width && height) {
      const gravity = this.getAttribute("gravity") ?? "aspect";
      const mirrored = this.hasAttribute("mirrored");
      place = await ask(this.#path("geometry"), { width, height, gravity, mirrored }, this.#options).catch(() => null);
    }
    // A later drawing has overtaken this one.
    if (drawing !== this.#drawings) return;
    this.#place(place, width, height);
  }

  #place(place, width, height) {
    this.#overlay.toggleAttribute("hidden", !place);
    this.outline = this.#hasGuide ? place?.outline ?? null : null;
    this.#frame = place?.picture ?? null;
    for (const part of [this.#shade, this.#guide]) part.toggleAttribute("hidden", !this.#hasGuide);
    // They lie elsewhere in a view of another size.
    this.#drawCard();
    this.#drawCodes();
    if (place) {
      const { x, y, width: w, height: h } = place.guide;
      const r = place.cornerRadius;
      set(this.#guide, { x, y, width: w, height: h, rx: r });
      const arc = (dx, dy) => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
      set(this.#shade, {
        "fill-rule": "evenodd",
        d:
          `M0 0H${width}V${height}H0Z M${x + r} ${y}h${w - 2 * r}${arc(r, r)}v${h - 2 * r}` +
          `${arc(-r, r)}h${2 * r - w}${arc(-r, -r)}v${2 * r - h}${arc(r, -r)}Z`,
      });
    }
    this.dispatchEvent(new CustomEvent("guide"));
  }
}

customElements.define("viewfinder-live", ViewfinderLive);
