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
          try await sofa.album("All Photos", says: "3 photos, 0 videos")
          try await camera.takePhoto()
          try await camera.click("[data-do=usePhoto]")
          try await camera.text("#notice", contains: "Saved as VWF_0001.JPG")
          let begin = ContinuousClock.now
          try await sofa.album("My Photo Stream", says: "1 photo, 0 videos")
          print("The photo was there after \(ContinuousClock.now - begin).")
          try await sofa.open("My Photo Stream")
          try await sofa.grid(has: 1)
          try await sofa.look("stream-album")
          // What was there before isn't sent, and nothing comes back.
          try await camera.click("#stream")
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
            try await camera.text("#notice", contains: "Saved as \(name)")
          }
          try await sofa.click("#stream")
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
          try await sofa.click("#sheet .choices button:last-child")
          // The other one waits until somebody asks.
          try await sofa.album("My Photo Stream", says: "1 photo, 0 videos")
          try await sofa.album("All Photos", says: "4 photos, 0 videos")
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
        try await visit.text("#problem", contains: "can't be reached")
        try await visit.click("#close-alert")
        try await visit.enter(server.process.address, "not-a-token-of-anna")
        try await visit.text("#problem", contains: "doesn't know the token")
        try await visit.look("stream-refused")
        try await visit.click("#close-alert")
        try await visit.join(server.process.address, server.token)
        try await visit.click("#stream")
        try await visit.click("[value=leave]")
        // Until the program has left it, the page shows what it is leaving.
        try await visit.browser.wait(
          for: "the form",
          until: """
            if (document.querySelector("#sheet[open] input[type=url]")) return true;
            if (!document.querySelector("#sheet[open]")) document.querySelector("#stream").click();
            return false;
            """)
        try await visit.look("stream-join")
      }
    }
  }
}

extension NavigatorVisit {
  /// Fills in the form for a stream.
  func enter(_ address: String, _ token: String, previews: Bool = false) async throws {
    try await click("#stream")
    try await wait("the form", "document.querySelector('#sheet[open] input[type=url]')")
    try await browser.type(address, into: "#sheet input[type=url]")
    try await browser.type(token, into: "#sheet input[type=password]")
    if previews { try await click("#sheet input[type=checkbox]") }
    try await click("#sheet .primary")
  }

  /// Joins a stream, and looks at it.
  func join(_ address: String, _ token: String, previews: Bool = false) async throws {
    try await enter(address, token, previews: previews)
    try await wait("the form to go", "!document.querySelector('#sheet[open]')")
    try await browser.wait(
      for: "the stream",
      until: """
        if (document.querySelector("#stream-facts")?.textContent.includes("You share")) return true;
        if (document.querySelector("#sheet[open]")) document.querySelector("#sheet").close();
        else document.querySelector("#stream").click();
        return false;
        """)
    try await browser.wait(
      for: "the sheet to close", until: "document.querySelector('#sheet').close(); return true")
  }
}
