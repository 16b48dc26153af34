// The camera of a picker: the picture fills the screen, the controls lie on it, the shutter is where the thumb is.

import "./live.js";
import { button, draw, icon, iconButton } from "./elements.js";
import { make } from "./picker-actions.js";
import { told, words } from "./words.js";

/// How long each advice stays at least, in milliseconds.
const adviceTime = 1200;
/// How long it is at least from one thing that is read aloud to the next, in milliseconds.
const spokenTime = 2000;
/// How long a code that is new goes before all advice, in milliseconds.
const codeTime = 2000;
const adviceIcons = {
  searching: "scan", tooFar: "closer", tooNear: "farther", cutOff: "farther", tooSlanted: "rotate-phone", tooDark: "sun",
  lowContrast: "sun", glare: "sun", blurred: "hand", good: "hand", code: "barcode",
};
/// How many characters of a code are shown.
const longestCode = 24;
const timers = [0, 3, 10];
const zoomSteps = [1, 2, 4];
/// How to say what keeps the camera from giving a picture, by the error's code; others are "unusable".
const troubles = {
  noCamera: "none", cameraGroup: "permission", cameraLogin: "permission", cameraDenied: "permission",
  cameraInUse: "inUse", cameraInUseHere: "inUse", cameraInUseUnseen: "inUse", cameraLost: "lost",
};
const troubleIcons = { permission: "lock", full: "warning", unreachable: "cloud-off" };
/// How long a press is held for the slider, in milliseconds.
const longPress = 500;

/// What is shown of a code: its number, in the groups in which it is printed; of a QR code only that it is one.
const codeWords = ({ type, text }) => {
  if (!text) return words(`picker.code.${type}`);
  const groups = { ean13: /^(.)(.{6})(.{6})$/, ean8: /^(.{4})(.{4})$/ }[type]?.exec(text)?.slice(1);
  const shown = groups?.join(" ") ?? (text.length > longestCode ? `${text.slice(0, longestCode)}…` : text);
  // Its order is its own, also among words that are read from right to left.
  return `\u2066${shown}\u2069`;
};

export class CameraScreen {
  #program;
  #act;
  #state = null;
  #report = null;
  #isAway = false;
  #awayWords = "";
  #seconds = 0;
  #isSeries = false;
  #taken = 0;
  #adviceSince = 0;
  #code = "";
  #codeSince = 0;
  #saidCode = "";
  #toSay = { text: "", isCode: false };
  #saidAt = -Infinity;
  #sayTimer = 0;
  #pointers = new Map();
  #pinch = null;
  #fits = new ResizeObserver(() => this.#fit());

  /// What shows the photos that are picked.
  openTray = () => {};
  /// What leads from the camera to another way.
  goInstead = () => {};

