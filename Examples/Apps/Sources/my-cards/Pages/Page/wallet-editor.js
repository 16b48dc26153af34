// Makes a card, or changes one. What is typed stays until it is saved or given up.

import { barcodeTypes, fields as all } from "/wallet-fields.js";
import { SideField } from "/wallet-side.js";
import { ask, attempt, button, make, send } from "/wallet-server.js";

/// What people fill a field in with, by its kind.
const controls = {
  line: () => make("input", { autocomplete: "off" }),
  verbatim: () => make("input", { autocomplete: "off" }),
  groups: () => make("input", { autocomplete: "off" }),
  text: () => make("textarea", { rows: 3 }),
  amount: () => make("input", { inputMode: "decimal" }),
  currency: () => make("input", { maxLength: 3 }),
  day: () => make("input", { type: "date" }),
  color: () => make("input", { placeholder: "#0a5fd1" }),
  barcodeType: () => make("select", {}, ...["", ...barcodeTypes].map((name) =>
    make("option", { value: name, textContent: name || "None" }))),
};

export const editor = (id) => {
  const isNew = !id;
  // Made here, so that saving twice makes one card.
  const card = id ?? crypto.randomUUID?.() ?? randomUUID();
  // The card as it came, and the form as it was filled with it.
  let loaded = {};
  let before = {};

  const fields = Object.fromEntries(all.filter(({ kind }) => controls[kind]).map(({ name, kind, label, help }) => {
    const words = make("span", { textContent: help ? `${label}, ${help}` : label });
    const field = controls[kind]();
    return [name, { field, row: make("label", { className: "field" }, words, field) }];
  }));
  fields.name.field.required = true;
  const offer = make("div", { className: "row", role: "group", ariaLabel: "Bar codes in the photo" });
  const found = (barcodes) => {
    const others = barcodes.filter(({ text }) => text !== fields.cardId.field.value);
    offer.replaceChildren(...others.map(({ type, text }) => button(`Use ${text} (${type})`, () => {
      fields.cardId.field.value ||= text;
      fields.barcodeId.field.value = fields.cardId.field.value === text ? "" : text;
      fields.barcodeType.field.value = type;
      offer.replaceChildren();
      check();
    })));
    // Nobody has to press a button for the only one there is.
    if (others.length === 1 && !fields.cardId.field.value) offer.firstChild.click();
    check();
  };
  const sides = { front: new SideField("front", found), back: new SideField("back", found) };
  const missing = make("ul", { className: "missing", ariaLabel: "What is missing" });
  const problem = make("p", { className: "alert", role: "alert" });
  const save = make("button", { type: "submit", className: "primary", textContent: "Save" });

  /// What keeps the card from being saved, in the words that the server has for it.
  const check = () => {
    const words = [];
    if (!fields.name.field.value.trim()) words.push("Give the card a name.");
    if (!sides.front.value) words.push("Take or choose a photo of the front.");
    if (!sides.back.value) words.push("Take or choose a photo of the back.");
    missing.replaceChildren(...words.map((textContent) => make("li", { textContent })));
    save.disabled = words.length > 0;
  };

  const values = () => ({
    ...Object.fromEntries(Object.entries(fields).map(([name, { field }]) => [name, field.value])),
    groups: fields.groups.field.value.split(",").map((name) => name.trim()).filter(Boolean),
    front: sides.front.value, back: sides.back.value,
  });

  const form = make("form", { className: "cardEditor" },
    make("div", { className: "sides" }, sides.front.element, sides.back.element), offer,
    ...Object.values(fields).map(({ row }) => row), missing, problem,
    make("div", { className: "row" }, save,
      make("a", { className: "button", href: isNew ? "#/" : `#/card/${id}`, textContent: "Cancel" })));
  form.addEventListener("input", check);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => {
      problem.textContent = "";
      save.disabled = true;
      try {
        // Only what changed: the rest may have changed on another device meanwhile.
        const changes = Object.entries(values()).filter(([name, value]) =>
          JSON.stringify(value) !== JSON.stringify(before[name]));
        await send("PUT", `/cards/${card}`, {
          changes: Object.fromEntries(changes),
          before: Object.fromEntries(changes.map(([name]) => [name, loaded[name]])),
        });
        location.hash = `#/card/${card}`;
      } catch (error) {
        problem.textContent = error.message;
      } finally {
        check();
      }
    });
  });

  const refresh = async () => {
    if (!isNew) {
      const { card } = await ask(`/cards/${id}`);
      loaded = card;
      for (const [name, { field }] of Object.entries(fields)) field.value = card[name] ?? "";
      fields.groups.field.value = (card.groups ?? []).join(", ");
      sides.front.value = card.front ?? null;
      sides.back.value = card.back ?? null;
    }
    before = values();
    check();
  };
  const title = isNew ? "A new card" : "Edit the card";
  const element = make("section", {}, make("header", {}, make("h1", { textContent: title })), form);
  const close = () => { sides.front.close(); sides.back.close(); };
  return { element, refresh, close, isEditing: true, title: () => title };
};

/// Version 4, where the page isn't a secure context and has no crypto.randomUUID.
const randomUUID = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
};
