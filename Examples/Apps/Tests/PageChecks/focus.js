// Whether each stop of the keyboard is seen, in all shadow roots: sentences, of which none is good.
() => {
  const found = new Set();
  const stops = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]';
  const parentOf = (element) => element.assignedSlot ?? element.parentElement
    ?? (element.getRootNode() instanceof ShadowRoot ? element.getRootNode().host : null);
  const deep = function* (root) {
    for (const element of root.querySelectorAll("*")) {
      yield element;
      if (element.shadowRoot) yield* deep(element.shadowRoot);
    }
  };
  const isOutlined = (element, part) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element, part);
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
  };
  const active = () => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element;
  };
  const before = active();
  for (const element of deep(document)) {
    if (!element.matches(stops) || element.tabIndex < 0) continue;
    if (!element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) continue;
    // What has the focus already keeps it as it got it.
    if (active() === element) element.blur();
    element.focus({ focusVisible: true, preventScroll: true });
    // What lies behind a dialog takes no focus.
    if (active() !== element) continue;
    const places = [element, element.nextElementSibling, element.closest("label"), parentOf(element)].filter(Boolean);
    const isSeen = places.some((place) => isOutlined(place)) || isOutlined(element, "::before") || isOutlined(element, "::after");
    if (!isSeen) {
      const text = (element.ariaLabel || element.textContent || "").trim().slice(0, 24);
      found.add(`the focus isn't seen on ${[element.localName, ...element.classList].join(".")} “${text}”`);
    }
  }
  active()?.blur();
  before?.focus?.({ preventScroll: true });
  return [...found];
}
