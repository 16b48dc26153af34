import BrowserSupport
import Testing

@Suite("Parts of the page", .serialized, .needsBrowser)
struct AskedTests {
  /// A part, what the page asks for it, and what is seen when it is there.
  struct Part: CustomTestStringConvertible, Sendable {
    var name: String
    var path: String
    var shown: String

    var testDescription: String { name }
  }

  private static let parts = [
    Part(name: "albums", path: "/albums", shown: "#albums .albums li"),
    Part(name: "trash", path: "/trash", shown: "#trash p.quiet"),
    Part(name: "search", path: "/search", shown: "#search .chip:not(.bone)"),
  ]

  @Test(
    "What can't be had says why in its place, and how it will look while it takes long",
    arguments: parts)
  func states(of part: Part) async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.open("All Photos")
      try await visit.grid(has: 3)
      try await visit.interceptRequests()
      try await visit.answer(part.path, "wrong")
      try await visit.go("#/\(part.name)")
      let problem = "#\(part.name) .empty .row button"
      try await visit.text("#\(part.name) .empty p", contains: "The folder can’t be read.")
      let isShown = "document.querySelector('\(part.shown)')?.checkVisibility() === true"
      let others = "document.querySelectorAll('.toast').length"
      let nothing = try await visit.browser.run("return [\(isShown), \(others)]")
      #expect(nothing == [false, 0])
      try await visit.look("\(part.name)-failed")
      // Once in vain: the keyboard stays there.
      try await visit.click(problem)
      try await visit.hasFocus(problem)
      try await visit.answer(part.path, "late")
      try await visit.click(problem)
      try await visit.wait(
        "how it will look", "document.querySelector('#\(part.name) .bone')?.checkVisibility()")
      try await visit.look("\(part.name)-loading")
      try await visit.goOn()
      try await visit.wait("it", isShown)
      try await visit.count("#\(part.name) .bone", is: 0)
      // What is there stays when it can't be had anew.
      try await visit.answer(part.path, "wrong")
      try await visit.go("#/")
      try await visit.go("#/\(part.name)")
      try await visit.told("The folder can’t be read.")
      #expect(try await visit.browser.run("return \(isShown)") == true)
    }
  }
}
