// Makes a card, or changes one. What is typed stays until it is saved or given up by hand.

import { attempt, button, icon, make } from "/ui/elements.js";
import { ask, send } from "/ui/requests.js";
import { toast } from "/ui/toast.js";
import { words } from "/ui/words.js";
import { isOffline, refreshCards, watchCards } from "/wallet-cards.js";
import { question } from "/wallet-dialogs.js";
import { draft, dropDraft, keepDraft, missingPhotos } from "/wallet-drafts.js";
import { face } from "/wallet-face.js";
import { form } from "/wallet-form.js";
import { newID } from "/wallet-ids.js";
import { askForPhoto } from "/wallet-photos.js";
import { sideSlots } from "/wallet-side.js";

export const editor = (id, suggested = "") => {
  const isNew = !id;
  const key = id ?? "new";
  // Made here, so that saving twice makes one card.
  let card = id ?? newID();
  // The card as it came, and the form as it was filled with it.
  let loaded = {};
  let before = {};
  let isSaved = false;

  const preview = make("div", { className: "preview" });
  const failure = make("div", { className: "wide", role: "alert" });
  const offer = make("div", { className: "row", role: "group", ariaLabel: words("codesInPhoto"), hidden: true });
  const why = make("p", { className: "why", id: "why" });
  const save = make("button", { type: "submit", className: "button primary large wide", textContent: words(isNew ? "saveCard" : "save") });

  const found = (barcodes) => {
    const others = barcodes.filter(({ text }) => text !== values.get().cardId);
    const use = (code) => {
      values.takeCode(code);
      offer.replaceChildren();
      toast(words("codeFound", { text: code.text }));
      changed();
    };
    offer.replaceChildren(...others.map((code) => button(words("useCode", { text: code.text }), () => use(code))));
    // Nobody has to press a button for the only one there is.
    if (others.length === 1 && !values.get().cardId) use(others[0]);
    offer.hidden = offer.children.length === 0;
  };
  const changed = () => {
    values.follow();
    check();
    keep();
  };
  const sides = sideSlots({ changed, found });
  /// Side by side, for as long as there is one without a photo. A code in the live picture is all that a scan wants.
  const scan = async () => {
    const instead = { text: words("typeNumber"), press: () => values.focus("cardId") };
    const free = ["front", "back"].filter((side) => !sides.value()[side]);
    if (!free.length) found((await askForPhoto("scan", { instead })).barcodes ?? []);
    let path = "scan";
    for (const side of free) {
      let isSkipped = false;
      const skip = { text: words("skipSide"), press: () => { isSkipped = true; } };
      const title = words("sideOf", { side: words(side), at: side === "front" ? 1 : 2, count: 2 });
      const { picture } = await sides.pick(side, path, { title, skip, instead });
      if (!picture && !isSkipped) return;
      if (values.get().cardId) path = "photos";
    }
  };
  const values = form({ changed: () => changed(), scan });

  /// What keeps the card from being saved is said beside the button.
  const check = () => {
    const [first] = isOffline() ? [[null, words("saveOffline")]] : values.problems();
    why.hidden = !first;
    why.textContent = first ? (first[0] === "name" && !values.get().name.trim() ? words("toSave") : first[1]) : "";
    save.setAttribute("aria-disabled", String(Boolean(first)));
    if (first) save.setAttribute("aria-describedby", "why");
    else save.removeAttribute("aria-describedby");
    const { name, headerColor, barcodeType, cardId, barcodeId } = values.get();
    const shown = { name, headerColor, barcodeType: cardId || barcodeId ? barcodeType : "", front: sides.value().front?.picture };
    if (preview.dataset.shown === JSON.stringify(shown)) return;
    preview.dataset.shown = JSON.stringify(shown);
    preview.replaceChildren(face(shown, { lazy: false }));
  };

  const all = () => ({ ...values.get(), ...sides.value() });
  const isChanged = () => !isSaved && JSON.stringify(all()) !== JSON.stringify(before);
  const keep = () => {
    if (isChanged()) keepDraft(key, { values: all(), isKindChosen: values.isKindChosen(), card });
    else dropDraft(key);
  };

  const tell = (title, text, ...actions) => failure.replaceChildren(make("div", { className: "banner danger" }, icon("warning"),
    make("p", {}, make("strong", { textContent: title }), text), actions.length > 0 && make("div", { className: "row" }, ...actions)));

  const submit = async () => {
    const [problem] = values.problems();
    if (problem || isOffline()) {
      values.mark();
      if (problem) values.focus(problem[0]);
      return;
    }
    // Only what changed: the rest may have changed on another device meanwhile.
    const changes = Object.entries(all()).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]));
    await put({
      changes: Object.fromEntries(changes), before: Object.fromEntries(changes.map(([name]) => [name, loaded[name]])), isNew,
    });
  };

  const put = async (body) => {
    failure.replaceChildren();
    save.disabled = true;
    try {
      await send("PUT", `cards/${card}`, body);
      isSaved = true;
      dropDraft(key);
      await refreshCards();
      location.replace(`#/card/${card}`);
      toast(words("isSaved", { name: values.get().name }));
    } catch (error) {
      if (error.code === "cardDeleted") tell(words("deletedMeanwhile"), words("deletedMeanwhileWhy"), button(words("saveAsNew"), saveAsNew, { kind: "plain" }));
      else tell(words("notSaved"), error.message);
      failure.scrollIntoView({ block: "nearest" });
    } finally {
      save.disabled = false;
    }
  };

  const saveAsNew = () => {
    card = newID();
    return put({ changes: all(), before: {}, isNew: true });
  };

  const leave = () => { location.hash = isNew ? "#/" : `#/card/${id}`; };
  const cancel = () => {
    if (!isChanged()) return leave();
    const name = values.get().name.trim();
    return question(words("keepTyped"), words(isNew ? "keepTypedWhy" : "keepChangesWhy", { name: name || words("newCard") }), {
      safe: { text: words("keep"), kind: "primary" }, keep: () => { keep(); leave(); },
      risky: { text: words("discard"), kind: "plain danger" }, act: () => { isSaved = true; dropDraft(key); leave(); },
    });
  };

  const photoLabel = make("span", { className: "label", id: "photos-label" }, words("photos"), " ", make("span", { className: "quiet", textContent: words("optional") }));
  const element = make("form", { className: "stack-form view", noValidate: true, ariaLabel: words(isNew ? "newCard" : "editCard") },
    make("header", { className: "bar" }, button(words("cancel"), cancel, { kind: "plain" }), make("h1", { textContent: words(isNew ? "newCard" : "editCard") }), make("span")),
    make("main", { className: "page narrow", tabIndex: -1 }, make("div", { className: "stack" }, failure, preview, ...values.first, offer,
      make("div", { className: "field" }, photoLabel, sides.element), values.more)),
    make("footer", { className: "foot" }, make("div", { className: "foot-in" }, why, save)));
  element.addEventListener("input", changed);
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(submit);
  });

  let isFilled = false;
  const refresh = async () => {
    if (isFilled) return check();
    isFilled = true;
    if (!isNew) {
      try {
        loaded = (await ask(`cards/${id}`)).card;
      } catch (error) {
        tell(words("cantEdit"), error.message);
        isFilled = false;
        return undefined;
      }
    }
    values.set(loaded);
    sides.set({ front: loaded.front ?? null, back: loaded.back ?? null });
    before = all();
    const left = draft(key);
    if (left?.values) {
      if (isNew && left.card) ({ card } = left);
      values.set(left.values, left);
      sides.set(left.values);
      attempt(async () => sides.forget(await missingPhotos(key), loaded));
      toast(words("draftBack"));
    } else if (suggested) values.set({ name: suggested });
    values.follow();
    check();
    if (isNew && matchMedia("(pointer: fine)").matches) values.focus("name");
    return undefined;
  };
  const stop = watchCards(() => { if (isFilled) check(); });
  return { element, refresh, close: stop, isEditing: true, keepsFocus: true, title: () => words(isNew ? "newCard" : "editCard") };
};
