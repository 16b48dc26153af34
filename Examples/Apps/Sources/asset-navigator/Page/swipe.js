// A finger that turns pages.

/// How far it goes, in pixels.
const far = 60;

/// Calls `turn` with 1 when a finger goes to the left over an element, with -1 when it goes to the right.
export const onSwipe = (element, turn) => {
  let start = null;
  element.addEventListener("pointerdown", (event) => {
    // A mouse marks words, a second finger zooms, and what is zoomed is moved; a video's controls are wound.
    const isFree = event.isPrimary && event.pointerType !== "mouse"
      && (visualViewport?.scale ?? 1) <= 1 && !event.target.closest("video");
    start = isFree ? event : null;
  });
  element.addEventListener("pointerup", (event) => {
    if (!start || !event.isPrimary) return;
    const [across, down] = [event.clientX - start.clientX, event.clientY - start.clientY];
    start = null;
    if (Math.abs(across) >= Math.max(far, Math.abs(down))) turn(across < 0 ? 1 : -1);
  });
  element.addEventListener("pointercancel", () => { start = null; });
};
