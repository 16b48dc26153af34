// The camera's page: the picture with its state, the shutter, photos, and figures.

import "/camera-words.js";
import "/ui/sheet.js";
import { attempt, button, icon, iconButton, make } from "/ui/elements.js";
import { follow, followConnection } from "/ui/events.js";
import { followKeys } from "/ui/keys.js";
import { address, request } from "/ui/requests.js";
import { toast } from "/ui/toast.js";
import { chooseLanguage, language, languages, told, translate, words } from "/ui/words.js";
import { figures } from "/figures.js";
import { Still } from "/still.js";

const element = (id) => document.getElementById(id);
const [live, none, state, banner, why, photos] = ["live", "none", "state", "banner", "why", "photos"].map(element);

translate();
document.title = words("title");
element("name").textContent = words("title");

const photosShown = 12;
const page = { connection: "opening", report: null, isFull: false, retryAt: 0, isBusy: false, taken: 0 };
const still = new Still(live, element("still"));

// ---- What the picture's state means for all parts of the page.

/// "starting", "live", "none", "lost" (the camera's), "offline", "refused" or "full".
const mode = () => {
  if (page.connection === "refused") return "refused";
  if (page.connection === "busy" || (page.isFull && page.connection === "open")) return "full";
  if (page.connection === "lost") return "offline";
  return { running: "live", interrupted: "lost", unavailable: "none" }[page.report?.state] ?? "starting";
};

/// Elements whose words and kind stay the same aren't made anew: screen readers would read them again.
const fill = (place, key, children) => {
  place.hidden = !children.length;
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  place.replaceChildren(...children);
};

const bannerOf = {
  offline: () => ["cloud-off", "away", words("awayWhat")],
  refused: () => ["lock", "refused", words("refusedWhat")],
  full: () => {
    const seconds = Math.ceil((page.retryAt - Date.now()) / 1000);
    return ["people", "busy", `${words("busyWhat")} ${seconds > 0 ? words("busyWait", { count: seconds }) : words("busyNow")}`];
  },
};

// There from the beginning: when the server is away, no drawing comes from it.
const bannerIcons = Object.fromEntries(["cloud-off", "lock", "people"].map((name) => [name, icon(name)]));
const [bannerTitle, bannerText] = [make("strong"), make("span")];
banner.append(...Object.values(bannerIcons), make("p", {}, bannerTitle, bannerText));

const showBanner = (now) => {
  const [name, title, text] = bannerOf[now]?.() ?? [];
  banner.hidden = !name;
  if (!name) return;
  for (const [other, drawing] of Object.entries(bannerIcons)) drawing.toggleAttribute("hidden", other !== name);
  if (bannerTitle.textContent !== words(title)) bannerTitle.textContent = words(title);
  if (bannerText.textContent !== text) bannerText.textContent = text;
  // The seconds are seen, and not read out each.
  banner.ariaLive = now === "full" ? "off" : "polite";
};

const reason = () => page.report && make("p", { textContent: told(page.report) });

const noneOf = {
  none: () => [icon("camera-off", "big"), make("h2", { textContent: words("none") }), reason()],
  lost: () => [icon("camera-off", "big"), make("h2", { textContent: words("lost") }), make("p", { textContent: words("lostWhat") }), reason()],
  starting: () => [make("span", { className: "spinner" }), make("p", { textContent: words("starting") })],
  full: () => [make("span", { className: "spinner" }), make("p", { textContent: words("waiting") })],
};

const show = () => {
  const now = mode();
  const isStill = ["offline", "refused"].includes(now) && still.show();
  if (!isStill) still.hide();
  document.body.dataset.mode = now;
  showBanner(now);
  const parts = isStill || now === "live" ? [] : (noneOf[now]?.() ?? noneOf.lost()).filter(Boolean);
  none.role = ["none", "lost"].includes(now) ? "alert" : "status";
  fill(none, `${now} ${page.report?.message}`, parts);
  state.hidden = now !== "live" && !isStill;
  state.firstElementChild.className = isStill ? "dot off" : "dot";
  const label = isStill ? words("still", { time: still.time }) : words("live");
  if (state.lastElementChild.textContent !== label) state.lastElementChild.textContent = label;
  element("over").hidden = now !== "live";
  shutter.disabled = now !== "live" || page.isBusy;
  const reasons = { offline: "cantShootAway", refused: "cantShootAway", full: "cantShootFull", none: "cantShoot", lost: "cantShoot" };
  why.hidden = !reasons[now];
  if (reasons[now]) why.textContent = words(reasons[now]);
  const hasFigures = ["live", "offline", "full"].includes(now) && page.hasFigures;
  element("plots").hidden = element("numbers").hidden = !hasFigures;
};