  #live = null;
  #stage = make("div", { className: "live" });
  #flash;
  #timer;
  #menu;
  #series;
  #auto;
  #switch;
  #skip;
  #host;
  #sources;
  #pill = make("p", { className: "pill glass", role: "status", hidden: true });
  #tools;
  // It changes faster than it can be read aloud; that is done beside it.
  #advice = make("p", { className: "pill glass advice", ariaHidden: "true", hidden: true });
  // It is always there: what comes into it is read aloud, what comes together with it may not be.
  #spoken = make("p", { className: "visually-hidden spoken", role: "status" });
  #hint = make("p", { className: "desk-only pill glass small-text" },
    make("kbd", { textContent: words("picker.space") }), ` ${words("picker.spaceTakes")}`);
  #countdown = make("p", { className: "countdown glass", role: "timer", hidden: true });
  #none = make("section", { className: "camera-none", hidden: true });
  #noneKey = "";
  #zoom;
  #slider = make("input", { className: "range", type: "range", min: 1, step: 0.1, ariaLabel: words("picker.zoom") });
  #sliderValue = make("output");
  #sliderBox;
  #thumb;
  #ring = draw("svg", { class: "ring", viewBox: "0 0 82 82", "aria-hidden": "true" },
    draw("circle", { cx: 41, cy: 41, r: 37, pathLength: 100 }));
  #shutter = make("button", { type: "button", className: "shutter", "aria-keyshortcuts": "Space", data: { focus: "" } }, this.#ring);
  #side;
  #shutterRow;
  #controls;
  #overlayPlace;

  element;

  /// `act` does what a person does, and tells what goes wrong; `host` is the element that shows the camera: its children
  /// with slot="overlay" are a page's own controls, its `task` what the page wants the photo for. `sources` makes the choice
  /// of other sources, if there is one.
  constructor(program, act, host, { heading = "h1", sources = null } = {}) {
    this.#program = program;
    this.#act = act;
    this.#host = host;
    this.#sources = sources;
    this.#flash = iconButton("flash", "", () => this.#turnFlash(), { kind: "glass" });
    this.#menu = make("div", { className: "menu", id: "picker-timer", role: "menu", ariaLabel: words("picker.timer"), popover: "auto" },
      ...timers.map((seconds) => make("button", {
        type: "button", role: "menuitemradio", textContent: words(`picker.timer.${seconds}`),
        data: { seconds }, on: { click: () => this.#setTimer(seconds) },
      })));
    this.#timer = iconButton("timer", "", () => this.#menu.togglePopover(), { kind: "glass", "aria-haspopup": "menu" });
    this.#timer.append(make("span", { hidden: true }));
    this.#series = iconButton("series", words("picker.series"), () => this.#setSeries(!this.#isSeries), { kind: "glass series" });
    this.#auto = iconButton("wand", words("picker.auto"), () =>
      this.#act("setAutomaticShutter", { name: this.#state.camera.automaticShutter ? "off" : "on" }), { kind: "glass labelled auto" });
    this.#auto.append(make("span", { textContent: words("picker.autoShort") }));
    this.#tools = make("div", { className: "row" }, this.#flash, this.#timer, this.#series, this.#auto);
    this.#zoom = make("div", { className: "zoom glass", role: "group", ariaLabel: words("picker.zoom") });
    this.#zoom.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.#showSlider();
    });
    // A long press calls for a menu on some devices only.
    let timer = 0;
    this.#zoom.addEventListener("pointerdown", () => { timer = setTimeout(() => this.#showSlider(), longPress); });
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) this.#zoom.addEventListener(name, () => clearTimeout(timer));
    this.#slider.addEventListener("input", () => this.#setZoom(Number(this.#slider.value)));
    this.#sliderBox = make("div", { className: "zoom-slider glass", hidden: true },
      make("span", { textContent: "1×", ariaHidden: "true" }), this.#slider, this.#sliderValue);
    this.#thumb = make("button", { type: "button", className: "thumb lead", hidden: true, on: { click: () => this.openTray() } },
      // One that didn't come is asked for again with the next state, and isn't drawn as broken meanwhile.
      make("img", { alt: "", on: { error: ({ target }) => target.removeAttribute("src") } }),
      make("span", { className: "count" }));
    this.#switch = make("button", {
      type: "button", className: "icon-button glass round trail", ariaLabel: words("picker.switchCamera"),
      title: words("picker.switchCamera"), data: { do: "switchCamera" },
    }, icon("switch"));
    this.#skip = iconButton("forward", "", () => {
      this.#task.skip.press();
      return this.#act("cancel");
    }, { kind: "glass round trail skip-photo", turns: true });
    this.#side = make("div", { className: "side-tools" }, this.#zoom, this.#sliderBox);
    this.#shutterRow = make("div", { className: "shutter-row" }, this.#thumb, this.#shutter, this.#switch, this.#skip);
    this.#controls = make("footer", { className: "camera-controls" }, this.#side,
      this.#shutterRow);
    this.#overlayPlace = make("footer", { className: "overlay-place", hidden: true },
      make("slot", { name: "overlay" }));
    this.element = make("section", { className: "camera", data: { screen: "camera" }, ariaLabel: words("picker.camera") },
      make(heading, { className: "visually-hidden", textContent: words("picker.takePicture") }),
      this.#stage,
      make("header", { className: "camera-top" },
        make("button", {
          type: "button", className: "icon-button glass", ariaLabel: words("cancel"), title: words("cancel"), data: { do: "cancel" },
        }, icon("close")), this.#pill, make("span", { className: "grow" }), this.#tools),
      make("div", { className: "camera-mid" }, this.#advice, this.#hint, this.#spoken),
      this.#countdown, this.#none, this.#controls, this.#overlayPlace, this.#menu);
    this.#listenToFingers();
    this.#fits.observe(this.#stage);
    this.#fits.observe(this.#controls);
  }

  /// What the page wants the photo for.
  get #task() { return this.#host.task ?? {}; }

  /// A page's own controls.
  get #overlay() { return this.#host.querySelector('[slot="overlay"]'); }

  /// Begins anew; gives what is shown.
  enter(state) {
    if (this.#sources && !this.#side.querySelector(".sources")) this.#side.append(this.#sources(state));
    this.#live = make("viewfinder-live");
    this.#live.setAttribute("from", "picker");
    this.#live.setAttribute("topic", "picker-live");
    const { base } = this.#program.options;
    if (base) this.#live.setAttribute("base", base);
    if (state.hasOutline) this.#live.setAttribute("guide", "card");
    this.#live.toggleAttribute("codes", state.readsCodes);
    this.#live.addEventListener("report", ({ detail }) => this.#hear(detail));
    this.#live.addEventListener("picture", () => this.#fit());
    this.#stage.replaceChildren(this.#live);
    this.#taken = state.selection.length;
    this.#adviceSince = 0;
    this.#code = "";
    this.#saidCode = "";
    this.#hush();
    this.#report = null;
    this.#sliderBox.hidden = true;
    return this.element;
  }

  #showSlider() {
    this.#sliderBox.hidden = false;
    this.#zoom.hidden = true;
    this.#slider.focus();
  }

  leave() {
    this.#live = null;
    this.#stage.replaceChildren();
    this.#pointers.clear();
    this.#hush();
  }

  show(state) {
    this.#state = state;
    const overlay = this.#overlay;
    const { camera, selection, limit, showsControls } = state;
    const isOwn = Boolean(!showsControls && overlay);
    const isIdle = camera.activity === "idle";
    const isSeries = camera.activity === "repeating";
    this.#live?.toggleAttribute("mirrored", camera.isMirrored);
    this.#controls.hidden = isOwn;
    this.#overlayPlace.hidden = !isOwn;
    this.#tools.hidden = isOwn || !this.#isRunning || camera.activity === "waiting" || isSeries;
    this.#showTools(camera, limit);
    this.#showShutter(camera);
    this.#showZoom(camera);
    this.#switch.hidden = !camera.canSwitch || !this.#isRunning || !isIdle;
    // Beside other things the space bar is the page's.
    this.#hint.hidden = !this.#host.isModal || isOwn || state.hasOutline || !isIdle || !this.#isRunning;
    this.#set(this.#countdown, camera.activity === "waiting" ? String(camera.remaining) : "");
    const { title = "" } = this.#task;
    this.#set(this.#pill, isSeries ? words("picker.taken", { count: camera.taken })
      + (camera.missed ? `, ${words("picker.missed", { count: camera.missed })}` : "") : this.#isRunning ? title : "");
    this.#showSkip(isIdle);
    const place = isOwn ? this.#overlayPlace : this.#shutterRow;
    if (this.#thumb.parentElement !== place) place.prepend(this.#thumb);
    this.#showThumb(selection, limit);
    if (isOwn) this.#showOverlay(overlay, camera, selection);
    this.#showNone();
  }

  /// Hears whether the program answers.
  connectionIs(state) {
    this.#isAway = !["open", "opening"].includes(state);
    this.#awayWords = this.#isAway ? words(`connection.${state}`) : "";
    if (this.#state && this.#live) this.show(this.#state);
  }

  /// Whether it draws a problem itself.
  draws({ code }) { return code === "fullAt"; }

  /// What the live picture is: as the program says, if it does.
  get #liveState() { return this.#isAway ? "unreachable" : this.#report?.state ?? "starting"; }

  /// Whether there is a picture to take: the program says it, and so does its live picture.
  get #isRunning() { return this.#state.camera.isRunning && this.#liveState === "running"; }

  /// Whether the last photo couldn't be saved for want of room.
  get #isFull() { return this.#state.problem?.code === "fullAt"; }

  /// Does what a key does at the camera; false for others.
  press({ key }, at) {
    // Space works what has the focus where that is a control.
    if (at.closest("input") || (key === " " && at.closest("button, a"))) return false;
    const { camera, showsControls } = this.#state;
    if (key === " ") {
      const overlay = this.#overlay;
      if (showsControls || !overlay) this.#shutter.click();
      else overlay.querySelector('[data-do="takePicture"]:not(:disabled)')?.click();
      return true;
    }
    if (camera.activity !== "idle" || !this.#isRunning || !showsControls) return false;
    const zoom = { 1: 1, 2: 2, 4: 4, "+": camera.zoomFactor * 1.25, "-": camera.zoomFactor / 1.25 }[key];
    if (zoom && camera.maxZoomFactor > 1) this.#setZoom(zoom);
    else if (key.toLowerCase() === "t") this.#setTimer(timers[(timers.indexOf(this.#seconds) + 1) % timers.length]);
    else if (key.toLowerCase() === "f" && camera.flashModes.length > 1) this.#turnFlash();
    else return false;
    return true;
  }

  /// What keys do now.
  keys() {
    const { camera: { flashModes, maxZoomFactor }, showsControls } = this.#state;
    return [
      [words("picker.space"), "take", true], ["1 2 4", "steps", showsControls && maxZoomFactor > 1],
      ["+ −", "zoom", showsControls && maxZoomFactor > 1], ["T", "timer", showsControls],
      ["F", "flash", showsControls && flashModes.length > 1],
    ].filter(([, , isThere]) => isThere).map(([key, code]) => [key, words(`picker.key.${code}`)]);
  }

  #set(element, text) {
    element.hidden = !text;
    if (element.textContent !== text) element.textContent = text;
  }

  #name(element, text) {
    element.ariaLabel = text;
    element.title = text;
  }

  /// The way on without this photo lies where the other camera is chosen else.
  #showSkip(isIdle) {
    const { skip } = this.#task;
    this.#skip.hidden = !skip || !isIdle;
    if (skip) this.#name(this.#skip, skip.text);
    const place = skip ? this.#tools : this.#shutterRow;
    if (this.#switch.parentElement !== place) place.append(this.#switch);
  }

  #showTools(camera, limit) {
    this.#flash.hidden = camera.flashModes.length < 2;
    this.#name(this.#flash, words(`picker.flash.${camera.flashMode}`));
    this.#flash.setAttribute("aria-pressed", String(camera.flashMode === "on"));
    const drawing = { off: "flash-off", on: "flash", auto: "flash-auto" }[camera.flashMode];
    if (this.#flash.dataset.icon !== drawing) {
      this.#flash.dataset.icon = drawing;
      this.#flash.replaceChildren(icon(drawing));
    }
    this.#series.hidden = limit === 1;
    this.#series.setAttribute("aria-pressed", String(this.#isSeries && limit !== 1));
    this.#auto.hidden = camera.automaticShutter === undefined;
    this.#auto.setAttribute("aria-pressed", String(Boolean(camera.automaticShutter)));
    const value = words(`picker.timer.${this.#seconds}`);
    this.#name(this.#timer, words("picker.timerIs", { value }));
    this.#timer.setAttribute("aria-pressed", String(this.#seconds > 0));
    this.#timer.classList.toggle("labelled", this.#seconds > 0);
    this.#set(this.#timer.lastElementChild, this.#seconds ? `${this.#seconds} s` : "");
    for (const choice of this.#menu.children) {
      choice.setAttribute("aria-checked", String(Number(choice.dataset.seconds) === this.#seconds));
    }
  }

  #showShutter(camera) {
    const isStop = camera.activity === "waiting" || camera.activity === "repeating";
    const isSeries = this.#isSeries && this.#state.limit !== 1;
    const verb = isStop ? "stopCapture" : isSeries ? "takePictures" : "takePicture";
    this.#shutter.dataset.do = verb;
    if (isStop) delete this.#shutter.dataset.value;
    else this.#shutter.dataset.value = isSeries ? 1 : this.#seconds;
    this.#shutter.classList.toggle("stop", isStop);
    this.#shutter.ariaLabel = words(`picker.${verb}`);
    const isOff = !isStop && (camera.activity !== "idle" || !this.#isRunning);
    if (this.#shutter.disabled !== isOff) this.#shutter.disabled = isOff;
  }

  #showZoom(camera) {
    const isShown = camera.maxZoomFactor > 1 && this.#isRunning;
    // What isn't for now leaves its place, so that nothing moves.
    for (const part of [this.#zoom, this.#sliderBox]) part.classList.toggle("away", camera.activity !== "idle");
    if (isShown && this.#zoom.dataset.max !== String(camera.maxZoomFactor)) {
      this.#zoom.dataset.max = camera.maxZoomFactor;
      this.#slider.max = camera.maxZoomFactor;
      this.#zoom.replaceChildren(...zoomSteps.filter((step) => step <= camera.maxZoomFactor).map((step) =>
        make("button", {
          type: "button", ariaLabel: words("picker.times", { value: step }), data: { step },
          on: { click: () => this.#setZoom(step) },
        }, make("bdi", { dir: "ltr", textContent: step }))));
    }
    if (!isShown) this.#sliderBox.hidden = true;
    this.#zoom.hidden = !isShown || !this.#sliderBox.hidden;
    const nearest = [...this.#zoom.children].reduce((best, one) =>
      Number(one.dataset.step) <= camera.zoomFactor + 0.01 ? one : best, this.#zoom.firstElementChild);
    for (const choice of this.#zoom.children) {
      choice.setAttribute("aria-pressed", String(choice === nearest));
      const step = Number(choice.dataset.step);
      choice.firstElementChild.textContent = choice === nearest ? `${Math.round((camera.zoomFactor) * 10) / 10}×` : step;
    }
    this.#slider.value = camera.zoomFactor;
    this.#slider.ariaValueText = words("picker.times", { value: Math.round(camera.zoomFactor * 10) / 10 });
    this.#sliderValue.textContent = `${camera.zoomFactor.toFixed(1)}×`;
  }

  #showThumb(selection, limit) {
    const last = selection.at(-1);
    this.#thumb.hidden = limit === 1 || !last;
    if (last && limit !== 1) {
      const source = this.#program.thumbnail(last);
      if (this.#thumb.firstElementChild.src !== source) this.#thumb.firstElementChild.src = source;
      this.#thumb.lastElementChild.textContent = selection.length;
      this.#thumb.ariaLabel = words("picker.thumb", { count: selection.length });
    }
    if (selection.length > this.#taken) this.#fly();
    this.#taken = selection.length;
  }

  /// The photo flies into its thumbnail, wherever that lies, from the middle of the picture.
  #fly() {
    this.element.classList.remove("shot");
    this.#thumb.classList.remove("landing");
    const middle = (element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    };
    const [from, to] = [middle(this.#stage), middle(this.#thumb)];
    ["x", "y"].forEach((axis, at) => this.#thumb.style.setProperty(`--from-${axis}`, `${from[at] - to[at]}px`));
    void this.element.offsetWidth;
    this.element.classList.add("shot");
    this.#thumb.classList.add("landing");
  }

  #showOverlay(overlay, camera, selection) {
    const isFree = camera.activity === "idle" && this.#isRunning;
    for (const own of overlay.querySelectorAll("[data-do]")) {
      const { do: verb } = own.dataset;
      own.disabled =
        verb === "stopCapture" ? camera.activity === "idle"
        : verb === "done" ? camera.activity !== "idle" || selection.length === 0
        : verb === "cancel" ? false : !isFree;
    }
  }

  #hear(report) {
    const isNews = this.#report?.state !== report.state;
    this.#report = report;
    if (!this.#state) return;
    this.#advise(report);
    if (isNews) this.show(this.#state);
    else this.#showNone();
  }

  /// Says which code is found and what to do for a good photo of a card, one thing at a time, and fills the ring while the
  /// card lies still.
  #advise({ card, codes = [], state }) {
    const { automaticShutter } = this.#state.camera;
    const found = this.#found(codes);
    const advice = automaticShutter === undefined ? "" : card ? card.advice ?? "good" : "searching";
    const isNew = performance.now() - this.#codeSince < codeTime;
    const isFound = Boolean(found) && (!advice || advice === "searching" || isNew);
    const progress = automaticShutter && card && !card.advice ? card.progress : 0;
    this.#shutter.classList.toggle("filling", progress > 0);
    this.#shutter.style.setProperty("--progress", progress.toFixed(2));
    if (state !== "running" || !(isFound || advice)) {
      this.#hush();
      return;
    }
    const code = isFound ? "code" : advice;
    const text = isFound ? words("picker.codeFound", { code: found }) : words(`advice.${code}`);
    const isShown = !this.#advice.hidden;
    if (isShown && (this.#advice.textContent === text || performance.now() - this.#adviceSince < adviceTime)) return;
    // A code is read aloud once, also where the camera loses it and finds it again.
    if (!isFound || found !== this.#saidCode) this.#say(text, isFound);
    if (isFound) this.#saidCode = found;
    this.#advice.hidden = false;
    this.#advice.dataset.code = code;
    this.#advice.classList.toggle("good", isFound || code === "good");
    this.#advice.replaceChildren(icon(adviceIcons[code] ?? "scan"), text);
    this.#adviceSince = performance.now();
  }

  /// Reads aloud what is newest, when what was read before has had its time; a code isn't passed over for advice.
  #say(text, isCode) {
    if (isCode || !this.#toSay.isCode) this.#toSay = { text, isCode };
    this.#sayTimer ||= setTimeout(() => {
      this.#spoken.textContent = this.#toSay.text;
      [this.#sayTimer, this.#saidAt, this.#toSay] = [0, performance.now(), { text: "", isCode: false }];
    }, Math.max(0, this.#saidAt + spokenTime - performance.now()));
  }

  /// There is nothing to say.
  #hush() {
    this.#advice.hidden = true;
    if (this.#toSay.isCode) return;
    clearTimeout(this.#sayTimer);
    this.#sayTimer = 0;
    this.#spoken.textContent = "";
  }

  /// What is to be said of the codes in the picture: of several, the one that was told before.
  #found(codes) {
    const texts = codes.map(codeWords);
    if (!texts.length) return "";
    if (!texts.includes(this.#code)) [this.#code, this.#codeSince] = [texts[0], performance.now()];
    return this.#code;
  }

  /// In place of the picture, or over it: what is wrong and what to do.
  #showNone() {
    const { sources, selection, limit, camera } = this.#state;
    const state = this.#liveState;
    const isFull = state === "running" && this.#isFull && camera.activity === "idle";
    this.#none.hidden = state === "running" && !isFull;
    this.element.classList.toggle("is-full", isFull);
    const key = JSON.stringify([state, isFull, this.#awayWords, this.#report?.message, selection.length]);
    if (this.#none.hidden) this.#noneKey = "";
    if (this.#none.hidden || this.#noneKey === key) return;
    this.#noneKey = key;
    if (state === "starting") {
      this.#none.setAttribute("role", "status");
      this.#none.replaceChildren(make("span", { className: "spinner" }), make("p", { textContent: words("picker.starting") }));
      return;
    }
    this.#none.setAttribute("role", "alert");
    const isKept = limit !== 1 && selection.length > 0;
    const kept = isKept ? ` ${words("picker.kept", { count: selection.length })}` : "";
    const action = (verb, text, name) => make("button", { type: "button", className: "button", data: { do: verb, ...(name ? { name } : {}) } },
      make("span", { textContent: text }));
    const trouble = this.#isAway ? "unreachable" : isFull ? "full" : troubles[this.#report.code] ?? "unusable";
    const { instead } = this.#task;
    const why = this.#isAway ? this.#awayWords : isFull ? words("picker.fullWhat") : told(this.#report);
    this.#none.dataset.trouble = trouble;
    this.#none.replaceChildren(icon(troubleIcons[trouble] ?? "camera-off", "big"),
      make("h2", { textContent: words(`picker.${trouble}`) }),
      make("p", { textContent: `${why}${kept}` }),
      make("div", { className: "row" },
        isFull ? action("takePicture", words("picker.tryAgain")) : null,
        isKept && !this.#isAway ? action("done", words("picker.useTaken", { count: selection.length })) : null,
        this.#sources && sources.includes("photoLibrary") && state === "unavailable"
          ? action("showSource", words("picker.openLibrary"), "photoLibrary") : null,
        instead && state === "unavailable"
          ? button(instead.text, () => this.goInstead(instead.press)) : null));
  }

  #turnFlash() {
    const { flashModes, flashMode } = this.#state.camera;
    this.#act("setFlashMode", { name: flashModes[(flashModes.indexOf(flashMode) + 1) % flashModes.length] });
  }

  #setTimer(seconds) {
    this.#seconds = seconds;
    if (seconds) this.#isSeries = false;
    this.#menu.hidePopover();
    this.show(this.#state);
  }

  #setSeries(isSeries) {
    this.#isSeries = isSeries;
    if (isSeries) this.#seconds = 0;
    this.show(this.#state);
  }

  #setZoom(factor) {
    const value = Math.min(this.#state.camera.maxZoomFactor, Math.max(1, factor));
    this.#act("setZoomFactor", { value: Math.round(value * 100) / 100 });
  }

  /// Two fingers zoom, one focuses.
  #listenToFingers() {
    this.#stage.addEventListener("pointerdown", ({ pointerId, clientX, clientY }) => {
      this.#pointers.set(pointerId, [clientX, clientY]);
      if (this.#pointers.size === 2) this.#pinch = { width: this.#distance, zoom: this.#state.camera.zoomFactor };
    });
    this.#stage.addEventListener("pointermove", ({ pointerId, clientX, clientY }) => {
      if (!this.#pointers.has(pointerId)) return;
      this.#pointers.set(pointerId, [clientX, clientY]);
      if (this.#pointers.size === 2 && this.#pinch?.width > 0 && this.#state.camera.maxZoomFactor > 1) {
        this.#setZoom(this.#pinch.zoom * this.#distance / this.#pinch.width);
      }
    });
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      this.#stage.addEventListener(end, ({ pointerId }) => this.#pointers.delete(pointerId));
    }
    this.#stage.addEventListener("click", () => {
      const wasPinch = this.#pinch !== null;
      this.#pinch = null;
      if (!wasPinch && this.#state?.camera.canFocus && this.#state.camera.activity === "idle") this.#act("focus");
    });
  }

  get #distance() {
    const [one, other] = [...this.#pointers.values()];
    return Math.hypot(one[0] - other[0], one[1] - other[1]);
  }

  /// Fills the screen where most of the picture stays in sight; else shows all that the photo will have. A card's guide
  /// must not lie below the controls.
  #fit() {
    const picture = this.#live?.picture;
    if (!picture?.naturalWidth || !this.#stage.clientHeight) return;
    const [screen, photo] = [this.#stage.clientWidth / this.#stage.clientHeight, picture.naturalWidth / picture.naturalHeight];
    const seen = Math.min(screen, photo) / Math.max(screen, photo);
    const isFramed = this.#live.hasAttribute("guide") && (photo > 1 || seen < 0.6);
    const gravity = seen >= 0.6 && !isFramed ? "fill" : "aspect";
    this.#stage.classList.toggle("framed", isFramed);
    this.#stage.style.setProperty("--below", `${this.#controls.offsetHeight}px`);
    this.#stage.style.setProperty("--beside", `${this.#controls.offsetWidth}px`);
    if (this.#live.getAttribute("gravity") !== gravity) this.#live.setAttribute("gravity", gravity);
  }
}
