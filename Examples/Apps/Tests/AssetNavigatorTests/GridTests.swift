import BrowserSupport
import Foundation
import Testing
import Viewfinder
import ViewfinderLibrary

@Suite("The grid", .serialized, .needsBrowser)
struct GridTests {
  @Test("Photos lie under the titles of their days, the newest first, and the other way round")
  func days() async throws {
    try await NavigatorVisit.begin(prepare: MadePictures.days) { visit in
      try await visit.open("All Photos")
      try await visit.grid(has: 7)
      let titles = "return [...document.querySelectorAll('#days h2')].map(h => h.textContent)"
      let newest = try await visit.browser.run(titles)
      #expect(newest[0] == "Today" && newest[1] == "Yesterday")
      #expect(newest.array?.count == 4)
      // Each title is above its own tiles.
      let tops = try await visit.browser.run(
        """
        const top = (element) => element.getBoundingClientRect().top;
        const tiles = [...document.querySelectorAll("#grid li")];
        return [...document.querySelectorAll("#days h2")].map((title) =>
          tiles.filter((tile) => top(tile) > top(title)).length);
        """)
      #expect(tops == [7, 4, 3, 1])
      try await visit.look("days")
      try await visit.click("#more")
      try await visit.click(button: "Oldest first")
      try await visit.wait(
        "the other order", "document.querySelector('#grid button').title === 'day-60-0.jpg'")
      let oldest = try await visit.browser.run(titles)
      #expect(oldest.array == newest.array?.reversed())
    }
  }

  @Test("Tiles have four sizes, by the button and by two fingers; a month leads to its days")
  func sizes() async throws {
    try await NavigatorVisit.begin(prepare: MadePictures.days) { visit in
      try await visit.browser.change(to: .phone)
      try await visit.open("All Photos")
      try await visit.grid(has: 7)
      let across = "Math.round(innerWidth / document.querySelector('#grid li').clientWidth)"
      for count in [5, 9] {
        try await visit.click("#size")
        try await visit.wait("\(count) across", "\(across) === \(count)")
      }
      try await visit.click("#size")
      try await visit.count("#months li", is: 2)
      try await visit.wait(
        "the posters",
        "[...document.querySelectorAll('#months img')].filter(i => i.naturalWidth > 0).length === 2"
      )
      try await visit.look("months")
      try await visit.browser.change(to: .phone)
      try await visit.click("#months li:last-child button")
      try await visit.wait("3 across", "\(across) === 3")
      try await visit.pinch(from: 200, to: 90)
      try await visit.wait("5 across", "\(across) === 5")
      try await visit.pinch(from: 90, to: 200)
      try await visit.wait("3 across again", "\(across) === 3")
    }
  }

  @Test("Dragging selects rows between as well, and scrolls at the edge; days and keys select, too")
  func selection() async throws {
    try await NavigatorVisit.begin(prepare: { folder in
      for number in 0..<60 { try MadePictures.write(number, to: folder) }
    }) { visit in
      try await visit.open("All Photos")
      try await visit.tile("picture-59.jpg", "")
      try await visit.click("#select")
      try await visit.drag(from: 1, to: 9)
      try await visit.text("#selected", contains: "9 selected")
      // Beginning on one that is selected takes away.
      try await visit.drag(from: 9, to: 5)
      try await visit.text("#selected", contains: "4 selected")
      try await visit.browser.press(Key.escape)
      try await visit.click("#select")
      try await visit.drag(from: 0, to: nil)
      try await visit.wait(
        "all that it passed",
        "Number.parseInt(document.querySelector('#selected').textContent) > 40")
      try await visit.browser.press(Key.escape)
      try await visit.click("#select")
      try await visit.click("#days button")
      try await visit.text("#selected", contains: "60 selected")
      try await visit.click("#days button")
      try await visit.text("#selected", contains: "Select photos")
      try await visit.browser.press(Key.escape)
      try await visit.browser.run(
        "document.body.dispatchEvent("
          + "new KeyboardEvent('keydown', { key: 'a', ctrlKey: true, bubbles: true }))")
      try await visit.text("#selected", contains: "60 selected")
      try await visit.browser.press(Key.escape)
      try await visit.wait("no selection", "document.querySelector('#selecting').hidden")
      // A finger that rests begins to select; one that moves at once doesn't.
      try await visit.drag(from: 0, to: 2, pointer: "touch", rests: false)
      #expect(
        try await visit.browser.run("return document.querySelector('#selecting').hidden") == true)
      try await visit.drag(from: 0, to: 2, pointer: "touch", rests: true)
      try await visit.text("#selected", contains: "3 selected")
    }
  }
}

extension MadePictures {
  /// Three photos of today, one of yesterday, two of the day before, and one of two months ago.
  static func days(_ folder: URL) throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    let noon = calendar.date(bySettingHour: 12, minute: 0, second: 0, of: Date()) ?? Date()
    for (ago, count) in [(0, 3), (1, 1), (2, 2), (60, 1)] {
      for number in 0..<count {
        let url = folder.appending(component: "day-\(ago)-\(number).jpg")
        try landscape(ago * 3 + number).jpegData().write(to: url, options: .atomic)
        let date = noon.addingTimeInterval(Double(-86_400 * ago + 60 * number))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
      }
    }
  }
}

extension NavigatorVisit {
  /// Moves two fingers on the grid: how far they are from each other, in pixels.
  fileprivate func pinch(from: Int, to: Int) async throws {
    try await browser.run(
      """
      const [from, to] = arguments;
      const target = document.querySelector("#grid button");
      const send = (type, pointerId, clientX) => target.dispatchEvent(new PointerEvent(
        type, { bubbles: true, pointerType: "touch", pointerId, isPrimary: pointerId === 1, clientX, clientY: 200 }));
      send("pointerdown", 1, 150);
      send("pointerdown", 2, 150 + from);
      send("pointermove", 2, 150 + to);
      send("pointerup", 2, 150 + to);
      send("pointerup", 1, 150);
      """, .number(Double(from)), .number(Double(to)))
  }

  /// Drags from one place of the grid to another one, or to the window's edge until the page has scrolled to its end.
  fileprivate func drag(
    from: Int, to: Int?, pointer: String = "mouse", rests: Bool = false
  ) async throws {
    try await browser.run(
      """
      const [from, to, pointerType, rests] = arguments;
      const frame = document.querySelector("#frame");
      frame.setPointerCapture = () => {};
      const middle = (place) => {
        const box = document.querySelector(`#grid button[data-place="${place}"]`).getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2];
      };
      const target = document.querySelector(`#grid button[data-place="${from}"]`);
      const send = (type, [clientX, clientY]) => target.dispatchEvent(new PointerEvent(type, {
        bubbles: true, pointerType, pointerId: 1, isPrimary: true, buttons: 1, clientX, clientY }));
      const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));
      send("pointerdown", middle(from));
      if (rests) await wait(600);
      const goal = to === null ? [middle(from)[0] + 300, innerHeight - 70] : middle(to);
      const [x, y] = middle(from);
      send("pointermove", [x + 20, y + 5]);
      send("pointermove", goal);
      // How fast a page scrolls depends on the machine.
      const isAtEnd = () => scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
      for (let tries = 0; to === null && !isAtEnd() && tries < 300; tries += 1) await wait(100);
      send("pointerup", goal);
      await wait(50);
      """, .number(Double(from)), to.map { .number(Double($0)) } ?? .null, .string(pointer),
      .bool(rests))
  }
}
