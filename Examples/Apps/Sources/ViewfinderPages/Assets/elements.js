// Elements, made in a line.

import { toast } from "./toast.js";

/// An element with properties, attributes and children; what is null or false among the children is left out.
///
/// Names with a dash, and those that elements know as attributes alone, are set as attributes; `on` has listeners by
/// event, `data` the dataset. Text goes in as text.
export const make = (name, properties = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (key === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (key === "data") Object.assign(element.dataset, value);
    else if (key.includes("-") || attributes.has(key)) element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
};
const attributes = new Set(["role", "for", "list", "popovertarget", "inputmode", "enterkeyhint"]);

const svgSpace = "http://www.w3.org/2000/svg";

/// An element of a drawing, with attributes and children.
export const draw = (name, properties = {}, ...children) => {
  const element = document.createElementNS(svgSpace, name);
  for (const [key, value] of Object.entries(properties)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

const icons = new URL("icons.svg", import.meta.url);

/// One of the set in icons.svg, such as icon("camera", "small"). What it means is said by words beside it, or by the
/// name of the button in which it stands.
export const icon = (name, ...classes) =>
  draw("svg", { class: ["icon", ...classes].join(" "), "aria-hidden": "true" }, draw("use", { href: `${icons.pathname}#${name}` }));

/// A button: words, an icon before them, and what a press does. A press that fails is told in a toast.
export const button = (words, press, { icon: name, kind = "", ...properties } = {}) => {
  const element = make("button", { type: "button", className: `button ${kind}`.trim(), ...properties },
    name && icon(name), words && make("span", { textContent: words }));
  element.addEventListener("click", (event) => attempt(() => press(event)));
  return element;
};

/// A button that is an icon alone; the words are its name, and shown under the pointer.
export const iconButton = (name, words, press, { kind = "", turns = false, ...properties } = {}) => {
  const element = make("button", {
    type: "button", className: `icon-button ${kind}`.trim(), ariaLabel: words, title: words, ...properties,
  }, icon(name, ...(turns ? ["turns"] : [])));
  element.addEventListener("click", (event) => attempt(() => press(event)));
  return element;
};

/// Makes elements the children of another one, in their order. Those that are in their places stay there: what is moved
/// loses the keyboard's focus, and a press that has begun.
export const setChildren = (parent, elements) => {
  const wanted = new Set(elements);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  elements.forEach((element, place) => {
    if (parent.children[place] !== element) parent.insertBefore(element, parent.children[place] ?? null);
  });
};

/// Shows values as the children of an element, in their order; a child stays for as long as its key comes.
///
/// `key` names a value; `begin` makes what shows one: its `element`, and `show`, which is given each value that is another.
export const childrenOf = (parent, key, begin) => {
  let shown = new Map();
  return (values) => {
    shown = new Map(values.map((value) => {
      const [child, text] = [shown.get(key(value)) ?? begin(value), JSON.stringify(value)];
      if (child.text !== text) child.show(value);
      child.text = text;
      return [key(value), child];
    }));
    setChildren(parent, [...shown.values()].map(({ element }) => element));
  };
};

/// Does something that may fail, and tells what went wrong.
export const attempt = async (action) => {
  try {
    return await action();
  } catch (error) {
    if (error.name === "AbortError") return undefined;
    toast(error.message);
    if (!error.isTold) console.warn(error);
    return undefined;
  }
};

/// Does something when the page has nothing else to do, or hadn't for so many milliseconds. Safari has no word for that:
/// there it is soon.
export const whenIdle = (action, patience) => {
  if (globalThis.requestIdleCallback) requestIdleCallback(action, { timeout: patience });
  else setTimeout(action, 50);
};
