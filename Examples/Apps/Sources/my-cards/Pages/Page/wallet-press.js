// What opens a menu at an element: a right click, the menu key, and a finger that rests. Not every browser makes the
// first of the last.

/// So long a finger rests, in milliseconds, and so far it may tremble, in pixels.
const [time, tremble] = [500, 8];

/// Calls `open` with what was pressed, where, and whether a finger still lies there; the press does nothing else then.
export const onMenu = (element, open) => {
  let timer = 0;
  let from = null;
  // The finger has opened the menu: what comes of it until the next press is no press.
  let isHeld = false;
  const end = () => clearTimeout(timer);

  element.addEventListener("pointerdown", (event) => {
    end();
    isHeld = false;
    if (event.pointerType === "mouse" || !event.isPrimary) return;
    const { target, clientX: x, clientY: y } = event;
    from = { x, y };
    timer = setTimeout(() => { isHeld = open(target, { x, y }, true); }, time);
  });
  element.addEventListener("pointermove", ({ clientX, clientY, isPrimary }) => {
    if (isPrimary && from && Math.hypot(clientX - from.x, clientY - from.y) > tremble) end();
  });
  for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, end);
  addEventListener("scroll", end, { passive: true });
  element.addEventListener("contextmenu", (event) => {
    end();
    if (isHeld) return event.preventDefault();
    const box = event.target.getBoundingClientRect();
    const point = event.clientX || event.clientY ? { x: event.clientX, y: event.clientY } : { x: box.left, y: box.bottom };
    if (open(event.target, point, false)) event.preventDefault();
    return undefined;
  });
  element.addEventListener("click", (event) => {
    // A key's press isn't the finger's.
    if (!isHeld || !event.detail) return;
    isHeld = false;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  return () => removeEventListener("scroll", end);
};
