import BrowserSupport
import FeedClient
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

  @Test("The person’s devices are listed, and one that is removed is let in no more")
  func devices() async throws {
    try await server { server in
      let url = try #require(URL(string: server.process.address))
      let client = FeedClient(url: url, token: server.token, feed: "photos")
      let token = try #require(try await client.addDevice(named: "Tablet").token)
      _ = try await client.addDevice(named: "Laptop")
      try await NavigatorVisit.begin(prepare: { _ in }) { visit in
        try await visit.join(server.process.address, server.token)
        try await visit.go("#/stream")
        try await visit.text("#stream-devices", contains: "This device, as anna")
        try await visit.text("#stream-devices", contains: "Not here yet")
        try await visit.look("stream-devices")
        try await visit.click("#stream-devices [aria-label='Remove Tablet']")
        try await visit.text("#question", contains: "It gets and sends nothing any more")
        try await visit.browser.press(Key.escape)
        try await visit.count("#stream-devices button", is: 2)
        try await visit.click("#stream-devices [aria-label='Remove Tablet']")
        try await visit.click("#question .danger")
        try await visit.told("“Tablet” is removed.")
        try await visit.count("#stream-devices button", is: 1)
        await #expect(throws: FeedError.self) {
          _ = try await FeedClient(url: url, token: token, feed: "photos").account()
        }
        let complaints = try await visit.complaints()
        #expect(complaints == [])
      }
    }
  }

  @Test("Photos that the server doesn’t take are counted, and named when somebody asks")
  func unsent() async throws {
    try await NavigatorVisit.begin(prepare: { _ in }) { visit in
      try await visit.go("#/stream")
      try await visit.text("#stream", contains: "Nothing is sent, and nothing comes.")
      try await visit.browser.run(
        """
        const { StreamPage } = await import("/stream.js");
        const section = document.querySelector("#stream");
        section.replaceChildren();
        const problems = ["a.jpg", "b.jpg"].map((name) => ({ message: `${name}: It is too large.` }));
        const status = { phase: "idle", person: "anna", waiting: 0, wanted: 0, sent: 3, received: 0, offered: 0, previews: 0, problems };
        new StreamPage(section).show({ isOn: true, fetchesAll: true, device: "Phone", address: "http://127.0.0.1:9", status });
        """)
      try await visit.text("#stream .banner.danger", contains: "2 photos can’t be sent")
      try await visit.click(button: "Show them")
      try await visit.text("#question", contains: "b.jpg: It is too large.")
      try await visit.click(button: "Close")
      try await visit.wait("no list", "!document.querySelector('#question').open")
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
