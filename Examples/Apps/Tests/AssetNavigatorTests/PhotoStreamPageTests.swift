import BrowserSupport
import Foundation
import ServerSupport
import Testing

@Suite("The photo stream on the page", .serialized, .needsBrowser)
struct PhotoStreamPageTests {
  private func server(_ body: (FeedServerProcess) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-feed-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try await FeedServerProcess(in: folder)
    try await body(server)
    #expect(await server.process.end() == 0)
  }

  @Test("A photo that is taken on one device is in the other's album, with what its own page says")
  func twoDevices() async throws {
    try await server { server in
      try await NavigatorVisit.begin(NavigatorVisit.camera) { camera in
        try await NavigatorVisit.begin { sofa in
          try await camera.join(server.process.address, server.token)
          try await sofa.join(server.process.address, server.token)
          try await sofa.album("All Photos", has: 3)
          try await camera.takePhoto()
          try await camera.click("[data-do=usePhoto]")
          try await camera.told("Saved as VWF_0001.JPG")
          let begin = ContinuousClock.now
          try await sofa.album("My Photo Stream", has: 1)
          print("The photo was there after \(ContinuousClock.now - begin).")
          try await sofa.open("My Photo Stream")
          try await sofa.grid(has: 1)
          try await sofa.look("stream-album")
          // What was there before isn't sent, and nothing comes back.
          try await camera.go("#/stream")
          try await camera.text("#stream-facts", contains: "You share photos as anna.")
          try await camera.text("#stream-facts", contains: "1 photo sent and 0 photos received")
          try await camera.look("stream")
          #expect(try await sofa.complaints() == [])
          #expect(try await camera.complaints() == [])
        }
      }
    }
  }

  @Test("Previews come alone where a person wants that, and a photo when they ask for it")
  func previews() async throws {
    try await server { server in
      try await NavigatorVisit.begin(NavigatorVisit.camera) { camera in
        try await NavigatorVisit.begin { sofa in
          try await camera.join(server.process.address, server.token)
          try await sofa.join(server.process.address, server.token, previews: true)
          for name in ["VWF_0001.JPG", "VWF_0002.JPG"] {
            try await camera.takePhoto()
            try await camera.click("[data-do=usePhoto]")
            try await camera.told("Saved as \(name)")
          }
          try await sofa.go("#/stream")
          try await sofa.wait(
            "both previews",
            """
            (() => {
              const pictures = [...document.querySelectorAll("#stream-photos img")];
              return pictures.length === 2 && pictures.every((one) => one.naturalWidth === 512);
            })()
            """)
          try await sofa.text("#stream-photos", contains: "VWF_0002.JPG")
          try await sofa.look("stream-previews")
          try await sofa.click("#stream-photos li:first-child button")
          try await sofa.wait(
            "the photo to come", "document.querySelectorAll('#stream-photos li').length === 1")
          try await sofa.text("#stream-facts", contains: "0 photos sent and 1 photo received")
          // The other one waits until somebody asks.
          try await sofa.album("My Photo Stream", has: 1)
          try await sofa.album("All Photos", has: 4)
          #expect(try await sofa.complaints() == [])
        }
      }
    }
  }

  @Test("Joining says what is wrong; leaving stops the stream, and photos stay")
  func joining() async throws {
    try await server { server in
      try await NavigatorVisit.begin(prepare: { _ in }) { visit in
        try await visit.enter("http://127.0.0.1:9", server.token)
        try await visit.text("#question-error", contains: "can’t be reached")
        try await visit.browser.press(Key.escape)
        try await visit.enter(server.process.address, "not-a-token-of-anna")
        try await visit.text("#question-error", contains: "doesn’t know the token")
        try await visit.look("stream-refused")
        try await visit.browser.press(Key.escape)
        try await visit.join(server.process.address, server.token)
        try await visit.go("#/stream")
        try await visit.click("#stream .switch")
        try await visit.text("#stream", contains: "Nothing is sent, and nothing comes.")
        try await visit.wait("that it is off", "!document.querySelector('#stream .switch').checked")
        try await visit.look("stream-off")
      }
    }
  }
}

extension NavigatorVisit {
  /// Switches the stream on, and fills in the form.
  func enter(_ address: String, _ token: String) async throws {
    try await go("#/stream")
    try await wait("no form", "!document.querySelector('#question[open]')")
    try await click("#stream .switch")
    try await wait("the form", "document.querySelector('#question[open] input[type=url]')")
    try await browser.type(address, into: "#question input[type=url]")
    try await browser.type(token, into: "#question input[type=password]")
    try await click("#question .primary")
  }

  /// Joins a stream, and looks at it.
  func join(_ address: String, _ token: String, previews: Bool = false) async throws {
    try await enter(address, token)
    try await wait("the form to go", "!document.querySelector('#question[open]')")
    try await text("#stream-facts", contains: "You share")
    guard previews else { return try await go("#/") }
    try await browser.run("document.querySelectorAll('#stream .switch')[1].click()")
    try await wait(
      "the answer",
      "performance.getEntriesByType('resource').some(e => e.name.endsWith('/stream/settings') && e.responseEnd)"
    )
    try await go("#/")
  }
}
