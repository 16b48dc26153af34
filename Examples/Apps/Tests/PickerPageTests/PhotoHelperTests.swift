import BrowserSupport
import Foundation
import ServerSupport
import Testing

@Suite(
  "The timeline", .serialized,
  .disabled(if: noBrowser != nil, Comment(rawValue: noBrowser ?? "")))
struct PhotoHelperTests {
  @Test("A photo is in the timeline at once, and changes in its place when it is sent")
  func takesAndUploads() async throws {
    try await PickerVisit.begin("photo-helper") { visit in
      try await visit.click("#photo")
      try await visit.count("#choices button", is: 2)
      try await visit.look("helper-sheet")
      try await visit.click("[data-source=camera]")
      try await visit.waitForLivePicture()
      try await visit.click("[data-do=takePicture]")
      try await visit.click("[data-do=usePhoto]")
      try await visit.wait("the upload", "document.querySelector('#timeline li[data-state=sent]')")
      try await visit.look("helper-timeline")
      // It has changed in its place: the picture is the one that was there at once.
      try await visit.wait(
        "the picture", "document.querySelector('#timeline img')?.naturalWidth > 0")
      let received = visit.folder.appending(path: "timeline/received")
      let names = try FileManager.default.contentsOfDirectory(atPath: received.path)
      #expect(names.count == 1)
      let complaints = try await visit.browser.complaints()
      #expect(complaints == [])
    }
  }

  @Test("Photos come scaled down and only once; a press opens the whole one")
  func thumbnails() async throws {
    let options = ["--simulate", "steady", "--size", "1920x1080"]
    try await PickerVisit.begin("photo-helper", options) { visit in
      try await visit.click("#photo")
      try await visit.click("[data-source=camera]")
      try await visit.waitForLivePicture()
      try await visit.click("[data-do=takePicture]")
      try await visit.click("[data-do=usePhoto]")
      try await visit.wait(
        "the picture", "document.querySelector('#timeline img')?.naturalWidth > 0")
      let found = try await visit.browser.run(
        """
        const [small, whole] = [document.querySelector("#timeline img"), new Image()];
        whole.src = document.querySelector("#timeline a.whole").href;
        await whole.decode();
        const answer = await fetch(small.src, { cache: "no-store" });
        const known = { "If-None-Match": answer.headers.get("ETag") };
        const again = await fetch(small.src, { cache: "no-store", headers: known });
        return [small.naturalWidth, whole.naturalWidth, again.status, (await again.blob()).size];
        """)
      #expect(found == [1280, 1920, 304, 0])
    }
  }

