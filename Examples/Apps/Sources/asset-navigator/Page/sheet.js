// Questions: a name, one of several, or whether something is really wanted.

import { make } from "/ui/picker-actions.js";

const sheet = document.getElementById("sheet");

/// Shows a form and waits; returns what the button that was pressed stands for, null for none.
export const show = (title, content, buttons, close = "Cancel") =>
  new Promise((resolve) => {
    const heading = make("h2", { textContent: title, id: "sheet-title" });
    const cancel = make("button", { type: "button", textContent: close });
    const form = make("form", { method: "dialog" }, heading, ...content,
      make("div", { className: "choices" }, ...buttons, cancel));
    cancel.addEventListener("click", () => sheet.close(""));
    sheet.setAttribute("aria-labelledby", "sheet-title");
    sheet.replaceChildren(form);
    // "close" comes a while later: by then another form may be shown, whose answer it isn't.
    form.addEventListener("submit", ({ submitter }) => resolve(submitter?.value || null));
    const closed = () => {
      if (sheet.open && form.isConnected) return;
      sheet.removeEventListener("close", closed);
      resolve(null);
    };
    sheet.addEventListener("close", closed);
    sheet.showModal();
  });

/// A button that answers with a value.
export const submit = (value, textContent, className = "") =>
  make("button", { type: "submit", value, textContent, className });

/// Asks for a name; null when none is given.
export const askName = async (title, label, action) => {
  const field = make("input", { type: "text", required: true, maxLength: 200, autocomplete: "off" });
  const answer = await show(
    title, [make("label", {}, label, field)], [submit("ok", action, "primary")]);
  return answer ? field.value.trim() || null : null;
};

/// Asks whether something is wanted.
export const confirm = async (title, words, action) =>
  Boolean(await show(title, [make("p", { textContent: words })], [submit("ok", action, "primary")]));

/// Asks for one of several; returns its value.
export const choose = (title, options) =>
  show(title, [], options.map(({ value, words, isFirst }) =>
    submit(value, words, isFirst ? "primary" : "")));
