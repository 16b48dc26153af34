// Files of other wallets: read while the page goes on, and written.

import { button, make } from "/ui/elements.js";
import { follow } from "/ui/events.js";
import { base, send } from "/ui/requests.js";
import { toast } from "/ui/toast.js";
import { told, words } from "/ui/words.js";
import { sheet } from "/wallet-dialogs.js";
import { newID } from "/wallet-ids.js";

/// How long a file may take on its way.
const time = 300_000;
/// The import that goes on, this page's or one that it found; none most of the time.
let current = null;
const listeners = new Set();

const file = make("input", { type: "file", accept: ".zip,.csv", hidden: true, ariaLabel: words("importCards") });
file.addEventListener("change", () => {
  const [chosen] = file.files;
  file.value = "";
  if (chosen) importFile(chosen);
});

export const beginExchange = () => {
  document.body.append(file);
  follow("import", hear);
};

/// Hears when an import begins or ends.
export const watchImport = (listener) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const importTitle = () => current && (current.name ? words("importing", { name: current.name }) : words("importingCards"));

/// Shows the import that goes on; where none does, asks for a file.
export const importCards = () => {
  if (current) show();
  else file.click();
};

const begin = (begun) => {
  current = begun;
  for (const listener of listeners) listener();
};

const end = (text) => {
  const { element } = current;
  begin(null);
  element?.close();
  toast(text);
};

const importFile = async (chosen) => {
  const upload = new AbortController();
  const mine = { id: newID(), name: chosen.name, upload };
  begin(mine);
  show();
  try {
    await send("POST", "import", chosen, { time, signal: upload.signal, query: { id: mine.id, name: chosen.name } });
    mine.isThere = true;
  } catch (error) {
    if (current === mine && !upload.signal.aborted) end(error.message);
  }
};

const show = () => {
  const mine = current;
  const bar = make("progress", { className: "progress", ariaLabel: importTitle() });
  const count = make("p", { className: "figures", role: "status" });
  mine.element = sheet(importTitle(), bar, count, make("p", { className: "quiet small-text", textContent: words("importGoesOn") }),
    make("div", { className: "row" }, button(words("stop"), stopImport, { kind: "grow" }),
      button(words("close"), () => mine.element.close(), { kind: "primary grow", autofocus: true })));
  mine.count = () => {
    if (!mine.all) return;
    Object.assign(bar, { max: mine.all, value: mine.done });
    count.textContent = words("importCount", { done: mine.done, all: mine.all });
  };
  mine.count();
};

/// Ends the import that goes on, wherever it is: nothing of it comes into the wallet.
export const stopImport = async () => {
  const mine = current;
  if (!mine) return;
  mine.upload?.abort();
  try {
    await send("DELETE", `import/${mine.id}`);
  } catch (error) {
    // It had been too late; what came of it is told. What never arrived needs no stop.
    if (error.code === "importOver") return;
    if (mine.isThere || error.code !== "noImport") throw error;
  }
  if (current === mine) end(words("importStopped"));
};

/// Hears how far an import is: this page's, or one that was begun before it was loaded.
const hear = (progress) => {
  if (!progress) {
    // A program that was started anew knows of none.
    if (current?.isThere || current?.upload?.signal.aborted) end(words("importLost"));
    return;
  }
  const { name, done, count, isStopped, report, problem } = progress;
  const id = progress.id.toLowerCase();
  const isOver = isStopped || report || problem;
  if (!current && !isOver) begin({ id, name });
  if (current?.id !== id) return;
  Object.assign(current, { isThere: true, done, all: count });
  current.count?.();
  if (isOver) end(isStopped ? words("importStopped") : problem ? told(problem) : reported(report));
};

const reported = ({ added, known, remarks }) =>
  [words("imported", { count: added }), known ? words("importKnown", { count: known }) : "", ...remarks.map(told)].filter(Boolean).join(" ");

/// The file is the answer of a page of its own, so that the browser writes it while it comes.
export const exportCards = () => {
  const link = make("a", { href: new URL("export", base), download: "my-cards.zip" });
  document.body.append(link);
  link.click();
  link.remove();
};
