// A card as it is shown at the till: its bar code, its sides, and what is known of it.

import { fields } from "/wallet-fields.js";
import { ask, button, cardPicture, make, send, showFull, toast } from "/wallet-server.js";

const labels = Object.fromEntries(fields.map(({ name, label }) => [name, label]));

export const detail = (id) => {
  const title = make("h1");
  const body = make("div", { className: "detail" });
  const element = make("section", {},
    make("header", {}, make("a", { className: "button", href: "#/", textContent: "‹ Cards" }), title), body);
  let name = "";
  let isLeaving = false;

  const refresh = async () => {
    // The news of a delete may be here before its answer.
    if (isLeaving) return;
    let report;
    try {
      report = await ask(`/cards/${id}`);
    } catch (error) {
      if (!isLeaving) body.replaceChildren(make("p", { textContent: error.message }));
      return;
    }
    // The delete may have come while the server was asked: what it tells then has no name.
    if (isLeaving) return;
    const { card } = report;
    name = card.name ?? "";
    title.textContent = name.slice(0, 200);
    body.replaceChildren(
      ...(report.hasBarcode ? [barcode(card)] : []), sides(card), kept(report.kept), facts(card), actions(card, report));
  };

  const barcode = (card) => {
    const draw = () => make("img", { src: `/cards/${id}/barcode.svg`, alt: `Bar code ${card.barcodeId || card.cardId}` });
    const picture = draw();
    const code = make("button", { className: `barcode ${card.barcodeType.toLowerCase()}`, type: "button" },
      picture, make("span", { textContent: card.barcodeId || card.cardId }));
    code.addEventListener("click", () => {
      showFull(make("div", { className: "till" }, draw(), make("p", { textContent: card.barcodeId || card.cardId })));
      send("POST", `/cards/${id}/shown`).catch(() => {});
    });
    picture.addEventListener("error", async () => {
      // A picture that doesn't load doesn't say why.
      const words = await ask(`/cards/${id}/barcode.svg`).catch((error) => error.message);
      picture.replaceWith(make("span", { className: "quiet", textContent: words }));
    });
    return code;
  };

  const sides = (card) => make("div", { className: "sides" }, ...["front", "back"].map((side) => {
    const picture = cardPicture(card[side]?.picture, labels[side], card.headerColor);
    const open = make("button", { type: "button", className: "side", ariaLabel: `${labels[side]}, full screen` }, picture);
    open.addEventListener("click", () =>
      showFull(make("img", { src: `/pictures/${card[side]?.picture}`, alt: labels[side] })));
    open.disabled = !card[side];
    return open;
  }));

  const facts = (card) => {
    const values = {
      ...card,
      balance: card.balance ? `${card.balance} ${card.balanceType ?? "points"}` : "",
      groups: (card.groups ?? []).join(", "),
    };
    const shown = ["cardId", "balance", "validFrom", "expiry", "groups", "note"].filter((field) => values[field]);
    return make("dl", {}, ...shown.flatMap((field) => [
      make("dt", { textContent: labels[field], className: "quiet" }), make("dd", { textContent: values[field] }),
    ]));
  };

  const kept = (copies) => make("div", { className: "kept" }, ...copies.map((copy) => make("p", {},
    make("span", { textContent: `Another device also had, as ${(labels[copy.field] ?? copy.field).toLowerCase()}: “${copy.text}”` }),
    button("Use it", () => send("POST", `/kept/${encodeURIComponent(copy.id)}/use`)),
    button("Drop it", () => send("POST", `/kept/${encodeURIComponent(copy.id)}/dismiss`)))));

  const actions = (card, { problems }) => {
    const toggle = (text, member) => {
      const control = button(text, () => send("PUT", `/cards/${id}`, {
        changes: { [member]: !card[member] }, before: { [member]: card[member] },
      }));
      control.setAttribute("aria-pressed", String(Boolean(card[member])));
      return control;
    };
    const row = make("div", { className: "row" },
      make("a", { className: "button primary", href: `#/edit/${id}`, textContent: "Edit" }),
      toggle("★ Star", "starStatus"), toggle("Archive", "archiveStatus"),
      button("Delete", async () => {
        isLeaving = true;
        await send("DELETE", `/cards/${id}`).catch((error) => {
          isLeaving = false;
          throw error;
        });
        location.hash = "#/";
        toast(`“${name.slice(0, 60)}” is deleted.`, async () => {
          const restored = await send("POST", `/cards/${id}/undelete`);
          location.hash = `#/card/${restored.id}`;
        });
      }));
    const words = problems.map((problem) => make("p", { className: "alert", textContent: problem }));
    return make("div", {}, ...words, row);
  };

  return { element, refresh, title: () => name || "Card" };
};
