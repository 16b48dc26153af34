import BrowserSupport
import Testing

@Suite(
  "The booth", .serialized,
  .disabled(if: noBrowser != nil, Comment(rawValue: noBrowser ?? "")))
struct OverlayBoothTests {
  @Test("The booth speaks German, too")
  func german() async throws {
    try await PickerVisit.begin("overlay-booth") { visit in
      #expect(try await visit.browser.wordProblems(["/booth.js"], codes: []) == [])
      try await visit.browser.speak("de")
      try await visit.see("Noch keine Bilder.")
      try await visit.click("#camera")
      try await visit.waitForLivePicture()
      #expect(try await visit.text(".overlay [data-do=takePicture]") == "Aufnehmen")
    }
  }

  @Test("One photo, a delayed one, many, and one out of the library are shown in their order")
  func everything() async throws {
    try await PickerVisit.begin("overlay-booth") { visit in
      try await visit.click("#camera")
      try await visit.waitForLivePicture()
      try await visit.look("booth-camera")
      try await visit.click(".overlay [data-do=takePicture]")
      try await visit.count(".tray img", is: 1)
      try await visit.click(#"[data-do=takePicture][data-value="5"]"#)
      try await visit.wait(
        "the countdown", "Number(document.querySelector('.countdown').textContent) > 0")
      // While the timer runs the other controls are off.
      let free = try await visit.browser.run(
        "return [...document.querySelectorAll('.overlay button')].filter(b => !b.disabled)"
          + ".map(b => b.textContent)")
      #expect(free == ["Stop"])
      try await visit.browser.screenshot("booth-countdown")
      try await visit.count(".tray img", is: 2)
      try await visit.click("[data-do=takePictures]")
      try await visit.wait("more photos", "document.querySelectorAll('.tray img').length >= 4")
      try await visit.browser.screenshot("booth-repeated")
      try await visit.click("[data-do=stopCapture]")
      try await visit.click(".overlay [data-do=showSource]")
      try await visit.click(".grid button")
      try await visit.wait("the choice", "document.querySelector('.grid [aria-checked=true]')")
      let picked = try await visit.browser.run(
        "return document.querySelectorAll('.tray img').length")
      let order = try await visit.browser.run(
        "return [...document.querySelectorAll('.tray li')].map(li => li.dataset.id)")
      try await visit.click(".use")
      try await visit.count("#pictures img", is: Int(picked.number ?? 0))
      let shown = try await visit.browser.run(
        """
        return [...document.querySelectorAll("#pictures img")]
          .map((picture) => new URL(picture.src).pathname.split("/").pop());
        """)
      #expect(shown == order)
      // As large as they are shown; a press opens the whole picture.
      try await visit.wait(
        "a small picture", "document.querySelector('#pictures img').naturalWidth === 320")
      let whole = try await visit.browser.run(
        """
        const whole = new Image();
        whole.src = document.querySelector("#pictures a").href;
        await whole.decode();
        return whole.naturalWidth;
        """)
      #expect(whole == 640)
      try await visit.look("booth-pictures")
      let complaints = try await visit.browser.complaints()
      #expect(complaints == [])
    }
  }

  @Test("? shows the list of keys, on the booth’s own page and over its camera")
  func keys() async throws {
    try await PickerVisit.begin("overlay-booth") { visit in
      try await visit.see("No pictures yet.")
      try await visit.browser.press("?")
      try await visit.wait("the list", "document.querySelector('viewfinder-sheet[open] .keys')")
      #expect(try await visit.text(".keys").contains("This list"))
      try await visit.look("booth-keys")
      try await visit.browser.press(Key.escape)
      try await visit.wait("no list", "!document.querySelector('.keys')")
      try await visit.click("#camera")
      try await visit.waitForLivePicture()
      try await visit.browser.press("?")
      try await visit.wait("the list", "document.querySelector('viewfinder-sheet[open] .keys')")
      // The page behind it has heard nothing.
      try await visit.count(".keys", is: 1)
    }
  }

  @Test("A timer can be stopped, and a photo taken back")
  func stops() async throws {
    try await PickerVisit.begin("overlay-booth") { visit in
      try await visit.click("#camera")
      try await visit.waitForLivePicture()
      try await visit.click(#"[data-do=takePicture][data-value="5"]"#)
      try await visit.wait(
        "the countdown", "Number(document.querySelector('.countdown').textContent) > 0")
      try await visit.click("[data-do=stopCapture]")
      try await visit.wait("the end", "document.querySelector('.countdown').hidden")
      try await visit.click(".overlay [data-do=takePicture]:not([data-value])")
      try await visit.count(".tray img", is: 1)
      try await visit.click(".thumb")
      try await visit.look("booth-taken")
      try await visit.click(".tray button")
      try await visit.count(".tray li", is: 0)
      try await visit.click("[data-do=cancel]")
      try await visit.wait("the end", "!document.querySelector('dialog').open")
    }
  }
}
