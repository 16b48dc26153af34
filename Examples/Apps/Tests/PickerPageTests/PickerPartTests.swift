import BrowserSupport
import Foundation
import Testing
import Viewfinder
import ViewfinderPicker

@Suite(
  "The picker’s parts", .serialized,
  .disabled(if: noBrowser != nil, Comment(rawValue: noBrowser ?? "")))
struct PickerPartTests {
  /// Opens the page that has the parts as elements of its own.
  private func parts(
    _ options: String..., body: @Sendable (PickerVisit) async throws -> Void
  ) async throws {
    try await PickerVisit.begin("picker-component", PickerVisit.camera + options) { visit in
      try await visit.browser.run("location.href = '/parts'")
      try await visit.count("button#what", is: 1)
      try await visit.browser.run(Self.listening)
      try await body(visit)
    }
  }

  /// Keeps what the page hears of its parts, and which keys come to it.
  private static let listening = """
    window.heard = {};
    for (const name of ["camera", "library", "crop"]) {
      const part = document.querySelector(`viewfinder-${name}`);
      const all = window.heard[name] = [];
      part?.addEventListener("photos", ({ detail }) => all.push(detail.length));
      part?.addEventListener("done", ({ detail }) => all.push(`done ${detail.length}`));
      part?.addEventListener("change", ({ detail }) => { window.heard.change = detail; });
    }
    window.pressed = [];
    addEventListener("keydown", ({ key }) => window.pressed.push(key));
    """

  /// What has the focus, also in shadow roots.
  private static let focus = """
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    """

  private func waitForFocus(_ selector: String, _ visit: some PageVisit) async throws {
    try await visit.browser.wait(
      for: "the focus on \(selector)",
      until: "\(Self.focus) return at.matches(arguments[0])", .string(selector))
  }

  @Test("The camera takes photos within a page, tells of each, and gives the focus back")
  func camera() async throws {
    try await parts("--limit", "0") { visit in
      try await visit.browser.run("document.querySelector('#camera').focus()")
      try await visit.browser.press(Key.enter)
      try await visit.waitForLivePicture()
      try await visit.look("parts-camera")
      for number in 1...2 {
        try await visit.click(".shutter")
        try await visit.count("#pictures img", is: number)
      }
      try await visit.click(".thumb")
      try await visit.click("viewfinder-sheet [data-do=done]")
      try await visit.wait(
        "no camera", "!document.querySelector('viewfinder-camera').checkVisibility()")
      try await waitForFocus("#camera", visit)
      #expect(try await visit.browser.run("return window.heard.camera") == [1, 2, "done 2"])
      #expect(try await visit.browser.complaints() == [])
    }
  }

  @Test("The library lets choose several photos within a page, and tells of them")
  func library() async throws {
    try await parts("--limit", "0") { visit in
      try await visit.click("button#library")
      try await visit.count(".grid .tile", is: 3)
      try await visit.look("parts-library")
      for place in [0, 2] {
        try await visit.browser.run("document.querySelectorAll('.grid .tile')[\(place)].click()")
        try await visit.count(".grid [aria-checked=true]", is: place == 0 ? 1 : 2)
      }
      #expect(try await visit.text("button.use") == "Use 2")
      try await visit.click("button.use")
      try await visit.wait(
        "no library", "!document.querySelector('viewfinder-library').checkVisibility()")
      try await visit.count("#pictures img", is: 2)
      #expect(try await visit.browser.run("return window.heard.library") == [1, 2, "done 2"])
    }
  }

  @Test("The crop takes the camera’s place and focus, tells of each change, and uses the photo")
  func crop() async throws {
    try await parts("--square") { visit in
      try await visit.click("button#camera")
      try await visit.waitForLivePicture()
      try await visit.click(".shutter")
      try await visit.wait("the crop", "document.querySelector('.crop img')?.naturalWidth > 0")
      try await visit.wait(
        "no camera", "!document.querySelector('viewfinder-camera').checkVisibility()")
      try await waitForFocus("[data-do=usePhoto]", visit)
      try await visit.look("parts-crop")
      try await visit.browser.run("document.querySelector('.crop').focus()")
      try await visit.browser.press("+")
      try await visit.wait("the zoom", "window.heard.change?.crop.zoom > 1.05")
      try await visit.browser.press(Key.enter)
      try await visit.count("#pictures img", is: 1)
      try await waitForFocus("#camera", visit)
      #expect(try await visit.browser.run("return window.heard.crop") == [1, "done 1"])
      #expect(try await visit.browser.run("return window.pressed") == .array([]))
    }
  }

