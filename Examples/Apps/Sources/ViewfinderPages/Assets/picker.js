// An image picker: the camera or the library, a photo to use or to take again, and a crop.
//
//   <viewfinder-picker></viewfinder-picker>
//
// It shows itself while the program presents a picker. Its children with slot="overlay" take the place of the
// controls where the program shows none of the picker's own; buttons among them act by data-do, data-value and
// data-name, such as <button data-do="takePicture" data-value="5">.
//
// The event "state" has the picker's state as its detail.

import { act, make, sourceNames } from "/ui/picker-actions.js";
import { EdgeEditor } from "/ui/picker-correction.js";
import { CropEditor } from "/ui/picker-crop.js";
import { LibraryGrid } from "/ui/picker-library.js";

/// What to do for a good photo of a card, and how long each stays at least, in milliseconds.
const adviceWords = {
  searching: "Point the camera at the card", tooFar: "Move closer", tooNear: "Move back", cutOff: "Move back",
  tooSlanted: "Less tilt", tooDark: "More light", lowContrast: "More light", glare: "Too bright: turn the card",
  blurred: "Hold still", good: "Hold still",
};
const adviceTime = 1200;

class ViewfinderPicker extends HTMLElement {
  #events = null;
  #state = null;
  #screen = "";
  #dialog = make("dialog", { className: "picker", ariaLabel: "Pick a photo" });
  #title = make("h2");
  #sources = make("div", { className: "sources", role: "group", ariaLabel: "Sources" });
  #stage = make("div", { className: "stage" });
  #bar = make("div", { className: "bar" });
  #tray = make("ul", { className: "tray", ariaLabel: "Picked, in order" });
  #news = make("p", { className: "news", role: "status" });
  #timer = make("p", { className: "countdown", role: "timer" });
  #live = null;
  #overlay = null;
  #grid = new LibraryGrid();
  #editor = new CropEditor();
  #edges = new EdgeEditor();
  #advice = make("p", { className: "advice", role: "status" });
  #adviceSince = 0;

  connectedCallback() {
    this.#overlay = this.querySelector('[slot="overlay"]');
    const cancel = make("button", { textContent: "Cancel", type: "button" });
    cancel.dataset.do = "cancel";
    const head = make("header", {}, cancel, this.#title, this.#sources);
    this.#dialog.append(head, this.#stage, this.#news, this.#tray, this.#bar);
    this.append(this.#dialog);
    this.addEventListener("click", (event) => this.#click(event));
    // Escape asks the program; the dialog goes when the picker does.
    this.#dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      act("cancel");
    });
    this.#dialog.addEventListener("keydown", (event) => this.#key(event));
    this.#events = new EventSource("/picker/state");
    this.#events.onmessage = (event) => this.#show(JSON.parse(event.data));
    this.#events.onerror = () => this.#tell("The server doesn't answer. This goes on when it does.");
  }

  disconnectedCallback() {
    this.#events?.close();
    this.replaceChildren();
  }

  async #click(event) {
    const button = event.target.closest("[data-do]");
    if (!button || button.disabled) return;
    const { do: verb, value, name } = button.dataset;
    const seconds = value === "timer" ? this.querySelector("#picker-timer")?.value : value;
    try {
      await act(verb, { value: seconds === undefined ? undefined : Number(seconds), name });
    } catch (error) {
      this.#tell(error.message);
    }
  }

