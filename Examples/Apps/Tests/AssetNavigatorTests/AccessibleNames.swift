import BrowserSupport
import Testing

extension NavigatorVisit {
  /// Expects that what is on the screen and can be used, or is a place of its own, has a name that can be read aloud.
  ///
  /// - Parameters:
  ///   - screen: What is looked at, for the error.
  ///   - number: How many such elements there are at least: else it would be well where nothing is shown.
  /// - Throws: When the browser doesn't answer.
  func checkNames(_ screen: String, atLeast number: Int) async throws {
    let found = try await browser.run(Self.nameCheck)
    #expect(found["nameless"] == [], "\(screen)")
    #expect(found["count"].number ?? 0 >= Double(number), "\(screen)")
  }

  /// The rules of ARIA for names, as far as these pages need them.
  private static let nameCheck = """
    const text = (node) =>
      node.nodeType === Node.TEXT_NODE ? node.data
      : node.nodeType !== Node.ELEMENT_NODE || node.ariaHidden === "true" ? ""
      : !node.checkVisibility() ? ""
      : node.localName === "img" ? node.alt
      : node.ariaLabel || [...node.childNodes].map(text).join(" ");
    const isNamedByContent = (element) =>
      ["a", "button", "summary"].includes(element.localName);
    const referred = (element) => (element.getAttribute("aria-labelledby") ?? "").split(" ")
      .map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
    const name = (element) =>
      referred(element).trim() || element.ariaLabel
      || [...element.labels ?? []].map(text).join(" ").trim()
      || (isNamedByContent(element) && text(element).trim()) || element.title || "";
    // Under a dialog nothing can be used.
    const top = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body;
    const elements = [top, ...top.querySelectorAll("*")].filter((element) =>
      element.matches(`a[href], button, input, select, textarea, summary, video, dialog, aside,
        ul:has(> li), [role=list]:has(> li), [role=toolbar], [role=group],
        section[aria-labelledby]`)
        && element.checkVisibility());
    const nameless = [
      // “‹” says nothing.
      ...elements.filter((element) => !/[\\p{L}\\p{N}]/u.test(name(element))),
      // An empty text says that a picture adds nothing to the words beside it.
      ...[...top.querySelectorAll("img:not([alt])")].filter((image) => image.checkVisibility()),
    ];
    return {
      count: elements.length, nameless: nameless.map((element) => element.outerHTML.slice(0, 200)),
    };
    """
}
