// The person's devices: which there are, the code that lets another one in, and joining by such a code.

import { ask, button, make, send, toast } from "/wallet-server.js";

export const devices = () => {
  const body = make("div", { className: "detail" });
  const shown = make("div", { className: "code", hidden: true });
  const element = make("section", {},
    make("header", {}, make("a", { className: "button", href: "#/", textContent: "‹ Cards" }), make("h1", { textContent: "Devices" })),
    shown, body);
  // The photo of a code that this page waits for.
  let asked = null;
  let timer = 0;
  let drawn = "";

  const refresh = async () => {
    const report = await ask("/devices");
    // What somebody is typing stays.
    if (drawn === JSON.stringify(report)) return report;
    drawn = JSON.stringify(report);
    body.replaceChildren(...(report.server ? joined(report) : alone(report)));
    return report;
  };

  const day = (date) => new Date(date).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

  const joined = ({ server, isGiven, devices, problem }) => {
    const rows = devices.map(({ id, name, seen, isThis }) => make("li", {},
      make("span", {}, make("strong", { textContent: name }),
        make("span", { className: "quiet", textContent: isThis ? " This device" : seen ? ` Last here ${day(seen)}` : " Not here yet" })),
      ...(isThis ? [] : [button("Remove", async () => {
        await send("DELETE", `/devices/${encodeURIComponent(id)}`);
        toast(`“${name}” gets and sends cards no more. What it has stays there.`);
        await refresh();
      }, { ariaLabel: `Remove ${name}` })])));
    const name = make("input", { autocomplete: "off", maxLength: 100 });
    const form = make("form", { className: "detail" },
      make("label", { className: "field" }, make("span", { textContent: "Name of the new device" }), name),
      make("button", { type: "submit", className: "primary", textContent: "Add a device" }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      invite(name.value).catch((error) => toast(error.message));
    });
    return [
      make("p", { className: "quiet", textContent: `Your devices agree at ${server}.` }),
      ...(problem ? [make("p", { className: "alert", textContent: problem })] : []),
      make("ul", { className: "devices", ariaLabel: "Devices" }, ...rows), form,
      ...(isGiven ? [] : [button("Stop on this device", async () => {
        await send("POST", "/leave");
        await refresh();
      })]),
    ];
  };

  const alone = ({ isGiven }) => {
    if (isGiven) return [make("p", { textContent: "This wallet shows the cards of a file. Start it without --cards to share its own." })];
    const code = make("textarea", { rows: 3, autocomplete: "off", spellcheck: false });
    const form = make("form", { className: "detail" },
      make("label", { className: "field" }, make("span", { textContent: "The code’s text" }), code),
      make("button", { type: "submit", className: "primary", textContent: "Join" }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      send("POST", "/join", { code: code.value }).then(refresh).catch((error) => toast(error.message));
    });
    return [
      make("p", { textContent: "The cards are on this device alone. To share them with another of yours, open Devices there, choose “Add a device”, and read the code that it shows, or paste its text." }),
      button("Read the code", async () => { asked = (await send("POST", "/join/photo")).id; }), form,
    ];
  };

  /// Shows a code for as long as it is good, or until the device has come.
  const invite = async (name) => {
    const { id, code, drawing, problem, seconds } = await send("POST", "/devices", { name });
    hide();
    const picture = drawing ? URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" })) : null;
    const text = make("textarea", { rows: 3, readOnly: true, value: code, ariaLabel: "The code’s text" });
    shown.replaceChildren(
      make("p", { textContent: `Read this on “${name}”: there under Devices, “Read the code”, or paste the text. Whoever has it gets all your cards.` }),
      ...(picture ? [make("img", { src: picture, alt: "QR code for the new device" })] : []),
      ...(problem ? [make("p", { className: "alert", textContent: problem })] : []), text,
      make("div", { className: "row" }, button("Copy", async () => {
        text.select();
        // Only secure contexts have a clipboard.
        if (navigator.clipboard) await navigator.clipboard.writeText(code);
        else document.execCommand("copy");
      }), button("Hide", () => hide())),
      make("p", { className: "quiet", textContent: `It is good for ${Math.round(seconds / 60)} minutes.` }));
    shown.hidden = false;
    const end = Date.now() + seconds * 1000;
    timer = setInterval(async () => {
      const report = await refresh().catch(() => null);
      const device = report?.devices.find((device) => device.id === id);
      const isGone = report && !report.problem && !device;
      if (device?.seen) toast(`“${name}” is here.`);
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

  const follow = async ({ detail: { id, problem } }) => {
    if (id !== asked) return;
    asked = null;
    if (problem) toast(problem);
    else await refresh().catch((error) => toast(error.message));
  };
  addEventListener("photo", follow);
  const close = () => {
    removeEventListener("photo", follow);
    hide();
  };
  return { element, refresh, close, title: () => "Devices" };
};
