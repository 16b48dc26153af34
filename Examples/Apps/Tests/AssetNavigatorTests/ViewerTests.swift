import BrowserSupport
import Foundation
import Testing
import Viewfinder
import ViewfinderLibrary

@Suite("Assets in full", .serialized, .needsBrowser)
struct ViewerTests {
  @Test("A picture is shown with what is known of it and with all its files")
  func representations() async throws {
    try await NavigatorVisit.begin { visit in
      // Another program saves a photo with its raw file and an edited version.
      let other = try await PhotoLibrary.open(visit.otherConfiguration)
      var original = PhotoResource(.data(try MadePictures.landscape(7).jpegData()))
      original.metadata = PhotoTags(
        captureDate: CaptureDate(localSeconds: 1_775_000_000), imageDescription: "Two <b>hills</b>",
        artist: "Ann")
      let small = Dimensions(width: 200, height: 200)
      let edited = try MadePictures.landscape(7, size: small).jpegData()
      try await other.save([
        original, PhotoResource(.data(MadePictures.negative)),
        PhotoResource(.data(edited), isEdited: true),
      ])
      try await visit.open("Camera roll")
      try await visit.show("VWFE0001.JPG")
      // The edited version is what is shown first.
      try await visit.seePicture("the edited one", where: "i.naturalWidth === 200")
      try await visit.click("#viewer [data-tool=about]")
      for words in ["Two <b>hills</b>", "Ann", "2026"] {
        try await visit.text("#viewer dl", contains: words)
      }
      let roles = try await visit.browser.run(
        "return [...document.querySelectorAll('#viewer .files strong')].map(s => s.textContent)")
      #expect(Set(roles.array ?? []) == ["Edited", "Original", "Raw"])
      try await visit.text("#viewer .files", contains: "6000 × 4000")
      try await visit.look("viewer")
      try await visit.clickFile("Original")
      try await visit.seePicture("the original", where: "i.naturalWidth === 320")
      // A raw file without a picture in it can only be listed: that is said, and its bytes are there.
      try await visit.clickFile("Raw")
      try await visit.text("#viewer .reason", contains: "can be listed but not shown")
      let bytes = try await visit.browser.run(
        "const file = document.querySelector('#viewer .stage a');"
          + "return (await (await fetch(file.href)).arrayBuffer()).byteLength")
      #expect(bytes.number == Double(MadePictures.negative.count))
    }
  }

  @Test(
    "What is chosen the moment after another was closed is shown",
    arguments: ["picture-1.jpg", "picture-2.jpg"])
  func quickChoice(next: String) async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.open("All Photos")
      try await visit.grid(has: 3)
      try await visit.show("picture-2.jpg")
      try await visit.tile(next, "document.querySelector('#viewer-back').click(); tile.click()")
      // What comes late has come when the picture is there.
      try await visit.seePicture("the picture")
      try await visit.isShown(next)
      try await visit.click("#viewer-back")
      try await visit.isClosed()
    }
  }

  @Test("Nothing but the library's own files is served, by their ids")
  func ids() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.album("All Photos", has: 3)
      let stranger = UUID().uuidString
      for path in [
        "assets/\(stranger)", "assets/\(stranger)/thumbnail",
        "assets/\(stranger)/files/\(stranger)",
        "assets/..%2f..%2fetc%2fpasswd/thumbnail", "assets/%2fetc%2fpasswd", "albums/\(stranger)",
        "lists/\(stranger)?first=0&count=10", "files/etc/passwd", "..%2f..%2fetc/passwd",
      ] {
        let answer = try await visit.browser.run(
          "const answer = await fetch('/' + arguments[0]);"
            + "return [answer.status, (await answer.json()).error]", .string(path))
        #expect([400, 404, 410].contains(answer[0].number), "\(path)")
        #expect(answer[1].string?.isEmpty == false, "\(path)")
      }
    }
  }
}

extension NavigatorVisit {
  /// The same library for another program: this one.
  var otherConfiguration: PhotoLibrary.Configuration {
    var configuration = PhotoLibrary.Configuration(roots: [pictures])
    configuration.indexFolder = folder.appending(component: "other-index")
    configuration.thumbnailFolder = folder.appending(component: "other-thumbnails")
    return configuration
  }
}
