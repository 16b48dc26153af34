// The fields of a card, filled in and read.

import { button, icon, make } from "/ui/elements.js";
import { words } from "/ui/words.js";
import { cards, groupsOf } from "/wallet-cards.js";
import { sheet } from "/wallet-dialogs.js";
import { colors, isAmount, paint } from "/wallet-face.js";
import { barcodeTypes, fields as known, groupNameLimit } from "/wallet-fields.js";
import { chooseGroup, mostUsed } from "/wallet-groups.js";
import { kindNames, kindOf } from "/wallet-kinds.js";

const limits = Object.fromEntries(known.map(({ name, limit }) => [name, limit]));

/// A labelled control, with a hint and a place for what is wrong.
const field = (name, control, hint) => {
  control.id = `field-${name}`;
  const error = make("p", { className: "error", id: `error-${name}`, hidden: true });
  control.setAttribute("aria-describedby", `error-${name}${hint ? ` hint-${name}` : ""}`);
  if (hint) hint.id = `hint-${name}`;
  return { control, error, row: (...rest) => make("div", { className: "field" },
    make("label", { for: control.id, textContent: words(`field.${name}`) }), ...(rest.length ? rest : [control]), hint, error) };
};

export const form = ({ changed, scan }) => {
  const input = (properties = {}) => make("input", { className: "input", autocomplete: "off", ...properties });
  const select = (...options) => make("select", { className: "input" }, ...options.map(([value, text]) => make("option", { value, textContent: text })));
  const numberHint = make("p", { className: "hint" });
  const fields = {
    name: field("name", input({ placeholder: words("nameHint") })),
    cardId: field("cardId", input({ className: "input figures" }), numberHint),
    barcodeType: field("barcodeType", select(["", words("noKind")], ...barcodeTypes.map((type) => [type, kindNames[type] ?? type]))),
    barcodeId: field("barcodeId", input()),
    validFrom: field("validFrom", input({ type: "date" })),
    expiry: field("expiry", input({ type: "date" })),
    balance: field("balance", input({ inputmode: "decimal" })),
    balanceType: field("balanceType", input({ maxLength: 3, placeholder: words("pointsHint"), "aria-autocomplete": "list" })),
    note: field("note", make("textarea", { className: "input", rows: 3 })),
  };
  const currencies = make("datalist", { id: "currencies" }, ...["EUR", "CHF", "USD", "GBP"].map((value) => make("option", { value })));
  fields.balanceType.control.setAttribute("list", "currencies");
  // Whether somebody chose the kind; until then it follows the number.
  let isKindChosen = false;
  let color = "";
  let groups = [];

  const swatches = make("div", { className: "swatches", role: "radiogroup", ariaLabel: words("colour") }, ...Object.entries(colors).map(([name, value]) => {
    const choice = make("input", { type: "radio", name: "colour", value, ariaLabel: words(`colour.${name}`) });
    choice.addEventListener("change", () => { color = value; });
    return make("label", { className: "swatch" }, choice, paint(make("span", {}, icon("check", "small")), value));
  }));
  const chips = make("div", { className: "chips", role: "group", ariaLabel: words("groups") });
  const showGroups = () => {
    const all = groupsOf([...cards().cards.values()]);
    const atHand = mostUsed(all, groups);
    const names = [...new Set([...atHand.map(({ name }) => name), ...groups])];
    chips.replaceChildren(...names.map((name) => {
      const choice = make("input", { type: "checkbox", checked: groups.includes(name) });
      choice.addEventListener("change", () => { groups = choice.checked ? [...groups, name] : groups.filter((each) => each !== name); });
      return make("label", { className: "chip" }, choice, make("bdi", { textContent: name }));
    }), ...(atHand.length < all.length ? [moreGroups(all)] : []), newGroup);
  };
  const addGroup = (name) => {
    if (name && !groups.includes(name)) groups.push(name);
    showGroups();
    changed();
  };
  const moreGroups = (all) => {
    const element = button(words("moreGroups"), () => chooseGroup(all, addGroup), { icon: "more" });
    element.className = "chip";
    return element;
  };
  const newGroup = button(words("newGroup"), () => {
    const name = input({ ariaLabel: words("groupName"), maxLength: groupNameLimit });
    const add = make("form", { className: "with-action" }, name, make("button", { type: "submit", className: "button primary", textContent: words("add") }));
    const element = sheet(words("newGroup"), add);
    add.addEventListener("submit", (event) => {
      event.preventDefault();
      event.stopPropagation();
      element.close();
      addGroup(name.value.trim());
    });
    name.focus();
  }, { icon: "plus" });
  newGroup.className = "chip";

  const kind = () => fields.barcodeType.control.value;
  const follow = () => {
    const number = fields.cardId.control.value;
    if (!isKindChosen) fields.barcodeType.control.value = kindOf(fields.barcodeId.control.value || number);
    numberHint.textContent = !number ? words("numberHint") : kind() ? words("drawnAs", { kind: kindNames[kind()] ?? kind() }) : words("noCodeDrawn");
  };
  fields.barcodeType.control.addEventListener("change", () => { isKindChosen = true; });

  const scanButton = button(words("scan"), scan, { icon: "scan" });
  const more = make("details", { className: "more" }, make("summary", {}, icon("down"), words("moreFields")), make("div", { className: "stack" },
    make("div", { className: "field" }, make("span", { className: "label", textContent: words("colour") }), swatches),
    make("div", { className: "field" }, make("span", { className: "label", textContent: words("groups") }), chips),
    fields.barcodeType.row(), fields.barcodeId.row(),
    make("div", { className: "pair" }, fields.validFrom.row(), fields.expiry.row()),
    make("div", { className: "pair" }, fields.balance.row(), fields.balanceType.row(fields.balanceType.control, currencies)), fields.note.row()));

  const value = {
    get: () => ({
      ...Object.fromEntries(Object.entries(fields).map(([name, { control }]) => [name, control.value])), headerColor: color, groups: [...groups].sort(),
    }),
    /// Fills the form in; `isKindChosen` as it was when it was left.
    set: (values, { isKindChosen: chosen = Boolean(values.barcodeType) } = {}) => {
      for (const [name, { control }] of Object.entries(fields)) control.value = values[name] ?? "";
      color = values.headerColor ?? "";
      for (const choice of swatches.querySelectorAll("input")) choice.checked = choice.value === color;
      groups = [...(values.groups ?? [])];
      isKindChosen = chosen;
      showGroups();
      follow();
    },
    isKindChosen: () => isKindChosen,
    /// Takes what a photo's bar code says.
    takeCode: ({ type, text }) => {
      fields.cardId.control.value ||= text;
      fields.barcodeId.control.value = fields.cardId.control.value === text ? "" : text;
      fields.barcodeType.control.value = type;
      isKindChosen = true;
      follow();
    },
  };

  /// What is wrong, by fields; the first is what Save waits for.
  const problems = () => {
    const values = value.get();
    const found = [];
    if (!values.name.trim()) found.push(["name", words("needsName")]);
    for (const [name, text] of Object.entries(values)) {
      const count = typeof text === "string" ? [...text].length : 0;
      if (limits[name] && count > limits[name]) found.push([name, words("tooLong", { count, limit: limits[name] })]);
    }
    if (values.balance && !isAmount(values.balance)) found.push(["balance", words("error.balance")]);
    if (values.balanceType && !/^[a-z]{3}$/i.test(values.balanceType.trim())) found.push(["balanceType", words("error.currency")]);
    return found;
  };

  const mark = (only) => {
    const wrong = Object.fromEntries(problems());
    for (const [name, { control, error }] of Object.entries(fields)) {
      if (only && name !== only && control.getAttribute("aria-invalid") !== "true") continue;
      control.setAttribute("aria-invalid", String(name in wrong));
      error.hidden = !(name in wrong);
      error.replaceChildren(...(name in wrong ? [icon("warning", "small"), make("span", { textContent: wrong[name] })] : []));
    }
  };
  for (const [name, { control }] of Object.entries(fields)) control.addEventListener("blur", () => { if (control.value || name !== "name") mark(name); });

  const element = [fields.name.row(), fields.cardId.row(make("div", { className: "with-action" }, fields.cardId.control, scanButton))];
  const input_ = () => {
    follow();
    for (const [name, { control }] of Object.entries(fields)) if (control.getAttribute("aria-invalid") === "true") mark(name);
  };
  return { ...value, first: element, more, problems, mark, follow: input_, focus: (name) => {
    if (more.contains(fields[name].control)) more.open = true;
    fields[name].control.focus();
  } };
};
