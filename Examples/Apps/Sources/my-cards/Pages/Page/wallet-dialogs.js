// Sheets, questions and menus: the platform's own, made when they are needed.

import "/ui/sheet.js";
import { button, icon, make } from "/ui/elements.js";

let last = 0;

/// Shows a sheet with a title until it is closed, by its button, Escape or a press beside it.
export const sheet = (title, ...children) => {
  const element = make("viewfinder-sheet", { label: title, on: { close: () => element.remove() } }, ...children);
  document.body.append(element);
  element.show();
  return element;
};

/// Asks something where many things go, or nothing can be brought back. The focus is on what is harmless.
export const question = (title, text, { safe, risky, act, keep = () => {} }) => {
  const id = `question-${last += 1}`;
  const press = (what) => async () => {
    element.close();
    await what();
  };
  const element = make("dialog", { className: "dialog", "aria-labelledby": id },
    make("h2", { id, textContent: title }), make("p", { className: "quiet", textContent: text }),
    make("div", { className: "actions" },
      button(safe.text, press(keep), { kind: safe.kind ?? "", autofocus: true }), button(risky.text, press(act), { kind: risky.kind })));
  element.addEventListener("click", (event) => {
    if (event.target !== element || !event.detail) return;
    const box = element.getBoundingClientRect();
    const isBeside = event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
    if (isBeside) element.close();
  });
  element.addEventListener("close", () => element.remove());
  document.body.append(element);
  element.showModal();
  return element;
};

/// A menu of [icon, words, what a press does, kind] and null for a line; it hangs at a button, or at a point, wherever it fits.
///
/// A finger that is still held where it opens would close the platform's own when it is lifted: `isHeld`.
export const menu = (entries, { button: opener, point, isHeld = false } = {}) => {
  const element = make("div", { className: "menu", popover: isHeld ? "manual" : "auto", role: "menu" }, ...entries.map((entry) => {
    if (!entry) return make("hr");
    const [name, text, press, kind = ""] = entry;
    const item = button("", () => {
      element.hidePopover();
      return press();
    }, { kind });
    item.className = kind;
    item.setAttribute("role", "menuitem");
    item.append(icon(name), make("span", { textContent: text }));
    return item;
  }));
  const end = new AbortController();
  element.addEventListener("toggle", ({ newState }) => {
    opener?.setAttribute("aria-expanded", String(newState === "open"));
    if (newState === "open") return;
    end.abort();
    element.remove();
  });
  if (isHeld) {
    addEventListener("pointerdown", ({ target }) => { if (!element.contains(target)) element.hidePopover(); }, { capture: true, signal: end.signal });
    addEventListener("keydown", ({ key }) => { if (key === "Escape") element.hidePopover(); }, { signal: end.signal });
  }
  element.addEventListener("keydown", (event) => {
    const items = [...element.querySelectorAll("button")];
    const at = items.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    items.at(next % items.length).focus();
  });
  // Where it is part of the page's main matter.
  (opener?.closest("dialog") ?? document.querySelector("#view main") ?? document.body).append(element);
  element.showPopover();
  const hang = () => {
    const box = opener?.getBoundingClientRect();
    const [across, down] = [innerWidth - element.offsetWidth, innerHeight - element.offsetHeight].map((room) => (at) => Math.max(8, Math.min(at, room - 8)));
    const isMirrored = getComputedStyle(element).direction === "rtl";
    const { x, y } = point ?? { x: isMirrored ? box.left : box.right - element.offsetWidth, y: box.bottom };
    Object.assign(element.style, { insetInline: "auto", left: `${across(x)}px`, insetBlockStart: `${down(y)}px` });
  };
  hang();
  // A phone may be turned.
  addEventListener("resize", hang, { signal: end.signal });
  element.querySelector("button")?.focus(point && { focusVisible: false });
  return element;
};
