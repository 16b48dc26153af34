// Questions: a name, one of several, or whether something is really wanted.

import { button, icon, make } from "/ui/elements.js";
import { words } from "/ui/words.js";

const dialog = document.getElementById("question");

/// Shows a form and waits; gives what the button that was pressed stands for, null for none.
///
/// `check` gets it before the form goes; what it throws is shown at the field, and the form stays.
export const show = (title, content, buttons, { check, field, close = words("cancel") } = {}) =>
  new Promise((resolve) => {
    const heading = make("h2", { textContent: title, id: "question-title" });
    const error = make("p", { className: "error", id: "question-error", role: "alert", hidden: true }, icon("warning", "small"), make("span"));
    const cancel = button(close, () => dialog.close());
    const form = make("form", { className: "stack tight" }, heading, ...content, error,
      make("div", { className: "actions" }, cancel, ...buttons));
    dialog.setAttribute("aria-labelledby", heading.id);
    dialog.replaceChildren(form);
    field?.addEventListener("input", () => {
      error.hidden = true;
      field.removeAttribute("aria-invalid");
    });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const value = event.submitter?.value || null;
      try {
        await check?.(value);
      } catch ({ message }) {
        error.lastElementChild.textContent = message;
        error.hidden = false;
        field?.setAttribute("aria-invalid", "true");
        field?.setAttribute("aria-describedby", error.id);
        field?.focus();
        return;
      }
      resolve(value);
      dialog.close();
    });
    // "close" comes a while later: by then another form may be shown, whose answer it isn't.
    const closed = () => {
      if (dialog.open && form.isConnected) return;
      dialog.removeEventListener("close", closed);
      resolve(null);
    };
    dialog.addEventListener("close", closed);
    dialog.showModal();
  });

/// A button that answers with a value.
export const submit = (value, text, kind = "primary") =>
  make("button", { type: "submit", value, textContent: text, className: `button ${kind}` });

/// A field with its name above it.
export const labelled = (text, field) => {
  field.id ||= `field-${Math.random().toString(36).slice(2)}`;
  return make("div", { className: "field" }, make("label", { for: field.id, textContent: text }), field);
};

/// Asks for a name until `make` takes it; gives what that gives, null for none.
export const askName = async (title, action, use) => {
  const field = make("input", { className: "input", type: "text", required: true, maxLength: 200, autocomplete: "off" });
  let result = null;
  const answer = await show(title, [labelled(words("name"), field)], [submit("ok", action)], {
    field, check: async () => { result = await use(field.value.trim()); },
  });
  return answer && result;
};

/// Asks whether something is wanted.
export const confirm = async (title, text, action, kind = "danger") =>
  Boolean(await show(title, [make("p", { className: "quiet", textContent: text })], [submit("ok", action, kind)]));

/// Asks for one of several; gives its value.
export const choose = (title, options) => {
  const list = make("ul", { className: "rows", role: "list", ariaLabel: title }, options.map(({ value, text, icon: name }) =>
    make("li", {}, make("button", { type: "submit", value, className: "item" }, icon(name), make("bdi", { className: "grow", textContent: text })))));
  return show(title, [list], []);
};

// A press beside the question takes it away.
dialog.addEventListener("click", ({ target, detail, clientX, clientY }) => {
  if (target !== dialog || !detail) return;
  const box = dialog.getBoundingClientRect();
  if (clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom) dialog.close();
});
