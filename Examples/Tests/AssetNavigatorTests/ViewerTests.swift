import BrowserSupport
import Foundation
import Testing
import Viewfinder
import ViewfinderLibrary

@Suite(
  "Assets in full", .serialized,
  .disabled(if: noBrowser != nil, Comment(rawValue: noBrowser ?? "")))
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
      try await visit.open("Camera Roll")
      try await visit.show("VWFE0001.JPG")
      // The edited version is what is shown first.
      try await visit.wait(
        "the edited one", "document.querySelector('#viewer .full img')?.naturalWidth === 200")
      try await visit.click("#viewer .about")
      for words in ["Two <b>hills</b>", "Ann", "2026"] {
        try await visit.text("#viewer dl", contains: words)
      }
      let roles = try await visit.browser.run(
        "return [...document.querySelectorAll('#viewer aside strong')].map(s => s.textContent)")
      #expect(Set(roles.array ?? []) == ["Edited", "Original", "Raw"])
      try await visit.text("#viewer aside ul", contains: "6000 × 4000")
      try await visit.look("viewer")
      try await visit.clickFile("Original")
      try await visit.wait(
        "the original", "document.querySelector('#viewer .full img')?.naturalWidth === 320")
      // A raw file without a picture in it can only be listed: that is said, and its bytes are there.
      try await visit.clickFile("Raw")
      try await visit.text("#viewer .reason", contains: "can be listed but not shown")
      let bytes = try await visit.browser.run(
        "const file = document.querySelector('#viewer .missing a');"
          + "return (await (await fetch(file.href)).arrayBuffer()).byteLength")
      #expect(bytes.number == Double(MadePictures.negative.count))
    }
  }

  @Test("A video has a play icon in the grid, and plays by ranges of its bytes")
  func video() async throws {
    try await NavigatorVisit.begin { visit in
      let video = try await MadePictures.video(with: visit.browser)
      try video.write(to: visit.pictures.appending(component: "waves.webm"), options: .atomic)
      try await visit.album("All Photos", says: "3 photos, 1 video")
      try await visit.album("Videos", says: "0 photos, 1 video")
      try await visit.open("All Photos")
      try await visit.tile("waves.webm", "")
      try await visit.wait(
        "the icon", "document.querySelector('#grid .video .mark').textContent.includes('▶')")
      try await visit.browser.run("performance.clearResourceTimings()")
      try await visit.show("waves.webm")
      try await visit.wait(
        "the video", "document.querySelector('#viewer video')?.videoWidth === 160")
      try await visit.browser.run(
        "const v = document.querySelector('#viewer video'); v.muted = true; await v.play()")
      try await visit.wait(
        "the next pictures", "document.querySelector('#viewer video').currentTime > 0.2")
      try await visit.look("video")
      let status = try await visit.browser.run(
        "return performance.getEntriesByType('resource')"
          + ".find(e => e.initiatorType === 'video').responseStatus")
      #expect(status.number == 206)
      for (range, status, answer) in Self.ranges(of: video.count) {
        let got = try await visit.browser.run(
          """
          const answer = await fetch(document.querySelector("#viewer video").src,
            { headers: { Range: arguments[0] } });
          const bytes = new Uint8Array(await answer.arrayBuffer());
          return [answer.status, answer.headers.get("Content-Range") ?? "",
            btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""))];
          """, .string(range))
        #expect(got[0].number == Double(status), "\(range)")
        let field = "bytes \(answer.lowerBound)-\(answer.upperBound - 1)/\(video.count)"
        let expected = [206: field, 416: "bytes */\(video.count)"][status] ?? ""
        #expect(got[1].string == expected, "\(range)")
        let bytes = status == 416 ? Data() : video[answer]
        #expect(Data(base64Encoded: got[2].string ?? "?") == bytes, "\(range)")
      }
      let complaints = try await visit.complaints()
      #expect(complaints == [])
    }
  }

  /// Range fields, the status of the answer, and the bytes in it.
  private static func ranges(of count: Int) -> [(String, Int, Range<Int>)] {
    [
      ("bytes=0-9", 206, 0..<10), ("bytes=100-", 206, 100..<count),
      ("bytes=-20", 206, count - 20..<count), ("bytes=5-999999999", 206, 5..<count),
      ("bytes=-999999999", 206, 0..<count), ("bytes=\(count - 1)-", 206, count - 1..<count),
      ("bytes=\(count)-", 416, 0..<0), ("bytes=-0", 416, 0..<0),
      // What isn't understood doesn't count.
      ("bytes=9-5", 200, 0..<count), ("bytes=0-1,5-6", 200, 0..<count),
      ("pages=1-2", 200, 0..<count), ("bytes=99999999999999999999-", 200, 0..<count),
    ]
  }

  @Test("Nothing but the library's own files is served, by their ids")
  func ids() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.album("All Photos", says: "3 photos, 0 videos")
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

  /// Shows one of the asset's files.
  func clickFile(_ role: String) async throws {
    try await browser.wait(
      for: "the file \(role)",
      until: """
        const name = [...document.querySelectorAll("#viewer aside strong")]
          .find((name) => name.textContent === `\(role)`);
        name?.closest("button").click();
        return Boolean(name);
        """)
  }
}
