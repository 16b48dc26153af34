import BrowserSupport
import Foundation
import Testing

@Suite("Libraries that can't be shown", .serialized, .needsBrowser)
struct DeniedTests {
  @Test(
    "A page says why nothing is shown and what to do, and shows all when that was done",
    arguments: Obstacle.allCases)
  func denied(by obstacle: Obstacle) async throws {
    try await NavigatorVisit.begin(isOrdinary: true, prepare: obstacle.place(at:)) { visit in
      try await visit.text("#empty", contains: visit.pictures.path)
      try await visit.text("#empty", contains: obstacle.remedy)
      try await visit.wait("no buttons", "document.querySelector('#camera').hidden")
      if obstacle == .missing { try await visit.look("denied") }
      try await visit.browser.speak("de")
      try await visit.text("#empty", contains: obstacle.germanRemedy)
      if obstacle == .missing { try await visit.browser.screenshot("navigator-denied-german") }
      try await visit.browser.speak("en")
      // Once in vain.
      try await visit.click("#retry")
      try await visit.text("#empty", contains: obstacle.remedy)
      try obstacle.remove(from: visit.pictures)
      try MadePictures.few(visit.pictures)
      // The page may have found out by itself.
      try await visit.browser.run("document.querySelector('#retry')?.click()")
      try await visit.album("All Photos", has: 3)
      try await visit.wait("no reason", "document.querySelector('#empty').hidden")
      try await visit.open("All Photos")
      try await visit.grid(has: 3)
    }
  }

  @Test("“Try again” looks at once, also when no page has been open meanwhile")
  func retry() async throws {
    try await NavigatorVisit.begin(prepare: Obstacle.missing.place(at:)) { visit in
      let asked = "performance.getEntriesByName(`${location.origin}/library/open`)"
      try await visit.click("#retry")
      try await visit.wait("the answer", "\(asked)[0]?.responseStatus === 204")
      // A page that doesn't watch: what is looked for now and then is looked for no more.
      try await visit.browser.open(visit.server.url("address.js"))
      try Obstacle.missing.remove(from: visit.pictures)
      let status = try await visit.browser.run(
        """
        await fetch("/library/open", { method: "POST" });
        return (await fetch("/albums")).status;
        """)
      #expect(status == 200)
    }
  }

  @Test("A root that goes is told of, and shown and followed again when it is back")
  func goesAndComes() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.open("All Photos")
      try await visit.grid(has: 3)
      try FileManager.default.removeItem(at: visit.pictures)
      try await visit.text("#empty", contains: "isn’t there. Make it")
      try await visit.wait("no grid", "document.querySelector('#frame').hidden")
      try Obstacle.missing.remove(from: visit.pictures)
      for number in 0..<4 { try MadePictures.write(number, to: visit.pictures) }
      // Without a click: it looks by itself.
      try await visit.grid(has: 4)
      try await visit.text("#title", contains: "Photos")
      try MadePictures.write(4, to: visit.pictures)
      try await visit.grid(has: 5)
    }
  }
}

/// Why a root can't be read.
enum Obstacle: CaseIterable, Sendable {
  case missing, file, brokenLink, permission

  /// What the page says has to be done.
  var remedy: String {
    switch self {
    case .missing: "Make it"
    case .brokenLink: "Make that"
    case .file: "Choose another"
    case .permission: "chmod u+rx"
    }
  }

  /// The same in German.
  var germanRemedy: String {
    switch self {
    case .missing: "Lege den Ordner an"
    case .brokenLink: "Lege ihn an"
    case .file: "Wähle einen anderen"
    case .permission: "chmod u+rx"
    }
  }

  private func target(of root: URL) -> URL {
    self == .brokenLink ? root.deletingLastPathComponent().appending(component: "Target") : root
  }

  /// Puts it where an empty root is.
  func place(at root: URL) throws {
    guard self != .permission else { return _ = chmod(root.path, 0) }
    try FileManager.default.removeItem(at: root)
    if self == .file { try Data().write(to: root) }
    if self == .brokenLink {
      try FileManager.default.createSymbolicLink(at: root, withDestinationURL: target(of: root))
    }
  }

  /// Does what the page says.
  func remove(from root: URL) throws {
    if self == .permission { chmod(root.path, 0o700) }
    if self == .file { try FileManager.default.removeItem(at: root) }
    try FileManager.default.createDirectory(
      at: target(of: root), withIntermediateDirectories: true)
  }
}
