// What the page says: what holds for now, what was done, and what went wrong.

const element = (id) => document.getElementById(id);
let standing = "";

/// Says what was done.
export const tell = (words) => { element("notice").textContent = words ?? ""; };

/// Says what holds until other words hold.
export const hold = (words) => {
  if (words === standing) return;
  standing = words;
  tell(words);
};

/// Says again what holds.
export const resume = () => tell(standing);

/// Says what went wrong, and what can be done with a photo that isn't saved.
export const complain = (words, isUnsaved = false) => {
  element("alert").hidden = !words;
  element("problem").textContent = words ?? "";
  for (const id of ["save-again", "discard"]) element(id).hidden = !isUnsaved;
  element("close-alert").hidden = isUnsaved;
};

/// Does what a button stands for, and says what the program has against it.
export const on = (id, action) =>
  element(id).addEventListener("click", async () => {
    try {
      await action();
    } catch (error) {
      complain(error.message);
    }
  });
