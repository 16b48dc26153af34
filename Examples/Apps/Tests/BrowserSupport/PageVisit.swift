import Foundation
import ServerSupport
import Viewfinder

/// A browser on a page of one of the programs, and what tests do there.
public protocol PageVisit: Sendable {
  /// The browser.
  var browser: Browser { get }
}

extension PageVisit {
  /// Waits until an expression is true.
  public func wait(
    _ words: String, limit: Duration = longestWait, _ expression: String
  ) async throws {
    try await browser.wait(for: words, limit: limit, until: "return \(expression)")
  }

  /// Waits for a control that is shown and may be used, and clicks it.
  public func click(_ selector: String) async throws {
    try await browser.wait(
      for: selector,
      until: """
        const control = document.querySelector(\(JSON.string(selector).literal));
        return control?.checkVisibility() && !control.disabled;
        """)
    do {
      try await browser.click(selector)
    } catch let failure as WebDriver.Failure where failure.description.contains("stale element") {
      // The page showed something new between the look and the click.
      try await browser.click(selector)
    }
  }

  /// Waits for a button with these words that is shown and may be used, and clicks it.
  public func click(button words: String) async throws {
    // Found and clicked in one go: between two steps the page may show something new.
    try await browser.wait(
      for: "the button “\(words)”",
      until: """
        const button = [...document.querySelectorAll("button")].find(b =>
          b.textContent === \(JSON.string(words).literal) && b.checkVisibility() && !b.disabled);
        button?.click();
        return button !== undefined;
        """)
  }

  /// Waits until a number of elements are there.
  public func count(_ selector: String, is number: Int) async throws {
    let literal = JSON.string(selector).literal
    try await wait(
      "\(number) × \(selector)", "document.querySelectorAll(\(literal)).length === \(number)")
  }

  /// The text of what a selector names; empty where nothing is.
  public func text(_ selector: String) async throws -> String {
    let literal = JSON.string(selector).literal
    return try await browser.run("return document.querySelector(\(literal))?.textContent").string
      ?? ""
  }

  /// Waits until a text contains some words.
  public func text(_ selector: String, contains words: String) async throws {
    let (place, text) = (JSON.string(selector).literal, JSON.string(words).literal)
    try await wait(
      "“\(words)” in \(selector)",
      "document.querySelector(\(place))?.textContent.includes(\(text))")
  }

  /// Waits until the page shows words.
  public func see(_ words: String) async throws {
    try await browser.wait(
      for: "“\(words)”",
      // What elements show in shadow roots of their own is no part of the page's text.
      until: """
        const text = (element) => [element.innerText, ...[...element.querySelectorAll("*")]
          .filter((part) => part.shadowRoot).flatMap((part) => [...part.shadowRoot.children].map(text))].join(" ");
        return text(document.body).includes(\(JSON.string(words).literal));
        """)
  }

  /// Waits until a picker shows the camera.
  public func waitForLivePicture() async throws {
    try await browser.wait(
      for: "the live picture",
      until: """
        // A card may have taken its photo already.
        if (document.querySelector("dialog[open][data-screen=correcting]")) return true;
        const p = document.querySelector("viewfinder-live")?.picture;
        const shutter = document.querySelector("[data-do=takePicture]");
        return p && !p.hidden && p.naturalWidth > 0 && shutter && !shutter.disabled;
        """)
  }

  /// Takes the photo, unless a card has taken it by itself, and uses it.
  public func shoot() async throws {
    try await browser.wait(
      for: "the photo",
      until: """
        if (document.querySelector("[data-do=usePhoto]")) return true;
        document.querySelector("[data-do=takePicture]:not(:disabled)")?.click();
        return false;
        """)
    try await click("[data-do=usePhoto]")
  }

  /// A picture of the page as it is in its file.
  public func picture(_ selector: String) async throws -> PixelBuffer {
    let text = try await browser.run(
      """
      const photo = document.querySelector(\(JSON.string(selector).literal));
      await photo.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [photo.naturalWidth, photo.naturalHeight];
      canvas.getContext("2d").drawImage(photo, 0, 0);
      return canvas.toDataURL("image/png").split(",")[1];
      """)
    return try PixelBuffer(decoding: Data(base64Encoded: text.string ?? "") ?? Data())
  }

  /// Looks at the page upright and wide, light and dark, and leaves screenshots for people.
  ///
  /// - Parameters:
  ///   - name: What the screenshots are called.
  ///   - after: The appearance from then on.
  ///   - whole: An expression that is true when the page shows all that there is room for.
  /// - Returns: What is wrong: pages that are wider than the screen, and controls too small for a finger.
  /// - Throws: When the browser doesn't answer.
  public func lookAround(
    _ name: String, after: Browser.Appearance = .desktop, whole: String = "true"
  ) async throws -> [String] {
    var problems: [String] = []
    for (shape, appearance) in Browser.Appearance.all {
      try await browser.change(to: appearance)
      let isWide = try await browser.run(
        "return document.documentElement.scrollWidth > document.documentElement.clientWidth")
      if isWide.bool != false { problems.append("\(name) is wider than the \(shape)") }
      let small = try await browser.run(
        """
        return [...document.querySelectorAll("button, select, .button")].filter(e => {
          const r = e.getBoundingClientRect();
          return r.width > 0 && (r.width < 44 || r.height < 44);
        }).map(e => e.outerHTML);
        """)
      problems += (small.array ?? []).compactMap { $0.string.map { "\(name), \(shape): \($0)" } }
      try await wait("all of \(name) on the \(shape)", whole)
      try await browser.screenshot("\(name)-\(shape)")
    }
    try await browser.change(to: after)
    return problems
  }
}

extension Browser.Appearance {
  /// A phone held upright.
  public static let phone = Browser.Appearance(width: 390, height: 844)
  /// A small window.
  public static let desktop = Browser.Appearance(width: 1100, height: 720)

  fileprivate static let all = [
    ("phone", Browser.Appearance(width: 390, height: 844, isDark: true)),
    ("landscape", Browser.Appearance(width: 844, height: 390)), ("desktop", desktop),
  ]
}

extension JSON {
  /// The value as JavaScript has it.
  fileprivate var literal: String {
    (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}
