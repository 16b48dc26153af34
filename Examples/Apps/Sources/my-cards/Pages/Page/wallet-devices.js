// The person's devices: which there are, the code that lets another one in, and joining by such a code.

import { attempt, button, icon, make } from "/ui/elements.js";
import { ask, send } from "/ui/requests.js";
import { toast } from "/ui/toast.js";
import { told, words } from "/ui/words.js";
import { copy } from "/wallet-changes.js";
import { askForPhoto } from "/wallet-photos.js";
import { deviceRows, showSync } from "/wallet-sync.js";

export const devices = () => {
  const shown = make("div", { className: "code-shown panel", hidden: true });
  const address = make("p", { className: "quiet" });
  const trouble = make("p", { className: "error" });
  const list = make("ul", { className: "rows devices", ariaLabel: words("devices") });
  let timer = 0;

  const refresh = async () => {
    const news = await ask("devices");
    const { server, devices: all, problem, isGiven } = news;
    address.textContent = server ? words("agreeAt", { server }) : "";
    trouble.textContent = problem ? told(problem) : "";
    showDevices(server ? all : []);
    joined.hidden = !server;
    trouble.hidden = !problem;
    fromFile.hidden = Boolean(server) || !isGiven;
    alone.hidden = joining.hidden = Boolean(server) || isGiven;
    invitation.hidden = !server;
    leave.hidden = !server || isGiven;
    return news;
  };

  const showDevices = deviceRows(list, (device) => !device.isThis && button(words("remove"), async () => {
    await send("DELETE", `devices/${encodeURIComponent(device.id)}`);
    toast(words("deviceRemoved", { name: device.name }));
    await refresh();
  }, { ariaLabel: words("removeNamed", { name: device.name }), kind: "plain danger" }));
  const joined = make("div", { className: "stack", hidden: true }, address, trouble, list);
  const fromFile = make("p", { textContent: words("aloneFile"), hidden: true });
  const alone = make("div", { className: "stack", hidden: true }, make("p", { textContent: words("aloneHow") }),
    button(words("readCode"), async () => {
      await askForPhoto("join/photo");
      await refresh();
    }, { icon: "scan" }));

  /// A control and a button below it, which take what is typed; it stays while what stands above it changes.
  const form = (control, label, action, submit) => {
    const element = make("form", { className: "stack", hidden: true },
      make("div", { className: "field" }, make("label", { for: control.id, textContent: label }), control),
      make("button", { type: "submit", className: "button primary", textContent: action }));
    element.addEventListener("submit", (event) => {
      event.preventDefault();
      attempt(async () => {
        await submit(control.value);
        control.value = "";
      });
    });
    return element;
  };

  const invitation = form(
    make("input", { id: "device-name", className: "input", autocomplete: "off", maxLength: 100 }),
    words("newDeviceName"), words("addDevice"), (name) => invite(name));
  const joining = form(
    make("textarea", { id: "device-code", className: "input", rows: 3, autocomplete: "off", spellcheck: false }),
    words("codeText"), words("join"), async (code) => {
      await send("POST", "join", { code });
      await refresh();
    });
  const leave = button(words("stopHere"), async () => {
    await send("POST", "leave");
    await refresh();
  }, { kind: "plain danger", hidden: true });

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
      const news = await refresh().catch(() => null);
      const device = news?.devices.find((each) => each.id === id);
      const isGone = news && !news.problem && !device;
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

  const element = make("div", { className: "view" }, make("header", { className: "bar narrow-bar" },
    make("a", { className: "icon-button", href: "#/settings", ariaLabel: words("settings") }, icon("back", "turns")),
    make("h1", { textContent: words("devices") }), make("span")),
  make("main", { className: "page narrow stack", tabIndex: -1 }, shown, joined, fromFile, alone, invitation, joining, leave));

  const stop = showSync(() => attempt(refresh));
  const close = () => {
    stop();
    hide();
  };
  return { element, refresh, close, title: () => words("devices") };
};
