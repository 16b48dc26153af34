import BrowserSupport
import Foundation
import Testing
import Viewfinder
import ViewfinderLibrary

@Suite("Search", .serialized, .needsBrowser)
struct SearchPageTests {
  @Test(
    "Photos are found by date, camera, place, name and album, and the page says where it looked")
  func search() async throws {
    try await NavigatorVisit.begin { visit in
      let other = try await PhotoLibrary.open(visit.otherConfiguration)
      let places = [nil, GeoPosition(latitude: 52.5, longitude: 13.4)]
      for (number, place) in places.enumerated() {
        var photo = PhotoResource(.data(try MadePictures.landscape(20 + number).jpegData()))
        photo.metadata = PhotoTags(
          captureDate: CaptureDate(localSeconds: 1_731_670_200 + Int64(number) * 86_400 * 40),
          location: place)
        try await other.save([photo])
      }
      // In a folder of its own: that in which the others are is called Pictures.
      let harbour = visit.pictures.appending(component: "Harbour")
      try FileManager.default.createDirectory(at: harbour, withIntermediateDirectories: true)
      try MadePictures.written(by: "PowerShot S30").write(
        to: harbour.appending(component: "boat.jpg"), options: .atomic)
      try await visit.album("All Photos", has: 6)
      try await visit.go("#/search")
      try await visit.look("search")
      // Three were written in November 2023; saved ones were taken in November and December 2024.
      let questions = [
        ("2024", 2), ("november 2023", 3), ("15 November 2024", 1), ("2024-12", 1),
        ("VWF", 2), ("vwf_0002", 1), ("picture", 3), ("52.5, 13.4", 1), ("picture 2024", 0),
        ("100VWFND", 2),
      ]
      for (words, count) in questions { try await visit.search(words, finds: count) }
      try await visit.search("zeppelin", finds: 0)
      try await visit.text("#empty", contains: "Nothing with “zeppelin”")
      try await visit.text("#empty", contains: "Names, dates, cameras, coordinates")
      try await visit.look("search-none")
      try await visit.click(button: "Clear search")
      // What can be chosen, with how many there are.
      try await visit.choose("52.50° N")
      try await visit.text("#search .list-head", contains: "1 photo")
      try await visit.look("search-place")
      // One chip more, and both taken away: all is there to choose again.
      try await visit.click("#search [aria-pressed=true]")
      try await visit.choose("PowerShot S30")
      try await visit.text("#search .list-head", contains: "1 photo")
      try await visit.tile("boat.jpg", "")
      try await visit.click("#search [aria-pressed=true]")
      try await visit.choose("52.50° N")
      try await visit.text("#search .list-head", contains: "1 photo")
      // What was found opens in full, and going back finds it still there.
      try await visit.show("VWF_0002.JPG")
      try await visit.browser.press(Key.escape)
      try await visit.isClosed()
      try await visit.text("#search .list-head", contains: "1 photo")
      let complaints = try await visit.complaints()
      #expect(complaints == [])
    }
  }

  @Test("Days and coordinates are taken out of what is typed, in German too")
  func meaning() async throws {
    try await NavigatorVisit.begin { visit in
      let script = """
        const { meaning } = await import("/search-words.js");
        const { words, time, area } = meaning(arguments[0], new Date(2026, 10, 25));
        return [words.join(" "), time ? `${time.from} ${time.until}` : "", area !== null];
        """
      let english: [(String, JSON)] = [
        ("harbour november", ["harbour", "2026-11-01 2026-12-01", false]),
        ("december", ["", "2025-12-01 2026-01-01", false]),
        ("21 november 2026 boat", ["boat", "2026-11-21 2026-11-22", false]),
        ("November 21, 2026", ["", "2026-11-21 2026-11-22", false]),
        ("2026-02-30", ["2026-02-30", "", false]), ("2025", ["", "2025-01-01 2026-01-01", false]),
        ("31 february", ["31", "2026-02-01 2026-03-01", false]),
        ("95.0, 10.0", ["95.0, 10.0", "", false]),
        ("-33.86, 151.2", ["", "", true]), ("IMG 12", ["IMG 12", "", false]),
        ("today", ["", "2026-11-25 2026-11-26", false]),
      ]
      for (text, meaning) in english {
        #expect(try await visit.browser.run(script, .string(text)) == meaning, "\(text)")
      }
      try await visit.speakGerman()
      let german: [(String, JSON)] = [
        ("Hafen November", ["Hafen", "2026-11-01 2026-12-01", false]),
        ("21. März 2024", ["", "2024-03-21 2024-03-22", false]),
        ("gestern", ["", "2026-11-24 2026-11-25", false]),
      ]
      for (text, meaning) in german {
        #expect(try await visit.browser.run(script, .string(text)) == meaning, "\(text)")
      }
    }
  }

  @Test("The page speaks German, in all its parts")
  func german() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.speakGerman()
      try await visit.grid(has: 3)
      #expect(try await visit.text("#title") == "Fotos")
      try await visit.click("#select")
      try await visit.tile("picture-0.jpg", "tile.click()")
      try await visit.text("#selected", contains: "1 ausgewählt")
      try await visit.click("#actions [data-tool=toTrash]")
      try await visit.told("1 Foto ist im Papierkorb.")
      try await visit.click(button: "Widerrufen")
      try await visit.grid(has: 3)
      try await visit.look("german")
      for (part, words) in [
        ("albums", "Automatisch"), ("search", "Wann"), ("trash", "Fotos bleiben im Papierkorb"),
        ("stream", "Aus. Nichts wird gesendet"),
      ] {
        try await visit.go("#/\(part)")
        try await visit.text("#\(part)", contains: words)
      }
    }
  }

  @Test("There are words for each code that the program has, in all languages")
  func codes() async throws {
    let codes = try PageWords.codes(
      in: "asset-navigator", "PhotoStream", "FeedClient", "ViewfinderPages", "WebServing")
    #expect(codes.isSuperset(of: ["albumExists", "cameraLost", "nothingHere"]))
    try await NavigatorVisit.begin { visit in
      let problems = try await visit.browser.wordProblems(
        ["/words.js", "/ui/picker-words.js"], codes: codes)
      #expect(problems == [])
    }
  }
}

extension NavigatorVisit {
  /// Searches for words, and waits until so many are found.
  fileprivate func search(_ words: String, finds count: Int) async throws {
    try await browser.run(
      """
      const field = document.querySelector("#search input");
      field.value = arguments[0];
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
      """, .string(words))
    try await text("#search .list-head", contains: count == 1 ? "1 photo" : "\(count) photos")
    if count > 0 {
      try await wait("them", "document.querySelector('#grid li')?.ariaSetSize === '\(count)'")
    }
  }

  /// Presses what there is to choose.
  fileprivate func choose(_ words: String) async throws {
    try await browser.wait(
      for: "the chip \(words)",
      until: """
        const chip = [...document.querySelectorAll("#search .chip")].find((chip) =>
          chip.textContent.includes(arguments[0]) && chip.checkVisibility());
        chip?.click();
        return Boolean(chip);
        """, .string(words))
  }

  /// Shows the page in German from now on.
  fileprivate func speakGerman() async throws {
    try await browser.speak("de")
    try await wait("the title", "document.querySelector('#title').textContent")
  }
}
