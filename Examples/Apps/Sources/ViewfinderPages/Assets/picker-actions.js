// What the parts of the picker share.

export const sourceNames = {
  camera: "Camera", photoLibrary: "Library", savedPhotosAlbum: "Saved photos",
};

/// An element with properties and children.
export const make = (name, properties = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "role") element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children);
  return element;
};

const away = "The server doesn't answer. Try again in a moment.";
let last = Promise.resolve();

/// Tells the program what the person does, one thing after the other: over two connections the second could overtake
/// the first; throws what the program says against it.
export const act = (verb, rest = {}) => {
  // Who cancels doesn't wait for what hangs.
  const turn = verb === "cancel" ? Promise.resolve() : last;
  const done = turn.then(() => request(verb, rest));
  last = done.catch(() => {});
  return done;
};

const request = async (verb, rest) => {
  const answer = await fetch("/picker/act", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ do: verb, ...rest }),
    signal: AbortSignal.timeout(30_000),
  }).catch(() => {
    throw new Error(away);
  });
  if (!answer.ok) throw new Error((await answer.json()).error);
};

/// What the server answers, as a value.
export const ask = async (path) => {
  const answer = await fetch(path).catch(() => {
    throw new Error(away);
  });
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.error);
  return value;
};