  @Test("The corners of a card are moved by keys within a page, which hears of them")
  func corners() async throws {
    let camera = try PickerHost.camera()
    try await PickerHost.begin(elements: ["camera", "crop"]) { configuration in
      configuration.cameras = [camera.device]
      configuration.cameraOutline = .detected(fallback: .card())
    } body: { visit in
      try await visit.wait("the page", "document.body.dataset.ready === 'true'")
      try await visit.browser.run(Self.listening)
      try await visit.choose()
      try await visit.browser.wait(
        for: "the corners",
        until: """
          // A card takes its photo by itself.
          document.querySelector("[data-do=takePicture]:not(:disabled)")?.click();
          return document.querySelector(".handle")?.checkVisibility();
          """)
      let before = try await visit.browser.wait(
        for: "the corners", until: "return window.heard.change?.corners")
      try await visit.browser.run("document.querySelector('.handle').focus()")
      try await visit.browser.press(Key.left)
      try await visit.browser.wait(
        for: "another corner",
        until: "return String(window.heard.change.corners) !== arguments[0].join()", before)
      try await visit.browser.press(Key.enter)
      try await visit.wait(
        "no crop", "!document.querySelector('viewfinder-crop').checkVisibility()")
      #expect(try #require(visit.picker.state.selection.first).edit != nil)
      #expect(try await visit.browser.run("return window.heard.crop") == [1, "done 1"])
    }
  }

