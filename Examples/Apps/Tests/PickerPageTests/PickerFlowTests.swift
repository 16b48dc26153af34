import BrowserSupport
import Foundation
import Testing

@Suite(
  "The picker’s controls", .serialized,
  .disabled(if: noBrowser != nil, Comment(rawValue: noBrowser ?? "")))
struct PickerFlowTests {
  @Test("Space takes the photo, Retake goes back to the camera, and Use gives the picture")
  func spaceAndRetake() async throws {
    try await PickerVisit.begin("picker-component") { visit in
      try await visit.click("#choose")
      try await visit.waitForLivePicture()
      try await visit.browser.run("document.querySelector('.shutter').blur()")
      try await visit.browser.press(" ")
      try await visit.click("[data-do=retake]")
      try await visit.waitForLivePicture()
      try await visit.browser.press(" ")
      try await visit.click("[data-do=usePhoto]")
      try await visit.wait("the picture", "document.querySelector('#picture').naturalWidth > 0")
      let complaints = try await visit.browser.complaints()
      #expect(complaints == [])
    }
  }

  @Test("Keys zoom in the steps that the control has, and T sets the timer, which Stop ends")
  func keys() async throws {
    try await PickerVisit.begin("picker-component") { visit in
      try await visit.click("#choose")
      try await visit.waitForLivePicture()
      try await visit.browser.press("2")
      try await visit.wait(
        "the zoom", "document.querySelector('.zoom [data-step=\"2\"]').ariaPressed === 'true'")
      try await visit.click(".zoom [data-step=\"1\"]")
      try await visit.wait(
        "no zoom", "document.querySelector('.zoom [data-step=\"1\"]').ariaPressed === 'true'")
      try await visit.browser.press("tt")
      try await visit.wait("the timer", "document.querySelector('.shutter').dataset.value === '10'")
      try await visit.click(".shutter")
      try await visit.wait(
        "the countdown", "Number(document.querySelector('.countdown').textContent) > 0")
      try await visit.look("picker-countdown")
      try await visit.click(".shutter.stop")
      try await visit.wait("the end", "document.querySelector('.countdown').hidden")
    }
  }

  @Test("A picker that one page opened isn’t seen on another, which is told so in words")
  func twoPages() async throws {
    try await PickerVisit.begin("picker-component") { visit in
      try await visit.click("#choose")
      try await visit.waitForLivePicture()
      try await Browser.open(.phone) { other in
        try await other.open(visit.server.address)
        try await other.wait(
          for: "the element", until: "return customElements.get('viewfinder-picker') !== undefined")
        try await other.click("#choose")
        try await other.wait(
          for: "the words",
          until: "return document.querySelector('.toast')?.textContent.includes('another page')")
        #expect(
          try await other.run("return document.querySelector('dialog.picker').open").bool == false)
      }
      try await visit.click("[data-do=takePicture]")
      try await visit.click("[data-do=usePhoto]")
      try await visit.wait("the picture", "document.querySelector('#picture').naturalWidth > 0")
    }
  }

  @Test("A page that is loaded anew keeps its picker; when it is left, another page gets it")
  func left() async throws {
    try await PickerVisit.begin("picker-component") { visit in
      try await visit.click("#choose")
      try await visit.waitForLivePicture()
      try await visit.browser.run("location.reload()")
      try await visit.waitForLivePicture()
      try await visit.browser.open("about:blank")
      try await Browser.open(.desktop) { other in
        try await other.open(visit.server.address)
        try await other.wait(
          for: "the picker",
          until: """
            if (!document.querySelector("dialog.picker").open) document.querySelector("#choose").click();
            return document.querySelector("viewfinder-live")?.picture.naturalWidth > 0;
            """)
      }
    }
  }

  @Test("The live picture keeps the page's styles out, and has parts that pages style")
  func parts() async throws {
    try await PickerVisit.begin("picker-component") { visit in
      try await visit.click("#choose")
      try await visit.waitForLivePicture()
      let looks = try await visit.browser.run(
        """
        const sheet = new CSSStyleSheet();
        await sheet.replace("img { opacity: 0.5 } viewfinder-live::part(words) { color: rgb(1, 2, 3) }");
        document.adoptedStyleSheets = [sheet];
        const element = document.createElement("viewfinder-live");
        element.setAttribute("from", "/picker");
        element.setAttribute("topic", "picker-live");
        document.body.append(element);
        for (let turn = 0; turn < 3; turn++) document.body.prepend(element);
        while (element.getAttribute("state") !== "running") await new Promise((done) => setTimeout(done, 20));
        const [picture, words] = element.shadowRoot.querySelectorAll("img, p");
        return [getComputedStyle(picture).opacity, getComputedStyle(words).color, element.shadowRoot.childElementCount];
        """)
      #expect(looks == ["1", "rgb(1, 2, 3)", 3])
    }
  }

  @Test("An element that was moved in the tree acts once for a press")
  func moved() async throws {
    try await PickerVisit.begin("picker-component") { visit in
      try await visit.browser.wait(
        for: "the element", until: "return customElements.get('viewfinder-picker') !== undefined")
      try await visit.browser.run(
        """
        window.sent = 0;
        const send = window.fetch;
        window.fetch = (...all) => { window.sent += String(all[0]).includes("picker/act") ? 1 : 0; return send(...all); };
        const element = document.querySelector("viewfinder-picker");
        for (let turn = 0; turn < 3; turn++) document.body.prepend(element);
        """)
      try await visit.click("#choose")
      try await visit.waitForLivePicture()
      try await visit.click("[data-do=takePicture]")
      try await visit.wait("the photo", "document.querySelector('.whole')?.naturalWidth > 0")
      #expect(try await visit.browser.run("return window.sent").number == 1)
      try await visit.count("dialog.picker", is: 1)
    }
  }

  @Test("Arrows go through the library, which has one stop for Tab")
  func arrows() async throws {
    try await PickerVisit.begin("picker-component") { visit in
      try await visit.click("#choose")
      try await visit.click("[data-name=photoLibrary]")
      try await visit.count(".grid img", is: 3)
      try await visit.browser.run("document.querySelector('.tile[tabindex=\"0\"]').focus()")
      try await visit.browser.press("\u{e014}\u{e014}")
      try await visit.count(".tile[tabindex=\"0\"]", is: 1)
      try await visit.wait(
        "the third", "document.querySelectorAll('.grid .tile')[2].matches('[tabindex=\"0\"]')")
      try await visit.browser.press(Key.enter)
      try await visit.wait("the picture", "document.querySelector('#picture').naturalWidth === 320")
    }
  }

  @Test("Without a lamp, a second camera or more than one photo their controls aren’t there")
  func noControls() async throws {
    try await PickerVisit.begin("picker-component") { visit in
      try await visit.click("#choose")
      try await visit.waitForLivePicture()
      let state = try await visit.browser.run(
        """
        const find = (selector) => document.querySelector(selector).checkVisibility();
        return [find(".series"), find("[data-do=switchCamera]"), find(".auto"), find(".thumb")];
        """)
      #expect(state == .array([false, false, false, false]))
    }
  }
}
