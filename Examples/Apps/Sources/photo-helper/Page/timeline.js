// The timeline, and the bar. The button in its middle opens a sheet and leaves the tab as it is.

const [timeline, none, sheet, choices, problem] =
  ["timeline", "none", "sheet", "choices", "problem"].map((id) => document.getElementById(id));
const words = { camera: "Take a photo", photoLibrary: "Choose from the library" };

const make = (name, properties, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

for (const tab of document.querySelectorAll("[data-tab]")) {
  tab.addEventListener("click", () => {
    for (const other of document.querySelectorAll("[data-tab]")) {
      other.setAttribute("aria-pressed", String(other === tab));
      document.getElementById(other.dataset.tab).hidden = other !== tab;
    }
  });
}

document.getElementById("photo").addEventListener("click", async () => {
  const sources = await (await fetch("/choices")).json();
  const buttons = sources.map((source) => {
    const button = make("button", { type: "button", textContent: words[source] });
    button.dataset.source = source;
    button.addEventListener("click", async () => {
      sheet.close();
      await fetch("/choose", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ source }),
      });
    });
    return button;
  });
  const cancel = make("button", { type: "button", textContent: "Cancel" });
  cancel.addEventListener("click", () => sheet.close());
  choices.replaceChildren(...buttons, cancel);
  sheet.showModal();
});

const show = ({ id, isSent, progress, problem }) => {
  const item =
    timeline.querySelector(`[data-id="${id}"]`) ??
    make("li", {}, make("img", { src: `/timeline/${id}`, alt: `Photo of ${new Date(parseInt(id)).toLocaleString()}` }),
      make("progress", { max: 1, ariaLabel: "Upload" }), make("p", { role: "status" }));
  item.dataset.id = id;
  item.dataset.state = isSent ? "sent" : problem ? "waiting" : "sending";
  const [, bar, text] = item.children;
  bar.hidden = isSent;
  bar.value = progress;
  const state = isSent ? "Uploaded" : problem ?? "Uploading …";
  if (text.textContent !== state) text.textContent = state;
  return item;
};

new EventSource("/timeline").onmessage = (event) => {
  const { entries, problem: words } = JSON.parse(event.data);
  problem.textContent = words ?? "";
  none.hidden = entries.length > 0;
  const items = entries.map(show);
  items.forEach((item, place) => {
    if (timeline.children[place] !== item) timeline.insertBefore(item, timeline.children[place] ?? null);
  });
};