  @Test("Keys within a part don’t reach the page, ? lists them, and Escape closes the list alone")
  func keys() async throws {
    try await parts("--limit", "0") { visit in
      try await visit.click("button#camera")
      try await visit.waitForLivePicture()
      try await visit.browser.run("document.querySelector('.shutter').focus()")
      try await visit.browser.press("n/t")
      try await visit.wait(
        "the timer", "document.querySelector('[aria-label=\"Timer: 3 seconds\"]')")
      try await visit.browser.press("?")
      try await visit.wait(
        "the list", "document.querySelectorAll('viewfinder-sheet[open] kbd').length > 4")
      try await visit.browser.press("n")
      try await visit.browser.press(Key.escape)
      try await visit.count(".keys", is: 0)
      try await waitForFocus(".shutter", visit)
      #expect(try await visit.browser.run("return window.pressed") == .array([]))
      #expect(
        try await visit.browser.run(
          "return document.querySelector('viewfinder-camera').checkVisibility()") == true)
      // Beside it keys are the page's.
      try await visit.browser.run("document.querySelector('button#camera').focus()")
      try await visit.browser.press("n")
      #expect(try await visit.browser.run("return window.pressed") == ["n"])
    }
  }

  @Test("A part that was moved in the tree acts and tells once")
  func moved() async throws {
    try await parts() { visit in
      try await visit.browser.run(
        """
        window.sent = 0;
        const send = window.fetch;
        window.fetch = (...all) => { window.sent += String(all[0]).includes("picker/act") ? 1 : 0; return send(...all); };
        for (const name of ["camera", "library", "crop"]) {
          const part = document.querySelector(`viewfinder-${name}`);
          for (let turn = 0; turn < 3; turn++) document.body.append(part);
        }
        """)
      try await visit.click("button#camera")
      try await visit.waitForLivePicture()
      try await visit.click(".shutter")
      try await visit.wait("the photo", "document.querySelector('.whole')?.naturalWidth > 0")
      #expect(try await visit.browser.run("return window.sent").number == 1)
      // Also while it shows something: it shows it there.
      try await visit.browser.run(
        "document.querySelector('main').prepend(document.querySelector('viewfinder-camera'))")
      try await visit.click("[data-do=usePhoto]")
      try await visit.count("#pictures img", is: 1)
      #expect(try await visit.browser.run("return window.heard.camera") == [1, "done 1"])
    }
  }

  @Test("A part asks the program at its base address", arguments: ["camera", "library", "crop"])
  func base(name: String) async throws {
    try await PickerHost.begin(elements: [name]) { _ in
    } body: { visit in
      try await visit.wait("the page", "document.body.dataset.ready === 'true'")
      try await visit.browser.run(
        """
        const part = document.querySelector("viewfinder-\(name)");
        part.remove();
        part.setAttribute("base", `${location.origin}/elsewhere/`);
        document.body.append(part);
        """)
      try await visit.wait(
        "the other program",
        """
        performance.getEntriesByType("resource").some(({ name }) => name.startsWith(`${location.origin}/elsewhere/events`))
        """)
    }
  }

  @Test("A toast is read aloud, lies above all else in a page of its own looks, and goes back")
  func toast() async throws {
    try await PickerHost.begin { _ in
    } body: { visit in
      try await visit.wait("the page", "document.body.dataset.ready === 'true'")
      let looks = try await visit.browser.run(
        """
        const { toast } = await import("/ui/toast.js");
        const choose = document.querySelector("#choose");
        choose.focus();
        toast("One is gone.", { undo: () => { window.isBack = true; } });
        const box = document.querySelector(".toast");
        const root = box.getRootNode();
        while (!root.adoptedStyleSheets.length) await new Promise((done) => setTimeout(done, 20));
        const { backgroundColor, position } = getComputedStyle(box);
        return [box.role, box.matches(":popover-open"), position, backgroundColor, box.firstElementChild.textContent];
        """)
      #expect(looks == ["status", true, "fixed", "rgb(44, 44, 48)", "One is gone."])
      try await visit.browser.run("document.querySelector('.toast button').focus()")
      try await visit.browser.press(Key.enter)
      try await visit.wait("what was gone", "window.isBack")
      try await visit.count("viewfinder-toast", is: 0)
      try await waitForFocus("#choose", visit)
      // In a dialog it can be used, and one of the page's own says what the body would.
      let places = try await visit.browser.run(
        """
        const { toast } = await import("/ui/toast.js");
        const own = document.createElement("viewfinder-toast");
        document.body.append(own);
        toast("In the page");
        const first = own.shadowRoot.textContent;
        const dialog = document.createElement("dialog");
        document.body.append(dialog);
        dialog.showModal();
        toast("In the dialog");
        return [first, own.shadowRoot.textContent, dialog.querySelector("viewfinder-toast").shadowRoot.textContent];
        """)
      #expect(places == ["In the page", "", "In the dialog"])
    }
  }

  @Test("A toast stays while the focus is in it, and while it is moved, and goes afterwards")
  func stays() async throws {
    try await PickerHost.begin { _ in
    } body: { visit in
      try await visit.wait("the page", "document.body.dataset.ready === 'true'")
      let seen = try await visit.browser.run(
        """
        const { toast } = await import("/ui/toast.js");
        // Time passes when the test says so.
        const timers = [];
        const set = window.setTimeout;
        window.setTimeout = (act, time) => timers.push([act, time]);
        const pass = () => timers.shift()[0]();
        const count = () => document.querySelectorAll(".toast").length;
        toast("One", { undo: () => {} });
        const [[, time]] = timers;
        document.querySelector(".toast button").focus();
        pass();
        const withFocus = count();
        const toasts = document.querySelector("viewfinder-toast");
        for (let turn = 0; turn < 3; turn++) document.body.prepend(toasts);
        const isSeen = document.querySelector(".toast").matches(":popover-open");
        document.activeElement.blur();
        pass();
        window.setTimeout = set;
        return [time, withFocus, isSeen, timers.length, count()];
        """)
      #expect(seen == [6000, 1, true, 0, 0])
    }
  }

  @Test(
    "A sheet has a name, takes the focus and gives it back, keeps keys, and closes in every way")
  func sheet() async throws {
    try await PickerHost.begin { _ in
    } body: { visit in
      try await visit.wait("the page", "document.body.dataset.ready === 'true'")
      try await visit.browser.run(
        """
        await import("/ui/sheet.js");
        const sheet = document.createElement("viewfinder-sheet");
        sheet.label = "Order";
        sheet.innerHTML = "<p>By name</p>";
        for (let turn = 0; turn < 3; turn++) document.body.prepend(sheet);
        window.closings = 0;
        sheet.addEventListener("close", () => { window.closings += 1; });
        window.pressed = [];
        for (const place of [window, document]) {
          place.addEventListener("keydown", ({ key }) => window.pressed.push(key));
        }
        """)
      let open = """
        document.querySelector("#choose").focus();
        document.querySelector("viewfinder-sheet").show();
        """
      for way in ["Escape", "button", "beside", "method"] {
        try await visit.browser.run(open)
        try await waitForFocus("[aria-label=Close]", visit)
        let name = try await visit.browser.run(
          """
          const dialog = document.querySelector("dialog.sheet");
          const title = dialog.getRootNode().getElementById(dialog.getAttribute("aria-labelledby"));
          return [title.textContent, dialog.matches(":modal"), document.querySelector("viewfinder-sheet").open];
          """)
        #expect(name == ["Order", true, true])
        try await visit.browser.press("n")
        switch way {
        case "Escape": try await visit.browser.press(Key.escape)
        case "button": try await visit.click("[aria-label=Close]")
        case "beside":
          try await visit.browser.run(
            """
            document.querySelector("dialog.sheet").dispatchEvent(new MouseEvent("click", { detail: 1 }));
            """)
        default: try await visit.browser.run("document.querySelector('viewfinder-sheet').close()")
        }
        try await visit.count("viewfinder-sheet[open]", is: 0)
        try await waitForFocus("#choose", visit)
      }
      #expect(
        try await visit.browser.run("return [window.closings, window.pressed.length]") == [4, 0])
      // Where nothing has the focus, keys go by the body.
      try await visit.browser.run("\(open) \(Self.focus) at.blur()")
      try await visit.browser.press("n")
      #expect(try await visit.browser.run("return window.pressed") == .array([]))
    }
  }

  @Test("The page with the parts brings photos back, tells of itself, and speaks German")
  func page() async throws {
    try await parts("--limit", "0") { visit in
      #expect(try await visit.browser.wordProblems(["/parts.js"], codes: []) == [])
      try await visit.click("button#library")
      try await visit.count(".grid .tile", is: 3)
      try await visit.click(".grid .tile")
      try await visit.click("button.use")
      try await visit.click("#forget")
      try await visit.text(".toast", contains: "1 photo is forgotten.")
      try await visit.count("#pictures img", is: 0)
      try await visit.click(".toast button")
      try await visit.count("#pictures img", is: 1)
      try await visit.click("#what")
      try await visit.count("viewfinder-sheet[open]", is: 1)
      try await visit.look("parts-sheet")
      try await visit.browser.speak("de")
      try await visit.see("Fotos aufnehmen")
    }
  }
}
