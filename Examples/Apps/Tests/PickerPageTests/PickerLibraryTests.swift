import BrowserSupport
import Foundation
import ServerSupport
import Testing
import Viewfinder
import ViewfinderLibrary

@Suite(
  "The picker’s library", .serialized,
  .disabled(if: noBrowser != nil, Comment(rawValue: noBrowser ?? "")))
struct PickerLibraryTests {
  /// A library with grey photos of these names, which say when they were taken, and what a test makes of it.
  private func withLibrary(
    _ names: [String], _ change: (PhotoLibrary) async throws -> Void = { _ in },
    body: (PickerHost) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-shelf-\(UUID().uuidString)")
    defer { Scratch.remove(folder) }
    let pictures = folder.appending(component: "Pictures")
    try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
    let size = Dimensions(width: 64, height: 48)
    for (place, name) in names.enumerated() {
      let grey = Data(repeating: UInt8(40 + 20 * place), count: size.width * size.height)
      try PixelBuffer(pixelFormat: .grey, dimensions: size, data: grey).jpegData()
        .write(to: pictures.appending(component: name))
    }
    var configuration = PhotoLibrary.Configuration(roots: [pictures])
    configuration.indexFolder = folder.appending(component: "index")
    configuration.thumbnailFolder = folder.appending(component: "thumbnails")
    let library = try await PhotoLibrary.open(configuration)
    try await library.update()
    try await change(library)
    try await PickerHost.begin {
      $0.library = library
      $0.selectionLimit = 0
    } body: { visit in
      try await visit.choose()
      try await visit.click("[data-name=photoLibrary]")
      try await body(visit)
    }
  }