  @Test("Without a camera only the library is offered, and cancelling changes nothing")
  func choices() async throws {
    try await PickerVisit.begin("photo-helper", ["--no-camera"]) { visit in
      try await visit.click("#photo")
      try await visit.count("#choices button", is: 1)
      #expect(
        try await visit.browser.run("return document.querySelector('[data-source=camera]')")
          == .null)
      try await visit.click("[data-source=photoLibrary]")
      try await visit.count(".grid img", is: 3)
      try await visit.click("[data-do=cancel]")
      try await visit.wait("the end", "!document.querySelector('dialog.picker').open")
      try await visit.count("#timeline li", is: 0)
    }
  }

  @Test("While the server is away the photo is kept, and uploaded when it is back")
  func serverAway() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-receiver-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let other = ["--no-camera", "--root", folder.path, "--store", folder.path]
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let first = try await ServerProcess("photo-helper", other)
    let port = first.port
    #expect(await first.end() == 0)
    let upload = ["--upload", first.url("uploads")]
    try await PickerVisit.begin("photo-helper", PickerVisit.camera + upload) { visit in
      try await visit.click("#photo")
      try await visit.click("[data-source=photoLibrary]")
      try await visit.click(".grid button")
      try await visit.wait(
        "the problem", "document.querySelector('#timeline li[data-state=waiting]')")
      try await visit.browser.screenshot("helper-waiting")
      try await visit.browser.speak("de")
      try await visit.see("Der Server ist nicht erreichbar. Es wird noch einmal versucht.")
      try await visit.browser.run("document.querySelector('#timeline li').isTheSame = true")
      let outbox = visit.folder.appending(path: "timeline/outbox")
      #expect(try FileManager.default.contentsOfDirectory(atPath: outbox.path).count == 1)
      let second = try await ServerProcess(
        "photo-helper", other + ["--listen", "127.0.0.1:\(port)"])
      try await visit.wait("the upload", "document.querySelector('#timeline li[data-state=sent]')")
      // It has changed in its place, and was not made anew.
      let isTheSame = try await visit.browser.run(
        "return document.querySelector('#timeline li').isTheSame === true")
      #expect(isTheSame.bool == true)
      #expect(try FileManager.default.contentsOfDirectory(atPath: outbox.path).isEmpty)
      _ = await second.end()
    }
  }

  @Test("A page that answers in the server's place doesn't count as the upload")
  func portal() async throws {
    let server = try TestServer { $1.answer("200 OK", "<html>Sign in</html>") }
    let upload = ["--upload", "\(server.url)/uploads"]
    try await PickerVisit.begin("photo-helper", PickerVisit.camera + upload) { visit in
      try await visit.click("#photo")
      try await visit.click("[data-source=photoLibrary]")
      try await visit.click(".grid button")
      try await visit.wait(
        "the problem", "document.querySelector('#timeline li[data-state=waiting]')")
      let outbox = visit.folder.appending(path: "timeline/outbox")
      #expect(try FileManager.default.contentsOfDirectory(atPath: outbox.path).count == 1)
      let words = try await visit.browser.run(
        "return document.querySelector('#timeline li[data-state=waiting]').textContent")
      #expect(words.string?.contains("sign in") == true)
    }
  }

  @Test("Beside what isn’t sent yet is a button that sends it now")
  func sendNow() async throws {
    let server = try TestServer { $1.answer("503 Service Unavailable", "") }
    let upload = ["--upload", "\(server.url)/uploads"]
    try await PickerVisit.begin("photo-helper", PickerVisit.camera + upload) { visit in
      try await visit.click("#photo")
      try await visit.click("[data-source=photoLibrary]")
      try await visit.click(".grid button")
      // Until the pause is longer than a press takes.
      try await wait("five requests") { server.requests.count >= 5 }
      try await visit.wait(
        "the problem", "document.querySelector('#timeline li[data-state=waiting]')")
      try await visit.look("helper-send-now")
      let before = server.requests.count
      try await visit.click("#timeline li[data-state=waiting] button")
      try await wait("one more") { server.requests.count > before }
    }
  }

  @Test("There are words for each code that the program has, in all languages")
  func codes() async throws {
    let codes = try PageWords.codes(in: "photo-helper", "ViewfinderPages", "WebServing")
    #expect(codes.isSuperset(of: ["uploadRefused", "cameraLost", "nothingHere"]))
    try await PickerVisit.begin("photo-helper", ["--no-camera"]) { visit in
      let problems = try await visit.browser.wordProblems(
        ["/timeline-words.js", "/ui/picker-words.js"], codes: codes)
      #expect(problems == [])
    }
  }

  @Test("A photo that can't be written is told of, and kept when it can be")
  func cannotWrite() async throws {
    try await PickerVisit.begin("photo-helper", ["--no-camera"]) { visit in
      let outbox = visit.folder.appending(path: "timeline/outbox")
      try FileManager.default.removeItem(at: outbox)
      try await visit.click("#photo")
      try await visit.click("[data-source=photoLibrary]")
      try await visit.click(".grid button")
      try await visit.wait(
        "the problem", "document.querySelector('#problem').textContent.includes('outbox')")
      try FileManager.default.createDirectory(at: outbox, withIntermediateDirectories: true)
      try await visit.wait("the upload", "document.querySelector('#timeline li[data-state=sent]')")
      try await visit.wait("no problem", "document.querySelector('#problem').textContent === ''")
    }
  }
}
