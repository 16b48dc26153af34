// A photo before it is used: as it is, under a frame, or with the edges of its card. Retake and Use are where the thumb is;
// cropping and turning are at the top.

import { actionButton, make } from "./picker-actions.js";
import { EdgeEditor } from "./picker-correction.js";
import { CropEditor } from "./picker-crop.js";
import { words } from "./words.js";

/// The screens "review", "editing" and "correcting".
export class ReviewScreen {
  #program;
  #act;
  #heading;
  #crop;
  #edges;

  constructor(program, act, { heading = "h1" } = {}) {
    this.#program = program;
    this.#act = act;
    this.#heading = heading;
    this.#crop = new CropEditor(program, act);
    this.#edges = new EdgeEditor(program, act);
  }

  enter({ photo }, name) {
    const { canBeCropped, isFromCamera } = photo;
    const isReview = name === "review";
    const use = actionButton("usePhoto", words("picker.usePhoto"), "button large primary");
    use.dataset.focus = "";
    return make("section", { className: "camera", data: { screen: name }, ariaLabel: words(`picker.${name}`) },
      make(this.#heading, { className: "visually-hidden", textContent: words(`picker.${name}`) }),
      this.#picture(photo, name),
      make("header", { className: "camera-top" },
        actionButton("cancel", words("cancel"), "icon-button glass", { icon: "close" }),
        make("span", { className: "grow" }),
        isReview && canBeCropped ? actionButton("crop", words("picker.cropIt"), "icon-button glass", { icon: "crop" }) : null,
        isReview && !canBeCropped ? null : actionButton("turnRight", words("picker.turnRight"), "icon-button glass", { icon: "turn" })),
      make("div", { className: "camera-mid" }, make("span"),
        name === "correcting" ? this.#edges.words : null),
      make("footer", { className: "camera-controls" }, name === "editing" ? this.#crop.tools : null,
        make("div", { className: "review-actions" },
          actionButton("retake", words(isFromCamera ? "picker.retake" : "picker.back"), "button large"), use)));
  }

  show({ photo, editor, correction }, name) {
    if (name === "editing") this.#crop.show(photo, editor);
    else if (name === "correcting") this.#edges.show(photo, correction);
  }

  /// Return uses the photo; a control that has the focus is worked by it.
  press(event, at, name) {
    const isUse = event.key === "Enter" && name !== "review";
    if (!isUse || event.repeat || at.closest("button:not(.handle), a")) return false;
    this.#act("usePhoto");
    return true;
  }

  /// What keys do on a screen.
  keys(name) {
    const own = { editing: this.#crop.keys, correcting: this.#edges.keys }[name] ?? [];
    return [...own, [words("key.return"), words("picker.usePhoto")]];
  }

  #picture({ id, name }, screen) {
    if (screen === "correcting") return this.#edges.element;
    return make("div", { className: "live still" }, screen === "editing" ? this.#crop.element : make("img", {
      className: "whole", src: this.#program.address(`picker/photo/${id}`), alt: words("picker.photo", { name }),
    }));
  }
}
