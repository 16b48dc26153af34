import BrowserSupport
import Foundation
import ServerSupport
import Testing
import Viewfinder
import ViewfinderPicker

@Suite(
  "What the picker’s camera shows and says", .serialized,
  .disabled(if: noBrowser != nil, Comment(rawValue: noBrowser ?? "")))
struct PickerSightTests {
  @Test("Advice that changes quickly is read aloud every two seconds at most, the newest then")
  func spoken() async throws {
    let camera = try PickerHost.camera(.grey)
    try await PickerHost.begin { configuration in
      configuration.cameras = [camera.device]
      configuration.cameraOutline = .detected(fallback: .card())
    } body: { visit in
      try await visit.choose()
      try await visit.waitForLivePicture()
      try await visit.browser.run(
        """
        const [live, spoken] = ["viewfinder-live", ".spoken"].map((name) => document.querySelector(name));
        window.said = [];
        window.shown = new Set();
        new MutationObserver(() => {
          if (spoken.textContent) window.said.push([performance.now(), spoken.textContent]);
        }).observe(spoken, { childList: true });
        const advices = ["tooFar", "tooNear", "tooSlanted"];
        let turn = 0;
        const timer = setInterval(() => {
          if (!live.isConnected) return clearInterval(timer);
          const advice = advices[turn++ % advices.length];
          live.dispatchEvent(new CustomEvent("report", { detail: { state: "running", card: { advice, corners: [], progress: 0 } } }));
          window.shown.add(document.querySelector(".advice").textContent);
        }, 100);
        """)
      try await visit.wait("five times", "window.said.length >= 5")
      let said = try await visit.browser.run("return window.said").array ?? []
      let times = said.compactMap(\.[0].number)
      for (before, after) in zip(times, times.dropFirst()) { #expect(after - before > 1950) }
      // It is read from the line beside the words, and not from them.
      let words = try await visit.browser.run(
        "return [document.querySelector('.advice').closest('[role=status]'), window.shown.size > 1]"
      )
      #expect(words == .array([.null, true]))
    }
  }

  @Test("A photo flies to its thumbnail wherever that is: upright, wide, and from right to left")
  func flight() async throws {
    let camera = try PickerHost.camera()
    try await PickerHost.begin(.phone) { configuration in
      configuration.cameras = [camera.device]
      configuration.selectionLimit = 0
    } body: { visit in
      try await visit.choose()
      var count = 0
      for (isWide, direction) in [(false, "ltr"), (false, "rtl"), (true, "ltr"), (true, "rtl")] {
        try await visit.browser.change(to: isWide ? Self.wide : .phone)
        try await visit.browser.run(
          "document.documentElement.dir = arguments[0]", .string(direction))
        try await visit.waitForLivePicture()
        try await visit.click("[data-do=takePicture]")
        count += 1
        try await visit.wait(
          "the photo", "document.querySelector('.thumb .count').textContent === '\(count)'")
        let found = try await visit.browser.run(
          """
          const thumb = document.querySelector(".thumb");
          const middle = (element) => {
            const { x, y, width, height } = element.getBoundingClientRect();
            return [x + width / 2, y + height / 2];
          };
          const [from, to] = [middle(document.querySelector(".camera > .live")), middle(thumb)];
          return [..."xy"].flatMap((axis, at) =>
            [parseFloat(thumb.style.getPropertyValue(`--from-${axis}`)), from[at] - to[at]]);
          """)
        let way = (found.array ?? []).compactMap(\.number)
        try #require(way.count == 4)
        #expect(abs(way[0] - way[1]) < 2 && abs(way[2] - way[3]) < 2)
        // At the start upright, at the end in a wide window.
        #expect((way[0] > 0) == (isWide == (direction == "rtl")))
        #expect(way[2] < 0)
      }
    }
  }

  private static let wide = Browser.Appearance(width: 844, height: 390)

  @Test("From right to left the bar's shade and arrows are turned round, in the picker, too")
  func rightToLeft() async throws {
    let camera = try PickerHost.camera()
    try await PickerHost.begin(Self.wide) { configuration in
      configuration.cameras = [camera.device]
    } body: { visit in
      try await visit.wait("the page", "document.body.dataset.ready === 'true'")
      try await visit.browser.run(
        """
        document.querySelector("viewfinder-picker").task =
          { title: "Front, 1 of 2", skip: { text: "Skip", press: () => { window.isSkipped = true; } } };
        """)
      try await visit.choose()
      try await visit.waitForLivePicture()
      let looks = """
        return [
          getComputedStyle(document.querySelector(".camera-controls")).backgroundImage.includes("to left"),
          getComputedStyle(document.querySelector(".skip-photo .turns")).transform,
        ];
        """
      #expect(try await visit.browser.run(looks) == [false, "none"])
      try await visit.browser.run("document.documentElement.dir = 'rtl'")
      #expect(try await visit.browser.run(looks) == [true, "matrix(-1, 0, 0, 1, 0, 0)"])
      try await visit.browser.screenshot("picker-right-to-left")
      #expect(try await visit.text(".camera-top .pill") == "Front, 1 of 2")
      try await visit.click(".skip-photo")
      try await visit.wait("the end", "!document.querySelector('dialog.picker').open")
      #expect(try await visit.browser.run("return window.isSkipped").bool == true)
    }
  }

  @Test("What a page wants the photo for may be said before the element’s module is there")
  func early() async throws {
    try await PickerHost.begin { _ in
    } body: { visit in
      try await visit.wait("the page", "document.body.dataset.ready === 'true'")
      let kept = try await visit.browser.run(
        """
        // In a template an element is none of the page's yet.
        const template = document.createElement("template");
        template.innerHTML = "<viewfinder-picker></viewfinder-picker>";
        const [picker] = template.content.children;
        picker.task = { title: "Front" };
        const before = picker.program === undefined;
        document.body.append(picker);
        const after = [Boolean(picker.program), picker.task?.title];
        picker.remove();
        return [before, ...after];
        """)
      #expect(kept == [true, true, "Front"])
    }
  }

  @Test("A series counts its photos until Stop; the thumbnail has what was taken")
  func series() async throws {
    let camera = try PickerHost.camera()
    try await PickerHost.begin { configuration in
      configuration.cameras = [camera.device]
      configuration.selectionLimit = 0
    } body: { visit in
      try await visit.choose()
      try await visit.waitForLivePicture()
      try await visit.click("button.series")
      try await visit.wait(
        "the series", "document.querySelector('.shutter').ariaLabel === 'Begin the series'")
      try await visit.click(".shutter")
      try await visit.wait(
        "two photos", "parseInt(document.querySelector('.camera-top .pill').textContent) >= 2")
      try await visit.click(".shutter.stop")
      try await visit.wait("the end", "!document.querySelector('.shutter.stop')")
      let taken = visit.picker.state.selection.count
      #expect(taken >= 2 && visit.picker.state.camera.activity == .idle)
      try await visit.click(".thumb")
      try await visit.count(".tray li", is: taken)
      try await visit.click("viewfinder-sheet [data-do=done]")
      try await visit.wait("the end", "!document.querySelector('dialog.picker').open")
      #expect(visit.picker.state.selection.count == taken)
    }
  }

  @Test("Two fingers zoom by as much as they go apart")
  func pinch() async throws {
    let camera = try PickerHost.camera()
    try await PickerHost.begin {
      $0.cameras = [camera.device]
    } body: { visit in
      try await visit.choose()
      try await visit.waitForLivePicture()
      try await visit.browser.run(
        """
        const stage = document.querySelector(".camera > .live");
        const touch = (type, pointerId, clientX) => stage.dispatchEvent(
          new PointerEvent(type, { pointerId, clientX, clientY: 200, pointerType: "touch", bubbles: true }));
        touch("pointerdown", 1, 300);
        touch("pointerdown", 2, 400);
        touch("pointermove", 2, 500);
        for (const id of [1, 2]) touch("pointerup", id, 500);
        """)
      try await wait("another zoom") { visit.picker.state.camera.zoomFactor > 1 }
      #expect(abs(visit.picker.state.camera.zoomFactor - 2) < 0.01)
      try await visit.wait(
        "the zoom", "document.querySelector('.zoom [data-step=\"2\"]').ariaPressed === 'true'")
    }
  }

  @Test("Numbers that are out of all bounds are refused, and the page goes on hearing of its photo")
  func bounds() async throws {
    let camera = try PickerHost.camera()
    try await PickerHost.begin { configuration in
      configuration.cameras = [camera.device]
      configuration.editing = .square
    } body: { visit in
      try await visit.choose()
      try await visit.waitForLivePicture()
      try await visit.click("[data-do=takePicture]")
      try await visit.wait("the crop", "document.querySelector('.crop img')?.naturalWidth > 0")
      let statuses = try await visit.browser.run(
        """
        const { pageID } = await import("/ui/requests.js");
        const bodies = ["pan", "zoom", "turn", "setAngle", "setAspectRatio", "moveCorner", "setZoomFactor"].flatMap((verb) => [
          `{"do":"${verb}","value":1e308,"x":0,"y":0}`, `{"do":"${verb}","value":1,"x":1e308,"y":0}`,
          `{"do":"${verb}","value":1,"x":0,"y":-1e308}`,
        ]);
        const answers = await Promise.all(bodies.map((body) => fetch("/picker/act", {
          method: "POST", body, headers: { "Content-Type": "application/json", "Viewfinder-Page": pageID } })));
        return [...new Set(answers.map(({ status }) => status))];
        """)
      #expect(statuses == [422])
      // No number at all.
      let unread = try await visit.browser.run(
        """
        const answer = await fetch("/picker/act", {
          method: "POST", body: '{"do":"pan","x":1e999,"y":0}', headers: { "Content-Type": "application/json" } });
        return answer.status;
        """)
      #expect(unread.number.map { (400..<500).contains($0) } == true)
      try await visit.browser.run("document.querySelector('.crop').focus()")
      try await visit.browser.press("+")
      let adjustment = try await wait(for: "a larger photo") { () -> PhotoAdjustment? in
        guard case .editing(_, let adjustment) = visit.picker.state.screen else { return nil }
        return adjustment.zoom > 1 ? adjustment : nil
      }
      #expect(adjustment.zoom.isFinite && adjustment.center.x.isFinite)
    }
  }

  @Test("Three tabs of a program have a stream each, and all hear what happens")
  func tabs() async throws {
    let camera = try PickerHost.camera()
    try await PickerHost.begin {
      $0.cameras = [camera.device]
    } body: { visit in
      try await visit.wait("the page", "document.body.dataset.ready === 'true'")
      try await visit.browser.run(
        """
        window.tabs = [window, window.open(location.href), window.open(location.href)];
        window.told = [[], [], []];
        """)
      try await visit.wait(
        "the tabs",
        "window.tabs.every((tab) => tab.document.body?.dataset.ready === 'true')")
      try await visit.browser.run(
        """
        window.tabs.forEach((tab, at) => tab.document.querySelector("viewfinder-picker")
          .addEventListener("state", ({ detail }) => window.told[at].push(detail)));
        """)
      for turn in 0..<2 {
        // The one before may still be giving the camera back.
        try await visit.browser.wait(
          for: "the picker, \(turn)",
          until: """
            window.told = [[], [], []];
            const { send } = await import("/ui/requests.js");
            return await send("POST", "presented").then(() => true, () => false);
            """)
        try await visit.wait(
          "the picker in one of them, \(turn)",
          """
          window.told[0].some(({ isPresented }) => isPresented)
            && [1, 2].every((at) => window.told[at].some(({ isElsewhere }) => isElsewhere))
          """)
        // There is a connection left for what they ask.
        let answers = try await visit.browser.run(
          """
          const answers = await Promise.all(window.tabs.map((tab) => tab.fetch("/ui/icons.svg", { cache: "no-store" })));
          return answers.map(({ status }) => status);
          """)
        #expect(answers == [200, 200, 200])
        visit.picker.cancel()
        try await visit.wait(
          "the end, \(turn)",
          "window.told.every((all) => !all.at(-1).isPresented && !all.at(-1).isElsewhere)")
      }
    }
  }
}
