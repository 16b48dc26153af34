import Foundation
import ServerSupport

/// A headless Chromium that a test clicks, types and looks with.
public final class Browser: Sendable {
  /// How a browser shows pages.
  public struct Appearance: Sendable {
    /// The size of the page, in points.
    public var width, height: Int
    /// Whether the person prefers dark pages.
    public var isDark: Bool

    /// Creates an appearance.
    public init(width: Int, height: Int, isDark: Bool = false) {
      self.width = width
      self.height = height
      self.isDark = isDark
    }
  }

  private let driver: ChromeDriver
  private let session: WebDriver

  /// Starts a browser and hands it to `body`; it ends afterwards.
  ///
  /// - Parameters:
  ///   - appearance: How it shows pages.
  ///   - body: Uses the browser.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or why there is no browser.
  @discardableResult
  public static func open<R>(
    _ appearance: Appearance, body: (Browser) async throws -> R
  ) async throws -> R {
    let browser = try await Browser()
    do {
      try await browser.change(to: appearance)
      let result = try await body(browser)
      await browser.quit()
      return result
    } catch {
      await browser.quit()
      throw error
    }
  }

  private init() async throws {
    driver = try await ChromeDriver()
    let root = WebDriver(base: "http://127.0.0.1:\(driver.port)")
    // Root's Chromium has no sandbox; a container's /dev/shm may be too small.
    let arguments: JSON = [
      "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
      "--hide-scrollbars", "--no-first-run", "--disable-extensions",
    ]
    let capabilities: JSON = [
      "capabilities": [
        "alwaysMatch": [
          "browserName": "chrome", "goog:chromeOptions": ["args": arguments],
          // A live picture is never loaded to its end.
          "pageLoadStrategy": "eager",
          // What is typed into or clicked may be about to appear.
          "timeouts": ["implicit": 30_000, "script": 180_000],
          "goog:loggingPrefs": ["browser": "ALL"],
        ]
      ]
    ]
    let value = try await root.send("POST", "/session", capabilities)
    session = WebDriver(base: "\(root.base)/session/\(value["sessionId"].string ?? "")")
    try await devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.sight)])
  }

  /// Lets `document.querySelector` see what people see: also what is in the shadow roots of elements.
  private static let sight = """
    (() => {
      const many = Document.prototype.querySelectorAll;
      const roots = (all) => [...all].flatMap((element) =>
        element.shadowRoot ? [element.shadowRoot, ...roots(element.shadowRoot.querySelectorAll("*"))] : []);
      document.querySelectorAll = (selector) => [
        ...many.call(document, selector),
        ...roots(many.call(document, "*")).flatMap((root) => [...root.querySelectorAll(selector)]),
      ];
      document.querySelector = (selector) => document.querySelectorAll(selector)[0] ?? null;
    })();
    """

  private func quit() async { _ = try? await session.send("DELETE", "") }

  // MARK: Pages

  /// Shows pages in another way from now on.
  public func change(to appearance: Appearance) async throws {
    let size: JSON = [
      "width": JSON(integerLiteral: appearance.width),
      "height": JSON(integerLiteral: appearance.height), "deviceScaleFactor": 1, "mobile": false,
    ]
    try await devTools("Emulation.setDeviceMetricsOverride", size)
    let scheme: JSON = [
      "name": "prefers-color-scheme", "value": appearance.isDark ? "dark" : "light",
    ]
    try await devTools("Emulation.setEmulatedMedia", ["features": [scheme]])
  }

  /// Opens a page.
  public func open(_ address: String) async throws {
    try await session.send("POST", "/url", ["url": .string(address)])
  }

  /// Opens the page anew in another language, such as "de".
  public func speak(_ language: String) async throws {
    let tag = JSON.string(language)
    try await run(
      "localStorage.setItem('viewfinder-language', arguments[0]); location.reload()", tag)
    try await wait(
      for: "the language", until: "return document.documentElement.lang === arguments[0]", tag)
  }

  /// The page's address.
  public var address: String {
    get async throws { try await session.send("GET", "/url").string ?? "" }
  }

  /// What the page's console has said since the last call: errors of scripts, and what the
  /// browser's rules kept from loading.
  public func complaints() async throws -> [String] {
    let entries = try await session.send("POST", "/se/log", ["type": "browser"]).array ?? []
    return entries.compactMap { $0["message"].string }
  }

  /// Runs the body of a function in the page; `return` gives the value, also of a promise.
  @discardableResult
  public func run(_ script: String, _ arguments: JSON...) async throws -> JSON {
    try await run(script, with: arguments)
  }

  private func run(_ script: String, with arguments: [JSON]) async throws -> JSON {
    try await session.send(
      "POST", "/execute/sync", ["script": .string(script), "args": .array(arguments)])
  }

  /// Repeats a script until it returns something true.
  ///
  /// - Parameters:
  ///   - words: What is waited for, for the error.
  ///   - limit: How long to wait at most. The default is two minutes.
  ///   - script: A function's body; one that fails, because what it reads isn't there yet, is repeated.
  ///   - arguments: Its `arguments`.
  /// - Returns: What the script returned.
  /// - Throws: When it doesn't come about.
  @discardableResult
  public func wait(
    for words: String, limit: Duration = longestWait, until script: String, _ arguments: JSON...
  ) async throws -> JSON {
    var problem = ""
    let last = { [self] in
      let page = try await run("return document.body.innerText").string ?? ""
      return "\(problem) The page says: \(page)"
    }
    return try await ServerSupport.wait(for: words, limit: limit, last: last) {
      do {
        let value = try await run(script, with: arguments)
        problem = ""
        return [.null, .bool(false), .string("")].contains(value) ? nil : value
      } catch let failure as WebDriver.Failure
        where failure.description.contains("javascript error")
      {
        problem = "\(failure)"
        return nil
      }
    }
  }

  // MARK: Hands and eyes

  /// Clicks what a CSS selector names, as a mouse does: it must be in sight and not covered.
  public func click(_ selector: String) async throws {
    try await session.send("POST", "/element/\(try await element(selector))/click")
  }

  /// Types into what a CSS selector names; ``Key`` has the keys without a letter.
  public func type(_ text: String, into selector: String = "body") async throws {
    let path = "/element/\(try await element(selector))/value"
    try await session.send("POST", path, ["text": .string(text)])
  }

  /// Presses and releases keys, one after the other, wherever the focus is.
  public func press(_ keys: String) async throws {
    let actions = keys.flatMap { key -> [JSON] in
      ["keyDown", "keyUp"].map { ["type": .string($0), "value": .string(String(key))] }
    }
    let keyboard: JSON = ["type": "key", "id": "keyboard", "actions": .array(actions)]
    try await session.send("POST", "/actions", ["actions": [keyboard]])
  }

  /// Saves what the page looks like, as NAME.png in a folder for people to look at, and returns
  /// the PNG.
  @discardableResult
  public func screenshot(_ name: String) async throws -> Data {
    let text = try await session.send("GET", "/screenshot").string ?? ""
    guard let data = Data(base64Encoded: text) else {
      throw WebDriver.Failure(description: "The screenshot is no picture.")
    }
    let folder = Screenshots.folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try data.write(to: folder.appending(path: "\(name).png"))
    return data
  }

  private func element(_ selector: String) async throws -> String {
    let value = try await wait(
      for: selector, until: "return document.querySelector(arguments[0])", .string(selector))
    guard case .object(let names) = value, let identifier = names.values.first?.string else {
      throw WebDriver.Failure(description: "The page has no \(selector).")
    }
    return identifier
  }

  private func devTools(_ command: String, _ parameters: JSON) async throws {
    try await session.send(
      "POST", "/goog/cdp/execute", ["cmd": .string(command), "params": parameters])
  }
}

/// WebDriver's characters for keys.
public enum Key {
  /// To the next control.
  public static let tab = "\u{e004}"
  /// Return.
  public static let enter = "\u{e007}"
  /// Escape.
  public static let escape = "\u{e00c}"
  /// Arrows.
  public static let (left, up, right, down) = ("\u{e012}", "\u{e013}", "\u{e014}", "\u{e015}")
  /// To the first and the last of a list.
  public static let (home, end) = ("\u{e011}", "\u{e010}")
}

/// Where screenshots go.
public enum Screenshots {
  /// What `VIEWFINDER_SCREENSHOTS` names, or `.build/screenshots`.
  public static var folder: URL {
    if let path = ProcessInfo.processInfo.environment["VIEWFINDER_SCREENSHOTS"] {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    return URL(fileURLWithPath: ".build/screenshots", isDirectory: true)
  }
}
