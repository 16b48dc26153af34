// What somebody chose on this device. Where nothing may be kept, it is so until the page is closed.

const defaults = { order: "used", starsFirst: true, awake: true, hints: true, hintsShown: 0 };
const prefix = "wallet-";
const passing = new Map();

export const choice = (name) => {
  try {
    const text = localStorage.getItem(prefix + name);
    return text === null ? passing.get(name) ?? defaults[name] : JSON.parse(text);
  } catch {
    return passing.get(name) ?? defaults[name];
  }
};

export const choose = (name, value) => {
  passing.set(name, value);
  try {
    if (value === undefined || value === null) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch { /* It stays for this page. */ }
};

/// What was chosen, by name.
export const choices = () => {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  } catch {
    return [...passing.keys()];
  }
};

/// Forgets all that this browser keeps of the wallet's choices and half-typed forms.
export const forgetChoices = () => {
  passing.clear();
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch { /* Nothing is kept. */ }
};
