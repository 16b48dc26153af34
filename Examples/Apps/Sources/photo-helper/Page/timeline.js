// The timeline, newest first. A photo is in it at once with its state, and changes in its place.

import "/timeline-words.js";
import "/ui/sheet.js";
import { attempt, button, icon, make, setChildren } from "/ui/elements.js";
import { follow, followConnection } from "/ui/events.js";
import { followKeys } from "/ui/keys.js";
import { address, ask, send } from "/ui/requests.js";
import { language, momentWords, told, translate, words } from "/ui/words.js";

const element = (id) => document.getElementById(id);
const [timeline, sheet, choices, problem, connection] = ["timeline", "sheet", "choices", "problem", "connection"].map(element);

translate();
document.title = words("title");
element("none").prepend(icon("photos", "big"));
connection.append(icon("cloud-off"), make("p", {}, make("strong", { textContent: words("away") }), make("span")));

// ---- Adding.

const choose = async () => {
  const sources = await ask("choices");
  choices.replaceChildren(...sources.map((source) => make("li", {}, make("button", {
    type: "button", className: "item", data: { source },
    on: { click: () => { sheet.close(); attempt(() => send("POST", "choose", { source })); } },
  }, icon(source === "camera" ? "camera" : "photos"), make("span", { className: "grow", textContent: words(source) })))));
  sheet.show();
};
sheet.label = words("add");
const add = button(words("addShort"), choose, { icon: "camera", kind: "primary fab", id: "photo" });
add.ariaLabel = words("add");
add.ariaHasPopup = "dialog";
element("add").replaceWith(add);

followKeys({}, []);

// ---- Photos.

/// The picture of a photo, which may move from one folder to another just now. A press opens the whole photo.
const picture = (id, alt) => {
  const source = (query) => address(`timeline/${id}`, { size: "small", ...query });
  const image = make("img", { src: source(), alt, loading: "lazy" });
  let tries = 0;
  image.addEventListener("error", () => {
    tries += 1;
    if (tries < 6) setTimeout(() => { image.src = source({ again: tries }); }, 500 * tries);
  });
  return make("a", { className: "whole", href: address(`timeline/${id}`), target: "_blank" }, image);
};

/// The line below it; made anew only when the state has changed.
const stateLine = (state, reason, moment, id) => {
  if (state === "sent") {
    return [make("span", { className: "grow", textContent: moment }), make("a", {
      className: "icon-button", href: address(`timeline/${id}`), download: `${id}.jpg`, ariaLabel: words("savePhoto", { moment }), title: words("save"),
    }, icon("save"))];
  }
  const isSending = state === "sending";
  return [isSending ? make("span", { className: "spinner" }) : icon("cloud-off"),
    make("span", { className: "grow", role: "status" }, make("span", { textContent: words(state) }),
      make("span", { className: "caption quiet", textContent: reason || words(`${state}What`) })),
    !isSending && button(words("sendNow"), () => send("POST", "send"))];
};

const show = ({ id, isSent, problem: failure }) => {
  const reason = failure ? told(failure) : "";
  const text = momentWords(new Date(Number.parseInt(id, 10)));
  const moment = text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
  const item = timeline.querySelector(`[data-id="${CSS.escape(id)}"]`) ??
    make("li", { className: "post", data: { id } }, picture(id, words("photoOf", { moment })), make("div", { className: "item" }));
  const state = isSent ? "sent" : reason ? "waiting" : "sending";
  const key = `${state} ${reason} ${isSent ? moment : ""}`;
  if (item.dataset.key !== key) item.lastElementChild.replaceChildren(...stateLine(state, reason, moment, id).filter(Boolean));
  Object.assign(item.dataset, { state, key });
  return item;
};

follow("timeline", ({ entries, problem: reason }) => {
  element("loading").hidden = true;
  problem.textContent = reason ? told(reason) : "";
  element("problem-banner").hidden = !reason;
  element("none").hidden = entries.length > 0;
  setChildren(timeline, entries.map(show));
});

followConnection((state) => {
  const isThere = ["open", "opening"].includes(state);
  connection.hidden = isThere;
  if (!isThere) connection.querySelector("span").textContent = words(`connection.${state}`);
});
