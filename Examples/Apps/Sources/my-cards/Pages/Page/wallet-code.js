// A bar code, drawn so that each of its modules is a whole number of the screen's pixels: scanners need even bars.

import { draw, make } from "/ui/elements.js";
import { request } from "/ui/requests.js";
import { words } from "/ui/words.js";
import { isSquare } from "/wallet-face.js";

/// Below this many points a module, a code lies along the long side of a screen that is held upright.
const smallestModule = 2;
/// The largest a code gets, in points: what a scanner's window shows at once.
const [longest, largestSquare] = [760, 420];

/// A card's code, as large as a place has room.
///
/// `turned` hears whether it lies along the screen's long side, `failed` why it can't be drawn.
export const codeFor = (card, place, { turned = () => {}, failed = () => {} } = {}) => {
  const square = isSquare(card.barcodeType);
  const element = make("div", { className: "code-place" },
    make("div", { className: `code bone${square ? " square" : ""}`, role: "status", ariaLabel: words("drawingCode") }));
  let picture = null;
  let address = null;
  let drawing = null;
  let size = null;

  const fit = () => {
    if (!size || !place.isConnected) return;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [place.clientWidth, innerHeight];
    const room = square ? Math.min(width, height * 0.6, largestSquare) : Math.min(width, longest);
    const isTurned = !square && height > width && room / size.modules < smallestModule;
    const along = isTurned ? Math.min(height * 0.62, 640) : room;
    const module = Math.max(1, Math.floor((along * ratio) / size.modules)) / ratio;
    const length = size.modules * module;
    const isMatrix = square || card.barcodeType === "PDF_417";
    const whole = (points) => Math.floor(points * ratio) / ratio;
    const across = isMatrix ? (length * size.height) / size.width
      : whole(isTurned ? Math.min(width * 0.62, 260) : Math.max(110, Math.min(height * 0.34, 280)));
    const [wide, high] = isTurned ? [across, length] : [length, across];
    if (isTurned !== (picture.dataset.turned === "true") || !picture.src) use(isTurned);
    picture.style.setProperty("inline-size", `${wide}px`);
    picture.style.setProperty("block-size", `${high}px`);
    picture.style.setProperty("margin-inline-start", `${whole((width - wide) / 2)}px`);
    picture.dataset.module = String(Math.round(module * ratio));
    place.classList.toggle("turned", isTurned);
    turned(isTurned);
  };

  /// Takes the drawing as it is, or turned by a quarter: turned by the style sheet its bars would lie between pixels.
  const use = (isTurned) => {
    const [width, height] = isTurned ? [size.height, size.width] : [size.width, size.height];
    const turned = isTurned ? `translate(${width} 0) rotate(90)` : "";
    const whole = draw("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "shape-rendering": "crispEdges" },
      draw("g", { transform: turned }, ...[...drawing.children].map((child) => child.cloneNode(true))));
    if (address) URL.revokeObjectURL(address);
    address = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(whole)], { type: "image/svg+xml" }));
    picture.src = address;
    picture.dataset.turned = String(isTurned);
  };

  const load = async () => {
    try {
      const answer = await request("GET", `cards/${card.id}/barcode.svg`, { query: { of: card.code } });
      drawing = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
      const [width, height] = ["width", "height"].map((name) => Number.parseFloat(drawing.getAttribute(name)));
      // Drawings have a unit a module.
      size = { width, height, modules: width };
      const name = words(square ? "squareCodeOf" : "barCodeOf", { name: card.name, text: card.barcodeId || card.cardId });
      picture = make("img", { className: "code", alt: name });
      element.replaceChildren(picture);
      fit();
    } catch (error) {
      element.remove();
      failed(error.message);
    }
  };

  const observer = new ResizeObserver(fit);
  observer.observe(place);
  load();
  const end = () => {
    observer.disconnect();
    if (address) URL.revokeObjectURL(address);
  };
  return { element, end };
};