  /// The name of a photo that was taken some days ago.
  private func name(daysAgo days: Int, _ time: Int = 120_000) throws -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    let date = try #require(calendar.date(byAdding: .day, value: -days, to: Date()))
    let day = calendar.dateComponents([.year, .month, .day], from: date)
    let number = (day.year ?? 0) * 10_000 + (day.month ?? 0) * 100 + (day.day ?? 0)
    return "IMG_\(number)_\(time).jpg"
  }

  @Test("Between the photos are the titles of their days, in the reader’s language")
  func days() async throws {
    let names = try [
      name(daysAgo: 0, 120_000), name(daysAgo: 0, 110_000), name(daysAgo: 1),
      "IMG_20191224_180000.jpg", "IMG_20191224_170000.jpg", "IMG_20191223_120000.jpg",
    ]
    try await withLibrary(names) { visit in
      try await visit.count(".grid .tile", is: 6)
      let sections = """
        return [...document.querySelectorAll(".grid > *")].map((section) =>
          `${section.querySelector("h2").textContent}: ${section.querySelectorAll(".tile").length}`);
        """
      #expect(
        try await visit.browser.run(sections) == [
          "Today: 2", "Yesterday: 1", "Tuesday, December 24, 2019: 2",
          "Monday, December 23, 2019: 1",
        ])
      // Each group of photos is named by its day, and titles stay in sight while their photos pass.
      #expect(
        try await visit.browser.run(
          """
          const [first] = document.querySelectorAll(".grid [role=group]");
          const title = first.getRootNode().getElementById(first.getAttribute("aria-labelledby"));
          return [title.textContent, getComputedStyle(title.parentElement).position];
          """) == ["Today", "sticky"])
      try await visit.look("picker-days")
      try await visit.browser.speak("de")
      try await visit.count(".grid .tile", is: 6)
      #expect(
        try await visit.browser.run(sections) == [
          "Heute: 2", "Gestern: 1", "Dienstag, 24. Dezember 2019: 2",
          "Montag, 23. Dezember 2019: 1",
        ])
    }
  }

  @Test("Arrows go up and down over the title of a day, to the photo that is nearest")
  func arrowsOverDays() async throws {
    let names =
      (0..<3).map { "IMG_20191224_1\($0)0000.jpg" } + ["IMG_20191223_120000.jpg"]
      + (0..<3).map { "IMG_20191222_1\($0)0000.jpg" }
    try await withLibrary(names) { visit in
      try await visit.count(".grid .tile", is: 7)
      let place =
        "[...document.querySelectorAll('.grid .tile')].findIndex(({ tabIndex }) => tabIndex === 0)"
      try await visit.browser.run("document.querySelectorAll('.grid .tile')[2].focus()")
      for (key, goal) in [
        (Key.down, 3), (Key.down, 4), (Key.up, 3), (Key.up, 0), (Key.end, 6), (Key.up, 3),
        (Key.home, 0), (Key.up, 0),
      ] {
        try await visit.browser.press(key)
        try await visit.wait("place \(goal)", "\(place) === \(goal)")
      }
      // Backwards is forwards where people read from right to left.
      try await visit.browser.run("document.querySelector('.picker').dir = 'rtl'")
      try await visit.browser.press(Key.left)
      try await visit.wait("the next photo", "\(place) === 1")
    }
  }

  @Test("A chip shows its album’s photos alone, a second press all; arrows go from chip to chip")
  func albums() async throws {
    let names = (0..<3).map { "IMG_20191224_1\($0)0000.jpg" }
    try await withLibrary(names) { library in
      let all = try await library.album(.all).assets().assets(in: 0..<3)
      try await library.makeAlbum(named: "Cards").add(Array(all[0...1]))
      _ = try await library.makeAlbum(named: "Nothing yet")
      try await library.setFavorite(true, [all[2]])
    } body: { visit in
      try await visit.count(".grid .tile", is: 3)
      let chips = "return [...document.querySelectorAll('.chip')].map((chip) => chip.textContent)"
      let told = try await visit.browser.run(chips).array?.compactMap(\.string) ?? []
      #expect(told.prefix(2) == ["Any day", "Favourites"])
      #expect(
        told.contains("Cards") && !told.contains("Nothing yet") && !told.contains("All photos"))
      try await visit.look("picker-albums")
      try await visit.click(button: "Cards")
      try await visit.count(".grid .tile", is: 2)
      try await visit.count(".chip[aria-pressed=true]", is: 1)
      try await visit.click(button: "Favourites")
      try await visit.count(".grid .tile", is: 1)
      try await visit.count(".chip[aria-pressed=true]", is: 1)
      try await visit.click(button: "Favourites")
      try await visit.count(".grid .tile", is: 3)
      try await visit.count(".chip[aria-pressed=true]", is: 0)
      // One stop for Tab, and keys from there.
      try await visit.browser.run("document.querySelector('.chip').focus()")
      try await visit.browser.press(Key.right)
      try await visit.browser.press(Key.enter)
      try await visit.count(".grid .tile", is: 1)
      try await visit.count(".chip[tabindex=\"0\"]", is: 1)
      try await visit.browser.press(Key.home)
      try await visit.wait(
        "the first chip", "document.querySelector('.chip').matches('[tabindex=\"0\"]')")
      try await visit.browser.press(Key.enter)
      try await visit.wait("the days", "!document.querySelector('.range-of-days').hidden")
    }
  }

  @Test("The chip of days says which days are shown, and a press takes them away")
  func anyDay() async throws {
    try await withLibrary(["IMG_20191224_120000.jpg", "IMG_20191220_120000.jpg"]) { visit in
      try await visit.count(".grid .tile", is: 2)
      try await visit.click(".chip")
      try await visit.browser.run(
        """
        const day = document.querySelector(".library-filters input");
        day.value = "2019-12-22";
        day.dispatchEvent(new Event("change", { bubbles: true }));
        """)
      try await visit.count(".grid .tile", is: 1)
      try await visit.text(".chip", contains: "From Dec 22, 2019")
      try await visit.look("picker-some-days")
      try await visit.click(".range-of-days .button")
      try await visit.count(".grid .tile", is: 2)
      try await visit.text(".chip", contains: "Any day")
    }
  }

  @Test("A list or a photo that takes its time is drawn as what it will look like, after a moment")
  func bones() async throws {
    try await withLibrary(["IMG_20191224_120000.jpg", "IMG_20191220_120000.jpg"]) { visit in
      try await visit.count(".grid .tile", is: 2)
      try await visit.browser.run(
        """
        const ask = window.fetch;
        const source = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "src");
        const held = new Promise((done) => { window.letGo = done; });
        window.fetch = async (...all) => {
          if (String(all[0]).includes("picker/assets")) await held;
          return ask(...all);
        };
        const seen = new Promise((done) => { window.letSee = done; });
        Object.defineProperty(HTMLImageElement.prototype, "src", {
          ...source, set(value) { seen.then(() => source.set.call(this, value)); },
        });
        const bones = document.querySelector(".tile.bone").closest("[role=status]");
        window.bones = bones;
        window.wereHidden = bones.hidden;
        document.querySelectorAll(".chip")[1].click();
        window.wereHidden &&= bones.hidden;
        """)
      try await visit.wait("the skeleton", "!window.bones.hidden")
      #expect(try await visit.browser.run("return window.wereHidden").bool == true)
      #expect(
        try await visit.browser.run("return window.bones.ariaLabel").string == "Loading photos")
      try await visit.browser.screenshot("picker-bones")
      try await visit.browser.run("window.letGo()")
      try await visit.wait("the list", "window.bones.hidden")
      try await visit.wait("tiles", "document.querySelectorAll('.tile > .awaited').length > 0")
      #expect(
        try await visit.browser.run(
          """
          const { animationName, animationDelay } = getComputedStyle(document.querySelector(".tile > .awaited"));
          return [animationName, animationDelay];
          """) == ["breathe", "0.3s"])
      try await visit.browser.run("window.letSee()")
      try await visit.count(".tile > .awaited", is: 0)
    }
  }
}
