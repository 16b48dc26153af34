// The balance alone, changed where it is read: it is what changes most often about a card.

import { attempt, make } from "/ui/elements.js";
import { ask } from "/ui/requests.js";
import { toast } from "/ui/toast.js";
import { words } from "/ui/words.js";
import { change } from "/wallet-changes.js";
import { sheet } from "/wallet-dialogs.js";
import { isAmount } from "/wallet-face.js";

/// Asks for another balance of a card.
export const changeBalance = (card) => {
  const input = make("input", {
    className: "input figures", id: "balance", inputmode: "decimal", autocomplete: "off", value: card.balance ?? "", "aria-describedby": "balance-error",
  });
  const error = make("p", { className: "error", id: "balance-error", hidden: true, textContent: words("error.balance") });
  const form = make("form", { className: "stack", noValidate: true },
    make("div", { className: "field" }, make("label", { for: "balance", textContent: card.balanceType ? words("balanceIn", { currency: card.balanceType }) : words("balanceInPoints") }),
      input, error),
    make("button", { type: "submit", className: "button primary wide" }, make("span", { textContent: words("save") })));
  const element = sheet(words("changeBalance"), form);
  input.select();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const isRight = !input.value.trim() || isAmount(input.value);
    error.hidden = isRight;
    input.setAttribute("aria-invalid", String(!isRight));
    if (!isRight) input.focus();
    else attempt(() => save(card, input.value, element));
  });
};

/// The balance as the card has it.
const present = async ({ id }) => (await ask(`cards/${id}`)).card.balance;

/// What is typed stays in the sheet until it is saved.
const save = async (card, text, element) => {
  const before = await present(card);
  await change(card.id, { balance: text }, { balance: before });
  element.close();
  const after = await present(card);
  toast(words("balanceIsChanged"), { undo: () => change(card.id, { balance: String(before ?? "") }, { balance: after }) });
};
