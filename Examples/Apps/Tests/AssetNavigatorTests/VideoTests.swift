import BrowserSupport
import Foundation
import Testing

@Suite("Videos", .serialized, .needsBrowser)
struct VideoTests {
  @Test("A video has a play icon in the grid, and plays by ranges of its bytes")
  func video() async throws {
    try await NavigatorVisit.begin { visit in
      let video = try await MadePictures.video(with: visit.browser)
      try video.write(to: visit.pictures.appending(component: "waves.webm"), options: .atomic)
      try await visit.album("All Photos", has: 4)
      try await visit.album("Videos", has: 1)
      try await visit.open("All Photos")
      try await visit.tile("waves.webm", "")
      try await visit.wait(
        "the icon", "document.querySelector('#grid .video .tag')?.checkVisibility()")
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

  @Test("Space plays a video and pauses it, from the moment on that a key has opened it")
  func space() async throws {
    try await NavigatorVisit.begin { visit in
      let video = try await MadePictures.video(with: visit.browser)
      try video.write(to: visit.pictures.appending(component: "waves.webm"), options: .atomic)
      try await visit.album("All Photos", has: 4)
      try await visit.tile("waves.webm", "tile.focus()")
      try await visit.browser.press(Key.enter)
      try await visit.wait(
        "the video", "document.querySelector('#viewer[open] video')?.videoWidth === 160")
      try await visit.hasFocus("#viewer")
      // Its second would be over before the next key.
      let played = "document.querySelector('#viewer[open] video')"
      try await visit.browser.run("\(played).loop = true")
      try await visit.browser.press(Key.space)
      try await visit.wait("the next pictures", "\(played).currentTime > 0.2")
      try await visit.browser.press(Key.space)
      try await visit.wait("the pause", "\(played).paused")
      // Where somebody chose a position, too.
      try await visit.browser.run("document.querySelector('#viewer .time input').focus()")
      try await visit.browser.press(Key.space)
      try await visit.wait("that it goes on", "!\(played).paused")
      try await visit.browser.run("document.querySelector('#viewer').focus()")
      try await visit.browser.press(Key.space)
      try await visit.wait("the pause again", "\(played).paused")
      // From a photo to it, and again.
      try await visit.browser.press(Key.right)
      try await visit.isShown("picture-2.jpg")
      try await visit.browser.press(Key.space + Key.left)
      try await visit.isShown("waves.webm")
      try await visit.browser.press(Key.space)
      try await visit.wait("that it plays", "!\(played).paused")
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
}