  /// Space takes the photo wherever the focus is, unless it is on something that space works.
  #key(event) {
    if (event.key !== " " || event.target.closest("button, input, select")) return;
    const shutter = this.#dialog.querySelector('[data-do="takePicture"]:not(:disabled)');
    if (shutter) {
      event.preventDefault();
      shutter.click();
    }
  }

  #tell(words) {
    if (this.#news.textContent !== words) this.#news.textContent = words;
  }

  #show(state) {
    this.#state = state;
    this.dispatchEvent(new CustomEvent("state", { detail: state }));
    if (!state.isPresented) {
      this.#leave();
      return;
    }
    if (!this.#dialog.open) this.#dialog.showModal();
    const screen = state.screen === "source" ? state.source : state.screen;
    if (screen !== this.#screen) this.#enter(screen);
    this.#tell(state.message ?? "");
    this.#showSources(screen);
    this.#showTray();
    if (screen === "camera") this.#showCamera();
    else if (screen === "editing") this.#editor.show(state.photo, state.editor);
    else if (screen === "correcting") this.#edges.show(state.photo, state.correction);
    else if (screen !== "review") this.#grid.show(state);
    this.#showBar(screen);
  }

  #leave() {
    this.#screen = "";
    this.#live = null;
    this.#stage.replaceChildren();
    if (this.#dialog.open) this.#dialog.close();
  }

  #enter(screen) {
    this.#screen = screen;
    this.#live = null;
    this.#dialog.dataset.screen = screen;
    this.#title.textContent = {
      camera: "Take a photo", review: "Use this photo?", editing: "Move and zoom",
      correcting: "Correct the edges",
    }[screen] ?? sourceNames[screen];
    this.#bar.replaceChildren();
    if (screen === "camera") {
      this.#live = make("viewfinder-live");
      this.#live.setAttribute("from", "/picker");
      if (this.#state.hasOutline) this.#live.setAttribute("guide", "card");
      this.#live.addEventListener("click", () => this.#focus());
      this.#live.addEventListener("report", (event) => this.#advise(event.detail));
      this.#adviceSince = 0;
      this.#stage.replaceChildren(this.#live, this.#timer, this.#advice);
    } else if (screen === "review") {
      const { id, name } = this.#state.photo;
      this.#stage.replaceChildren(
        make("img", { className: "whole", src: `/picker/photo/${id}`, alt: `The photo ${name}` }));
    } else if (screen === "editing") {
      this.#stage.replaceChildren(this.#editor.element);
    } else if (screen === "correcting") {
      this.#stage.replaceChildren(this.#edges.element);
    } else {
      this.#grid.begin();
      this.#stage.replaceChildren(this.#grid.element);
    }
  }

  /// Says what to do for a good photo of a card, one thing at a time, and fills the shutter while it lies still.
  #advise({ card, state }) {
    const isOn = this.#state.camera.automaticShutter !== undefined && state === "running";
    this.#advice.hidden = !isOn;
    const shutter = this.#bar.querySelector('[data-do="takePicture"]');
    const progress = this.#state.camera.automaticShutter && card && !card.advice ? card.progress : 0;
    shutter?.style.setProperty("--progress", progress.toFixed(2));
    const code = card ? card.advice ?? "good" : "searching";
    if (!isOn || performance.now() - this.#adviceSince < adviceTime) return;
    this.#advice.classList.toggle("good", code === "good");
    if (this.#advice.textContent === adviceWords[code]) return;
    this.#advice.textContent = adviceWords[code];
    this.#adviceSince = performance.now();
  }

  #focus() {
    if (!this.#state.camera.canFocus || this.#state.camera.activity !== "idle") return;
    act("focus").catch((error) => this.#tell(error.message));
  }

  #showSources(screen) {
    const { sources, source, camera } = this.#state;
    const isChoosing = ["camera", "photoLibrary", "savedPhotosAlbum"].includes(screen);
    const isOwn = screen === "camera" && !this.#state.showsControls && this.#overlay;
    this.#sources.hidden = !isChoosing || sources.length < 2 || isOwn;
    // Made once: a button that is made anew loses the keyboard's focus.
    if (this.#sources.children.length !== sources.length) {
      this.#sources.replaceChildren(...sources.map((name) => this.#sourceButton(name)));
    }
    for (const button of this.#sources.children) {
      button.disabled = camera.activity !== "idle";
      button.setAttribute("aria-pressed", String(button.dataset.name === source));
    }
  }

  #sourceButton(name) {
    const button = make("button", { type: "button", textContent: sourceNames[name] });
    Object.assign(button.dataset, { do: "showSource", name });
    return button;
  }

  #showTray() {
    const { selection, limit } = this.#state;
    this.#tray.hidden = limit === 1 || selection.length === 0;
    const known = new Map([...this.#tray.children].map((item) => [item.dataset.id, item]));
    this.#tray.replaceChildren(
      ...selection.map((photo, place) => {
        const item = known.get(photo.id) ?? this.#trayItem(photo);
        item.firstElementChild.ariaLabel = `Take back photo ${place + 1}`;
        return item;
      }));
  }

  #trayItem(photo) {
    const path = photo.isFromCamera ? "photo" : "thumbnail";
    const picture = make("img", { src: `/picker/${path}/${photo.id}`, alt: "" });
    const button = make("button", { type: "button" }, picture);
    Object.assign(button.dataset, { do: "remove", name: photo.id });
    const item = make("li", {}, button);
    item.dataset.id = photo.id;
    return item;
  }

  #showCamera() {
    const { camera } = this.#state;
    this.#live.toggleAttribute("mirrored", camera.isMirrored);
    const words = {
      waiting: () => String(camera.remaining),
      repeating: () =>
        `${camera.taken} taken` + (camera.missed ? `, ${camera.missed} missed` : ""),
    }[camera.activity]?.();
    this.#timer.hidden = !words;
    this.#timer.classList.toggle("small", camera.activity === "repeating");
    if (this.#timer.textContent !== (words ?? "")) this.#timer.textContent = words ?? "";
  }

  #showBar(screen) {
    const controls = this.#controls(screen);
    const key = JSON.stringify(controls.map((control) => control.key));
    // What stays the same keeps the keyboard's focus.
    if (this.#bar.dataset.key === key && this.#bar.children.length) {
      controls.forEach((control, place) => {
        this.#bar.children[place].disabled = control.disabled ?? false;
        this.#press(this.#bar.children[place], control.pressed);
      });
      return;
    }
    this.#bar.dataset.key = key;
    this.#bar.replaceChildren(...controls.map((control) => control.make()));
  }

  /// The controls of a screen, each with a key that changes when it must be made anew.
  #controls(screen) {
    const { camera, selection, limit, showsControls } = this.#state;
    const button = (verb, words, { value, name, primary, disabled, pressed } = {}) => ({
      key: [verb, words, value, name],
      disabled,
      pressed,
      make: () => {
        const element = make("button", { type: "button", textContent: words });
        element.dataset.do = verb;
        if (value !== undefined) element.dataset.value = value;
        if (name !== undefined) element.dataset.name = name;
        element.className = primary ? "primary" : "";
        element.disabled = disabled ?? false;
        this.#press(element, pressed);
        return element;
      },
    });
    if (screen === "review" || screen === "editing" || screen === "correcting") {
      const again = this.#state.photo.isFromCamera ? "Take again" : "Back";
      return [
        button("retake", again),
        ...(screen === "review" ? [] : [button("turnRight", "Turn right")]),
        button("usePhoto", "Use photo", { primary: true }),
      ];
    }
    const count = `Done (${selection.length})`;
    const done =
      limit === 1 ? [] : [button("done", count, { disabled: selection.length === 0 })];
    if (screen !== "camera") return done;
    if (!showsControls && this.#overlay) {
      const isFree = camera.activity === "idle" && camera.isRunning;
      for (const own of this.#overlay.querySelectorAll("[data-do]")) {
        const { do: verb } = own.dataset;
        own.disabled =
          verb === "stopCapture" ? camera.activity === "idle"
          : verb === "done" ? camera.activity !== "idle" || selection.length === 0
          : verb === "cancel" ? false : !isFree;
      }
      return [{ key: "overlay", make: () => this.#overlay }];
    }
    if (camera.activity === "waiting" || camera.activity === "repeating") {
      return [button("stopCapture", "Stop", { primary: true })];
    }
    const isBusy = camera.activity !== "idle" || !camera.isRunning;
    const next = camera.flashModes[
      (camera.flashModes.indexOf(camera.flashMode) + 1) % camera.flashModes.length];
    return [
      this.#timerChoice(isBusy),
      ...(camera.flashModes.length > 1
        ? [button("setFlashMode", `Flash ${camera.flashMode}`, { name: next, disabled: isBusy })]
        : []),
      button("takePicture", "Take photo", { value: "timer", primary: true, disabled: isBusy }),
      ...(camera.automaticShutter === undefined
        ? []
        : [
          button("setAutomaticShutter", "Auto", {
            name: camera.automaticShutter ? "off" : "on", pressed: camera.automaticShutter, disabled: isBusy,
          }),
        ]),
      ...(limit === 1
        ? []
        : [button("takePictures", "Every second", { value: 1, disabled: isBusy })]),
      ...(camera.canSwitch ? [button("switchCamera", "Switch camera", { disabled: isBusy })] : []),
      ...(camera.maxZoomFactor > 1 ? [this.#zoomSlider(camera, isBusy)] : []),
      ...done,
    ];
  }

  #press(element, isPressed) {
    if (isPressed !== undefined) element.setAttribute("aria-pressed", String(isPressed));
  }

  #timerChoice(disabled) {
    return {
      key: "timer",
      disabled,
      make: () => {
        const choice = make("select", { id: "picker-timer", ariaLabel: "Self-timer", disabled });
        for (const [value, words] of [[0, "No timer"], [3, "3 seconds"], [10, "10 seconds"]]) {
          choice.append(make("option", { value, textContent: words }));
        }
        return choice;
      },
    };
  }

  #zoomSlider(camera, disabled) {
    return {
      key: "zoom",
      disabled,
      make: () => {
        const slider = make("input", {
          type: "range", min: 1, max: camera.maxZoomFactor, step: 0.1, value: camera.zoomFactor,
          ariaLabel: "Zoom", disabled,
        });
        slider.addEventListener("input", () =>
          act("setZoomFactor", { value: Number(slider.value) })
            .catch((error) => this.#tell(error.message)));
        return slider;
      },
    };
  }
}

customElements.define("viewfinder-picker", ViewfinderPicker);
