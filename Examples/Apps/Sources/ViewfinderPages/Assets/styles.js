// Style sheets for shadow roots, which don't see the page's.

const kept = new Map();

/// The sheets of these names, each fetched and read once: `root.adoptedStyleSheets = await styles("parts", "picker")`.
///
/// A module that waits for them before it defines its element never shows it without its looks.
export const styles = (...names) => Promise.all(names.map((name) => {
  if (!kept.has(name)) kept.set(name, read(name));
  return kept.get(name);
}));

const read = async (name) => {
  const sheet = new CSSStyleSheet();
  const answer = await fetch(new URL(`${name}.css`, import.meta.url));
  if (!answer.ok) throw new Error(`The looks “${name}” aren’t there.`);
  return sheet.replace(await answer.text());
};
