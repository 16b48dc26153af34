// What axe-core doesn't measure, in all shadow roots: sentences, of which none is good.
() => {
  const found = new Set();
  const controls = 'a[href], button, input:not([type="hidden"]), select, textarea, summary, '
    + '[role="button"], [role="checkbox"], [role="slider"], [role="option"], [role="menuitem"]';
  const parentOf = (element) => element.assignedSlot ?? element.parentElement
    ?? (element.getRootNode() instanceof ShadowRoot ? element.getRootNode().host : null);
  const around = function* (element) {
    for (let parent = parentOf(element); parent; parent = parentOf(parent)) yield parent;
  };
  const isIn = (element, other) => element === other || [...around(element)].includes(other);
  const deep = function* (root) {
    for (const element of root.querySelectorAll("*")) {
      yield element;
      if (element.shadowRoot) yield* deep(element.shadowRoot);
    }
  };
  const hit = (x, y) => {
    let element = document.elementFromPoint(x, y);
    while (element?.shadowRoot?.elementFromPoint(x, y) && element.shadowRoot.elementFromPoint(x, y) !== element) {
      element = element.shadowRoot.elementFromPoint(x, y);
    }
    return element;
  };
  const name = (element) => {
    const text = (element.ariaLabel || element.textContent || element.placeholder || "").trim().replace(/\s+/g, " ");
    return `${[element.localName, ...element.classList].join(".")} “${text.slice(0, 24)}”`;
  };
  const style = (element) => getComputedStyle(element);
  // What is there for a moment, or until a press beside it, may lie over other things.
  const isPassing = (element) => element.matches("[popover]:popover-open, .toast");
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: false, contentVisibilityAuto: true });

  const all = [...deep(document)];
  const root = document.scrollingElement;
  const wide = root.scrollWidth - innerWidth;
  if (wide > 0) {
    const out = all.filter((element) => isSeen(element) && element.getBoundingClientRect().right > innerWidth + 0.5).at(-1);
    found.add(`the page scrolls sideways by ${wide} px${out ? ` (${name(out)})` : ""}`);
  }

  const modals = all.filter((element) => element.matches("dialog:modal"));
  const isOnTop = (modal) => {
    const box = modal.getBoundingClientRect();
    const at = hit(box.left + box.width / 2, box.top + Math.min(box.height / 2, innerHeight - box.top - 2));
    return at && isIn(at, modal);
  };
  const top = modals.findLast(isOnTop) ?? modals.at(-1);
  // A full-screen view that isn't modal covers all else, too.
  const full = all.filter((element) => element.matches("dialog[open].full") && isSeen(element)).at(-1);
  if ((top ?? full)?.matches(".full") && root.scrollHeight > innerHeight + 1 && style(root).overflowY !== "hidden"
    && style(document.body).overflowY !== "hidden" && !top) found.add("the page scrolls behind a full-screen view");

  const present = all.filter((element) => element.matches(controls) && isSeen(element)
    && (!top || isIn(element, top)) && ![element, ...around(element)].some((one) => one.inert
      || one.matches(".skip, .visually-hidden")));

  // What moves an element into sight: something that scrolls, or nothing.
  const scrollerOf = (element) => {
    for (const one of [element, ...around(element)]) {
      if (one !== element && /auto|scroll/.test(style(one).overflow) && one !== document.documentElement
        && (one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)) return one;
      if (style(one).position === "fixed" || one.matches("dialog:modal, [popover]:popover-open")) return null;
    }
    return root;
  };
  const isSticky = (element) => [element, ...around(element)].some((one) => style(one).position === "sticky");
  const labelOf = (element) => (element.matches("input") && element.closest("label"))
    || (element.matches("input") && element.labels?.[0]) || null;

  for (const element of present) {
    const label = labelOf(element);
    const own = element.getBoundingClientRect();
    const named = label?.getBoundingClientRect();
    const isSmall = own.width < 43.5 || own.height < 43.5;
    const [target, box] = named && isSmall && named.width * named.height > own.width * own.height ? [label, named] : [element, own];
    // A link within a sentence is as high as its line.
    const isInText = element.matches("a") && style(element).display === "inline"
      && element.parentElement?.matches("p, li, dd, span") && element.parentElement.textContent.trim() !== element.textContent.trim();
    // Tiles are as small as somebody wants them; the button for their size makes them larger.
    const least = target.matches(".tile") ? 24 : 43.5;
    if (!isInText && (box.width < least || box.height < least)) {
      found.add(`${name(target)} is ${Math.round(box.width)} × ${Math.round(box.height)}, less than 44`);
    }
    const scroller = scrollerOf(element);
    const scrollsSideways = scroller && scroller !== root && scroller.scrollWidth > scroller.clientWidth + 1;
    if ((box.left < -0.5 || box.right > innerWidth + 0.5) && !scrollsSideways) found.add(`${name(target)} lies beyond the edge`);
    if (!scroller && (box.top < -0.5 || box.bottom > innerHeight + 0.5)) found.add(`${name(target)} can't be reached`);

    // Covered even where it was scrolled to the middle.
    const isCovered = () => {
      const { left, top, width, height } = target.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return null;
      const at = hit(x, y);
      if (!at || isIn(at, target) || isIn(target, at)) return null;
      // A press on its label is one on it; what a menu covers, it covers until it is closed.
      // The scrubber is there while the page scrolls, and takes a strip of the photos beneath it.
      const isHarmless = (one) => (one.matches("label") && one.control === element) || isPassing(one)
        || (one.matches(".scrubber") && target.matches(".tile"));
      return [at, ...around(at)].some(isHarmless) ? null : at;
    };
    const covering = style(target).pointerEvents === "none" ? null : isCovered();
    if (covering && scroller) {
      const before = [scroller.scrollTop, scroller.scrollLeft];
      target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      const over = target.isConnected && isCovered();
      scroller.scrollTo({ top: before[0], left: before[1], behavior: "instant" });
      if (over) found.add(`${name(target)} lies under ${name(over)}`);
    } else if (covering) {
      found.add(`${name(target)} lies under ${name(covering)}`);
    }
  }

  // One control over a part of another, where nothing scrolls.
  const still = present.filter((element) => !scrollerOf(element) && !isSticky(element)
    && ![element, ...around(element)].some(isPassing) && !element.matches("input[type=radio], input[type=checkbox], .flip, .handle") && style(element).pointerEvents !== "none");
  for (const [at, one] of still.entries()) for (const two of still.slice(at + 1)) {
    if (isIn(one, two) || isIn(two, one)) continue;
    const [a, b] = [one.getBoundingClientRect(), two.getBoundingClientRect()];
    const [width, height] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
    if (width > 4 && height > 4) found.add(`${name(one)} and ${name(two)} lie over each other`);
  }

  for (const element of all) {
    if (!element.matches("button, a.button, .chip, .badge, .pill, .tile-name, h1") || !isSeen(element)) continue;
    if (element.matches(".visually-hidden, .thumb, .shutter, .handle, .tile, .flip") || (top && !isIn(element, top))) continue;
    if (element.scrollWidth > element.clientWidth + 2 && style(element).overflowX === "visible" && style(element).display !== "inline") {
      found.add(`${name(element)} is cut`);
    }
  }
  // A browser's own drawing of a picture that didn't come.
  for (const element of all) {
    if (element.matches("img[src]") && element.complete && !element.naturalWidth && isSeen(element)) found.add(`${name(element)} is broken`);
  }
  // What a program says by mistake.
  for (const element of all) {
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data).join(" ");
    const slip = /\[object \w+\]|\bundefined\b|\bNaN\b|\{[a-z]+\}/i.exec(own);
    if (slip && isSeen(element) && !element.matches("script, style, pre, code")) found.add(`“${slip[0]}” stands in ${name(element)}`);
  }
  // A word that goes on in the next line, in what is pressed. Where hyphens are allowed, that is meant; names of files have
  // no better place.
  const lines = (node, from, to) => {
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    return new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top))).size;
  };
  for (const element of all) {
    if (!element.matches("button, a.button, .chip, [role=button], [role=menuitem]") || element.matches(".tile") || !isSeen(element)) continue;
    if (top && !isIn(element, top)) continue;
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      if (!isSeen(parentElement) || parentElement.closest(".visually-hidden") || style(parentElement).hyphens === "auto") continue;
      // Between letters and digits alone: a line may end after a hyphen.
      for (const { 0: word, index } of data.matchAll(/[\p{L}\p{N}’]{2,}/gu)) {
        if (lines(texts.currentNode, index, index + word.length) > 1) found.add(`“${word}” breaks inside ${name(element)}`);
      }
    }
  }
  return [...found];
}