// ---- Controls.

const shutter = button(words("shoot"), () => shoot(), { icon: "camera", kind: "primary large grow", id: "shutter", disabled: true });
const copy = iconButton("copy", words("copy"), () => copyAddress(), { kind: "filled round", id: "copy" });
element("actions").append(shutter, copy);

const guide = iconButton("card", words("guide"), () => {
  const isOn = guide.ariaPressed !== "true";
  guide.ariaPressed = String(isOn);
  if (isOn) live.setAttribute("guide", "card");
  else live.removeAttribute("guide");
}, { kind: "glass", id: "guide", ariaPressed: "false" });
const fullScreen = document.fullscreenEnabled && iconButton("closer", words("full"), () =>
  (document.fullscreenElement ? document.exitFullscreen() : element("screen").requestFullscreen()), { kind: "glass", id: "full" });
element("over").append(...[guide, fullScreen].filter(Boolean));

const openSettings = () => {
  const choices = Object.entries(languages).map(([tag, name]) => make("li", {},
    make("button", {
      type: "button", className: "item", ariaPressed: String(tag === language), lang: tag, on: { click: () => chooseLanguage(tag) },
    }, make("span", { className: "grow", textContent: name }), tag === language && icon("check"))));
  const mirror = make("input", { type: "checkbox", className: "switch", id: "mirror", checked: live.hasAttribute("mirrored") });
  mirror.addEventListener("change", () => live.toggleAttribute("mirrored", mirror.checked));
  const sheet = make("viewfinder-sheet", { label: words("settings"), on: { close: () => sheet.remove() } },
    make("div", { className: "rows" }, make("label", { className: "item" }, make("span", { className: "grow", textContent: words("mirror") }), mirror)),
    make("h3", { className: "section-title", textContent: words("language") }), make("ul", { className: "rows" }, choices));
  document.body.append(sheet);
  sheet.show();
};
element("settings-place").replaceWith(iconButton("settings", words("settings"), openSettings, { id: "settings" }));

const copyAddress = async () => {
  const url = address("stream.mjpg").href;
  try {
    // Browsers let pages copy in secure contexts alone.
    await navigator.clipboard.writeText(url);
    toast(words("copied"));
  } catch {
    toast(words("notCopied", { address: url }));
  }
};

// ---- Photos.

const shoot = async () => {
  if (page.isBusy) return;
  page.isBusy = true;
  show();
  try {
    const answer = await request("GET", "photo.jpg", { query: { outline: live.outline } });
    await showPhoto(await answer.blob());
  } finally {
    page.isBusy = false;
    show();
    shutter.focus();
  }
};

const showPhoto = async (file) => {
  const picture = make("img", { src: URL.createObjectURL(file) });
  await picture.decode();
  const number = page.taken += 1;
  picture.alt = words("photo", { number });
  photos.prepend(make("li", {}, make("a", {
    href: picture.src, download: `photo-${number}.jpg`, ariaLabel: words("savePhoto", { number }),
  }, picture)));
  while (photos.children.length > photosShown) {
    URL.revokeObjectURL(photos.lastElementChild.querySelector("a").href);
    photos.lastElementChild.remove();
  }
  element("taken").hidden = false;
  toast(words("photoTaken", { number, width: `${picture.naturalWidth}`, height: `${picture.naturalHeight}` }));
};

// ---- What the page hears.

const showFigures = figures();
const shortLayouts = { MJPG: "MJPEG", YU12: "I420" };

follow("camera", (report) => {
  page.report = report;
  page.isFull &&= !still.isMoving;
  element("name").textContent = report.camera ?? words("title");
  show();
});
follow("statistics", (report) => {
  page.hasFigures = true;
  const { format } = report;
  element("format").textContent = format
    ? words(format.rate ? "format" : "formatOnly", { ...format, width: `${format.width}`, height: `${format.height}`, layout: shortLayouts[format.layout] ?? format.layout })
    : words("notConnected");
  // Shown before they are drawn: a hidden plot has no size.
  show();
  showFigures(report);
});
followConnection((connection, seconds) => {
  page.connection = connection;
  if (connection === "busy") waitFor(seconds);
  show();
});

// ---- A server with all places taken.

const waitFor = (seconds = 10) => { page.retryAt = Date.now() + 1000 * seconds; };
live.addEventListener("full", ({ detail }) => {
  page.isFull = true;
  waitFor(detail);
  show();
});
live.addEventListener("picture", () => {
  // Browsers may tell of each frame.
  if (!page.isFull) return;
  page.isFull = false;
  show();
});
setInterval(() => {
  if (mode() === "live") still.take();
  if (mode() === "full") show();
}, 1000);

followKeys({}, []);
attempt(async () => show());
