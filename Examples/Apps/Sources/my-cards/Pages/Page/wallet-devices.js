// The person's devices: which there are, the code that lets another one in, and joining by such a code.

import { attempt, button, icon, make } from "/ui/elements.js";
import { ask, send } from "/ui/requests.js";
import { toast } from "/ui/toast.js";
import { told, words } from "/ui/words.js";
import { copy } from "/wallet-changes.js";
import { askForPhoto } from "/wallet-photos.js";
import { deviceRow, showSync } from "/wallet-sync.js";

export const devices = () => {
  const body = make("div", { className: "stack" });
  const shown = make("div", { className: "code-shown panel", hidden: true });
  const element = make("div", { className: "view" }, make("header", { className: "bar narrow-bar" },
    make("a", { className: "icon-button", href: "#/settings", ariaLabel: words("settings") }, icon("back", "turns")),
    make("h1", { textContent: words("devices") }), make("span")),
  make("main", { className: "page narrow stack", tabIndex: -1 }, shown, body));
  let timer = 0;
  let drawn = "";

  const refresh = async () => {
    const report = await ask("devices");
    // What somebody is typing stays.
    if (drawn === JSON.stringify(report)) return report;
    drawn = JSON.stringify(report);
    body.replaceChildren(...(report.server ? joined(report) : alone(report)).filter(Boolean));
    return report;
  };

  const field = (id, label, control) => {
    control.id = id;
    return make("div", { className: "field" }, make("label", { for: id, textContent: label }), control);
  };

  const joined = ({ server, isGiven, devices: list, problem }) => {
    const rows = list.map((device) => deviceRow(device, !device.isThis && button(words("remove"), async () => {
      await send("DELETE", `devices/${encodeURIComponent(device.id)}`);
      toast(words("deviceRemoved", { name: device.name }));
      await refresh();
    }, { ariaLabel: words("removeNamed", { name: device.name }), kind: "plain danger" })));
    const name = make("input", { className: "input", autocomplete: "off", maxLength: 100 });
    const form = make("form", { className: "stack" }, field("device-name", words("newDeviceName"), name),
      make("button", { type: "submit", className: "button primary", textContent: words("addDevice") }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      attempt(() => invite(name.value));
    });
    return [
      make("p", { className: "quiet", textContent: words("agreeAt", { server }) }),
      problem && make("p", { className: "error", textContent: told(problem) }),
      make("ul", { className: "rows devices", ariaLabel: words("devices") }, ...rows), form,
      !isGiven && button(words("stopHere"), async () => {
        await send("POST", "leave");
        await refresh();
      }, { kind: "plain danger" }),
    ];
  };

  const alone = ({ isGiven }) => {
    if (isGiven) return [make("p", { textContent: words("aloneFile") })];
    const code = make("textarea", { className: "input", rows: 3, autocomplete: "off", spellcheck: false });
    const form = make("form", { className: "stack" }, field("device-code", words("codeText"), code),
      make("button", { type: "submit", className: "button primary", textContent: words("join") }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      attempt(async () => {
        await send("POST", "join", { code: code.value });
        await refresh();
      });
    });
    return [make("p", { textContent: words("aloneHow") }), button(words("readCode"), async () => {
      await askForPhoto("join/photo");
      await refresh();
    }, { icon: "scan" }), form];
  };

  /// Shows a code for as long as it is good, or until the device has come.
  const invite = async (name) => {
    const { id, code, drawing, problem, seconds } = await send("POST", "devices", { name });
    hide();
    const picture = drawing ? URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" })) : null;
    const text = make("textarea", { className: "input", rows: 3, readOnly: true, value: code, ariaLabel: words("codeText") });
    shown.replaceChildren(...[
      make("p", { textContent: words("readThis", { name }) }),
      picture && make("img", { src: picture, alt: words("deviceQR") }),
      problem && make("p", { className: "error", textContent: told(problem) }), text,
      make("div", { className: "row" }, button(words("copy"), () => copy(code), { icon: "copy" }), button(words("hide"), () => hide())),
      make("p", { className: "quiet", textContent: words("goodFor", { count: Math.round(seconds / 60) }) }),
    ].filter(Boolean));
    shown.hidden = false;
    const end = Date.now() + seconds * 1000;
    timer = setInterval(async () => {
      const report = await refresh().catch(() => null);
      const device = report?.devices.find((each) => each.id === id);
      const isGone = report && !report.problem && !device;
      if (device?.seen) toast(words("deviceHere", { name }));
      if (device?.seen || isGone || Date.now() > end) hide();
    }, 2000);
    await refresh();
  };

  const hide = () => {
    clearInterval(timer);
    const picture = shown.querySelector("img");
    if (picture) URL.revokeObjectURL(picture.src);
    shown.replaceChildren();
    shown.hidden = true;
  };

  const stop = showSync(() => attempt(refresh));
  const close = () => {
    stop();
    hide();
  };
  return { element, refresh, close, title: () => words("devices") };
};
