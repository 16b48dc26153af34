import BrowserSupport
import Foundation
import ServerSupport
import Testing

@Suite(
  "The program's page in a browser", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
struct ProgramPageTests {
  static let window = Browser.Appearance(width: 900, height: 600)

  @Test("The address with the token leads to the clean one, which shows the picture")
  func token() async throws {
    let token = try TokenFile("a-token-of-this-test")
    defer { token.remove() }
    let server = try await ServerProcess("camera-server", ProgramTests.options + token.options)
    try await Browser.open(Self.window) { browser in
      let clean = try #require(server.address.split(separator: "?").first)
      try await browser.open(String(clean))
      let refusal = try await browser.run("return document.body.innerText")
      #expect(refusal.string?.contains("needs the token") == true)
      try await browser.open(server.address)
      #expect(try await browser.address == clean)
      try await browser.wait(for: "the picture", until: Script.isShown)
      try await browser.wait(for: "the shutter", until: Script.canShoot)
      #expect(try await browser.run("return document.cookie").string == "")
    }
  }

  @Test("Who has no cookie any more can enter the token")
  func entering() async throws {
    let server = try await ServerProcess("camera-server", ProgramTests.options)
    try await Browser.open(Self.window) { browser in
      try await browser.open(server.address.replacing(/\?.*/, with: ""))
      try await browser.screenshot("camera-server-no-token")
      try await browser.type(try #require(server.token) + Key.enter, into: "input")
      try await browser.wait(for: "the picture", until: Script.isShown)
    }
  }

  @Test("The page says that the server is gone, and goes on when it is started anew")
  func newStart() async throws {
    let first = try await ServerProcess("camera-server", ProgramTests.options)
    try await Browser.open(Self.window) { browser in
      try await browser.open(first.address)
      try await browser.wait(for: "the picture", until: Script.isShown)
      try await browser.wait(
        for: "the picture to be kept",
        until: "return document.getElementById('still').width === 640")
      #expect(await first.end() == 0)
      let words = try await browser.wait(for: "the reason", until: Script.words)
      #expect(words.string?.contains("doesn’t answer") == true)
      // The last picture stays, with its time, and isn't passed off as live.
      try await browser.wait(for: "the still picture", until: Script.mode("offline"))
      let state = try await browser.run(
        "return [document.getElementById('state').innerText, document.getElementById('still').hidden]"
      )
      #expect(state[0].string?.hasPrefix("Still picture, ") == true)
      #expect(state[1].bool == false)
      try await browser.screenshot("camera-server-gone")
      let listen = ["--listen", "127.0.0.1:\(first.port)"]
      let second = try await ServerProcess("camera-server", ProgramTests.options + listen)
      try await browser.wait(for: "the picture", until: Script.isShown)
      try await browser.wait(for: "the live picture", until: Script.mode("live"))
      #expect(second.port == first.port)
    }
  }

  @Test("Without a camera the page says so")
  func noCamera() async throws {
    let server = try await ServerProcess("camera-server", ["--device", "no such camera"])
    try await Browser.open(Self.window) { browser in
      try await browser.open(server.address)
      // Before, it may say that the camera begins.
      try await browser.wait(
        for: "the reason",
        until: "return (() => { \(Script.words) })().includes('no camera “no such camera”')")
      #expect(try await browser.run(Script.canShoot).bool == false)
      try await browser.screenshot("camera-none")
      try await browser.speak("de")
      try await browser.wait(
        for: "the German reason",
        until: "return (() => { \(Script.words) })().includes('keine Kamera „no such camera“')")
      try await browser.screenshot("camera-none-german")
    }
  }
}
