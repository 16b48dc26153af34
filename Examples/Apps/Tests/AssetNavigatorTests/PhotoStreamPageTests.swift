import BrowserSupport
import FeedClient
import Foundation
import PhotoStream
import ServerSupport
import Testing

@Suite("The photo stream on the page", .serialized, .needsBrowser)
struct PhotoStreamPageTests {
  private func server(_ body: (FeedServerProcess) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-feed-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { Scratch.remove(folder) }
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

  @Test("Settings that are changed at the same moment are all kept")
  func changesAtOnce() async throws {
    try await server { server in
      try await NavigatorVisit.begin { folder in
        try MadePictures.few(folder)
      } body: { visit in
        try await visit.join(server.process.address, server.token)
        // Whether the last of ten rounds, each with other values, came off in all parts.
        let answers = try await visit.browser.run(
          """
          const change = async (settings) => (await fetch("/stream/settings", {
            method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(settings),
          })).status;
          const answers = [];
          for (let round = 0; round < 10; round++) {
            const isOn = round % 2 === 1;
            answers.push(...await Promise.all([change({ sendsSmaller: isOn }), change({ leavesPlaceOut: isOn }),
              change({ fetchesAll: !isOn }), change({ camera: `Leaf ${round}` })]));
          }
          return answers;
          """)
        #expect(answers == .array(Array(repeating: 204, count: 40)))
        let kept = StreamSettings(in: visit.folder.appending(component: "index"))
        #expect(kept?.sendsSmaller == true && kept?.leavesPlaceOut == true)
        #expect(kept?.fetchesAll == false && kept?.camera == "Leaf 9")
      }
    }
  }

  @Test("What is sent and how long it is kept are chosen on the page, and stay chosen")
  func choices() async throws {
    try await server { server in
      try await NavigatorVisit.begin { folder in
        try MadePictures.few(folder)
        try MadePictures.written(by: "Leaf 5")
          .write(to: folder.appending(component: "leaf.jpg"))
      } body: { visit in
        try await visit.join(server.process.address, server.token)
        try await visit.go("#/stream")
        try await visit.text("#stream-kept", contains: "for 30 days, and 1,000 photos at most")
        try await visit.text("#stream-camera", contains: "Leaf 5")
        try await visit.choose("Leaf 5", in: "#stream-camera")
        try await visit.browser.run(
          """
          const row = document.querySelector("#stream li:has(#stream-camera)");
          row.nextElementSibling.querySelector(".switch").click();
          """)
        _ = try await visit.wait(forSettings: { $0.sendsSmaller && !$0.leavesPlaceOut })
        try await visit.browser.run(
          "document.querySelector('#stream li:has(#stream-camera) + li + li .switch').click()")
        try await visit.choose("1 year", in: "#stream-keep")
        try await visit.text("#stream-kept", contains: "for 1 year")
        try await visit.look("stream-choices")
        let settings = StreamSettings(
          url: try #require(URL(string: server.process.address)), token: server.token)
        #expect(try await settings.retention() == StreamRetention(days: 365))
        let kept = try await visit.wait(forSettings: {
          $0.camera == "Leaf 5" && $0.sendsSmaller && $0.leavesPlaceOut
        })
        #expect(kept.fetchesAll)
        // Another program may have chosen what the page doesn't offer.
        try await settings.setRetention(StreamRetention(days: 5, photos: 7))
        try await visit.browser.open(visit.server.address)
        try await visit.go("#/stream")
        try await visit.text("#stream-kept", contains: "for 5 days, and 7 photos at most")
        let chosen = try await visit.browser.run(
          """
          const [camera, keep] = ["#stream-camera", "#stream-keep"].map((id) => document.querySelector(id));
          const switches = [...camera.closest("ul").querySelectorAll(".switch")].map(({ checked }) => checked);
          return [camera.value, keep.selectedOptions[0].textContent, ...switches];
          """)
        #expect(chosen == ["Leaf 5", "5 days · 7 photos", true, true])
        // Of two that come, one is of that camera.
        try MadePictures.write(7, to: visit.pictures)
        try (MadePictures.written(by: "Leaf 5") + Data("another".utf8))
          .write(to: visit.pictures.appending(component: "new.jpg"), options: .atomic)
        try await visit.text("#stream-facts", contains: "1 photo sent")
        try await visit.text("#stream-facts", contains: "1 photo in the stream")
        try await visit.text("#stream-devices", contains: "Sent 1,")
        let photos = try await FeedClient(
          url: settings.url, token: settings.token, feed: "photos"
        ).changes(since: nil).entries.map { String(decoding: $0.json, as: UTF8.self) }
          .filter { $0.contains("sha256") }
        #expect(photos.count == 1 && photos[0].contains("\"name\":\"new.jpg\""))
        let complaints = try await visit.complaints()
        #expect(complaints == [])
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
      try await visit.click(button: "Send smaller copies")
      try await visit.told("The photo stream doesn’t run now. Try again in a moment.")
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
  /// Chooses what a list says, as a person would.
  fileprivate func choose(_ words: String, in list: String) async throws {
    try await browser.wait(
      for: "the choice of \(words)",
      until: """
        const list = document.querySelector(arguments[0]);
        const option = [...list.options].find(({ textContent }) => textContent === arguments[1]);
        if (list.disabled || !option) return false;
        list.value = option.value;
        list.dispatchEvent(new Event("change", { bubbles: true }));
        return true;
        """, .string(list), .string(words))
  }

  /// Waits until the settings that the app keeps are as they should be.
  fileprivate func wait(
    forSettings body: (StreamSettings) -> Bool
  ) async throws -> StreamSettings {
    var settings: StreamSettings?
    try await ServerSupport.wait("the settings") {
      settings = StreamSettings(in: folder.appending(component: "index"))
      return settings.map(body) ?? false
    }
    return try #require(settings)
  }

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
