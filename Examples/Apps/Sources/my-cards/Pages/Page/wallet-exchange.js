// Files of other wallets: read while the page goes on, and written.

import { button, make } from "/ui/elements.js";
import { follow } from "/ui/events.js";
import { base, send } from "/ui/requests.js";
import { toast } from "/ui/toast.js";
import { told, words } from "/ui/words.js";
import { sheet } from "/wallet-dialogs.js";

/// How long a file may take on its way.
const time = 300_000;
let begun = null;
/// The last one that was told of, maybe before the answer that says which it is.
let newest = null;
let shown = null;

const file = make("input", { type: "file", accept: ".zip,.csv", hidden: true, ariaLabel: words("importCards") });
file.addEventListener("change", () => {
  const [chosen] = file.files;
  file.value = "";
  if (chosen) importFile(chosen).catch((error) => toast(error.message));
});

export const beginExchange = () => {
  document.body.append(file);
  follow("import", (progress) => {
    newest = progress;
    if (progress && progress.id === begun?.id) tell(progress);
  });
};

export const importCards = () => file.click();

const importFile = async (chosen) => {
  const bar = make("progress", { className: "progress", ariaLabel: words("importing", { name: chosen.name }) });
  const count = make("p", { className: "figures", role: "status" });
  const element = sheet(words("importing", { name: chosen.name }), bar, count,
    make("p", { className: "quiet small-text", textContent: words("importGoesOn") }),
    make("div", { className: "row" }, button(words("close"), () => element.close(), { kind: "primary grow", autofocus: true })));
  shown = { element, bar, count };
  try {
    begun = await send("POST", "import", chosen, { time });
    if (newest?.id === begun.id) tell(newest);
  } catch (error) {
    element.close();
    throw error;
  }
};

const tell = ({ done, count, report, problem }) => {
  if (count && shown) {
    Object.assign(shown.bar, { max: count, value: done });
    shown.count.textContent = words("importCount", { done, all: count });
  }
  if (!report && !problem) return;
  begun = null;
  shown?.element.close();
  shown = null;
  const remarks = report?.remarks ?? [];
  toast(problem ? told(problem) : [words("imported", { count: report.added }), report.known ? words("importKnown", { count: report.known }) : "", ...remarks.map(told)].filter(Boolean).join(" "));
};

/// The file is the answer of a page of its own, so that the browser writes it while it comes.
export const exportCards = () => {
  const link = make("a", { href: new URL("export", base), download: "my-cards.zip" });
  document.body.append(link);
  link.click();
  link.remove();
};
