import BrowserSupport
import Testing

@Suite("From one picture to the next", .serialized, .needsBrowser)
struct TurningPagesTests {
  /// Fingers and mice that turn no page.
  private static let others: [(words: String, drag: Drag)] = [
    ("a short way", Drag(across: -50)),
    ("up rather than to the side", Drag(across: -80, down: -200)),
    ("a mouse", Drag(across: -150, pointer: "mouse")),
    ("two fingers", Drag(across: -150, isPrimary: false)),
    ("a way that the browser takes over", Drag(across: -150, end: "pointercancel")),
  ]

  @Test("A finger that goes from side to side shows the picture beside, and nothing else does")
  func swipe() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.open("All Photos")
      try await visit.show("picture-2.jpg")
      try await visit.seePicture("the first")
      // Nothing is before the first.
      try await visit.drag(Drag(across: 150))
      for other in Self.others { try await visit.drag(other.drag) }
      // Had one of them turned the page, this would be another one.
      try await visit.drag(Drag(across: -150, down: 40))
      try await visit.isShown("picture-1.jpg")
      try await visit.drag(Drag(across: -150))
      try await visit.isShown("picture-0.jpg")
      try await visit.drag(Drag(across: -150))
      try await visit.drag(Drag(across: 150, pointer: "pen"))
      try await visit.isShown("picture-1.jpg")
      // The page zooms by itself, and nothing scrolls behind it.
      let action = try await visit.browser.run(
        "return getComputedStyle(document.querySelector('#viewer .viewer-picture')).touchAction")
      #expect(action == "none")
      // Down closes it.
      try await visit.drag(Drag(across: 10, down: 300))
      try await visit.isClosed()
    }
  }

  @Test("Arrow keys go on where a button had the focus that can't be used any more, or is gone")
  func keys() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.open("All Photos")
      try await visit.show("picture-2.jpg")
      for name in ["picture-1.jpg", "picture-0.jpg"] {
        // A mouse presses it; where there is none, it is seen when it has the focus.
        try await visit.browser.run(
          "const next = document.querySelector('#viewer .next'); next.focus(); next.click()")
        try await visit.isShown(name)
      }
      try await visit.wait("the end", "document.querySelector('#viewer .next').disabled")
      try await visit.browser.press(Key.left)
      try await visit.isShown("picture-1.jpg")
      // The button of a file that isn't this picture's.
      try await visit.click("#viewer [data-tool=about]")
      try await visit.click("#viewer .files button")
      try await visit.browser.press(Key.left)
      try await visit.isShown("picture-2.jpg")
      try await visit.browser.press(Key.right)
      try await visit.isShown("picture-1.jpg")
      try await visit.click("#viewer .files button")
      try await visit.browser.press("i")
      try await visit.wait("no info", "document.querySelector('#viewer aside').hidden")
      try await visit.browser.press(Key.right)
      try await visit.isShown("picture-0.jpg")
    }
  }
}

/// A way that a finger or another pointer goes over the picture in full, in pixels.
private struct Drag {
  var across: Int
  var down = 0
  var pointer = "touch"
  /// Whether it is the only finger.
  var isPrimary = true
  var end = "pointerup"
}

extension NavigatorVisit {
  fileprivate func drag(_ drag: Drag) async throws {
    try await browser.run(
      """
      const [across, down, pointerType, isPrimary, end] = arguments;
      const stage = document.querySelector("#viewer .viewer-picture");
      const target = stage.querySelector("img") ?? stage;
      const send = (type, pointerId, clientX, clientY) => target.dispatchEvent(new PointerEvent(
        type, { bubbles: true, pointerType, pointerId, isPrimary: pointerId === 1, clientX, clientY }));
      send("pointerdown", 1, 500, 400);
      if (!isPrimary) send("pointerdown", 2, 600, 400);
      send(end, 1, 500 + across, 400 + down);
      if (!isPrimary) send(end, 2, 600 + across, 400);
      """,
      .number(Double(drag.across)), .number(Double(drag.down)), .string(drag.pointer),
      .bool(drag.isPrimary), .string(drag.end))
  }
}

extension Key {
  static let (delete, control, space) = ("\u{e017}", "\u{e009}", " ")
}
