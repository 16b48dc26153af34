import BrowserSupport
import Foundation
import Testing
import Viewfinder
import ViewfinderLibrary

@Suite("Full screen", .serialized, .needsBrowser)
struct FullScreenTests {
  @Test("A double press and keys zoom to a point, a press hides what lies around the photo")
  func zoom() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.open("All Photos")
      try await visit.show("picture-1.jpg")
      try await visit.seePicture("the picture")
      let scale =
        "new DOMMatrix(getComputedStyle(document.querySelector('#viewer .stage img')).transform).a"
      try await visit.press(at: 400, 300, times: 2)
      try await visit.wait("that it is larger", "\(scale) === 2.5")
      // The point under the finger is where it was.
      let offset = try await visit.browser.run(
        """
        const area = document.querySelector("#viewer .viewer-picture").getBoundingClientRect();
        const { e, f } = new DOMMatrix(getComputedStyle(document.querySelector("#viewer .stage img")).transform);
        const expected = [400 - area.left - area.width / 2, 300 - area.top - area.height / 2].map((way) => way * -1.5);
        return [Math.abs(e - expected[0]) < 1, Math.abs(f - expected[1]) < 1];
        """)
      #expect(offset == [true, true])
      // What is zoomed moves, and doesn't turn the page.
      try await visit.press(at: 400, 300, times: 2)
      try await visit.wait("all of it", "\(scale) === 1")
      try await visit.browser.press("+")
      try await visit.wait("a step", "\(scale) === 1.5")
      try await visit.browser.press("0")
      try await visit.wait("all of it again", "\(scale) === 1")
      try await visit.press(at: 400, 300, times: 1)
      let foot =
        "document.querySelector('#viewer .viewer-foot').checkVisibility({ visibilityProperty: true })"
      try await visit.wait("the photo alone", "!\(foot)")
      try await visit.look("chromeless")
      try await visit.press(at: 400, 300, times: 1)
      try await visit.wait("the tools", foot)
      let complaints = try await visit.complaints()
      #expect(complaints == [])
    }
  }

  @Test("Keys do what their list says from the moment on that one of them has opened a photo")
  func keys() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.open("All Photos")
      try await visit.tile("picture-1.jpg", "tile.focus()")
      try await visit.browser.press("?")
      try await visit.text(".keys", contains: "Move to the trash")
      try await visit.look("keys")
      try await visit.browser.press(Key.escape)
      try await visit.hasFocus("[title='picture-1.jpg']")
      try await visit.browser.press(Key.enter)
      try await visit.isShown("picture-1.jpg")
      try await visit.seePicture("the picture")
      // The focus is seen, and on nothing that a key would press.
      try await visit.hasFocus("#viewer:focus-visible")
      let frame = try await visit.browser.run(
        "return getComputedStyle(document.querySelector('#viewer .viewer-picture'), '::after').borderTopWidth"
      )
      #expect(frame == "3px")
      let scale =
        "new DOMMatrix(getComputedStyle(document.querySelector('#viewer .stage img')).transform).a"
      try await visit.browser.press("+")
      try await visit.wait("a step", "\(scale) === 1.5")
      try await visit.browser.press("-")
      try await visit.wait("all of it", "\(scale) === 1")
      try await visit.browser.press("i")
      try await visit.wait("what is known", "!document.querySelector('#viewer aside').hidden")
      try await visit.browser.press("i")
      try await visit.hasFocus("#viewer")
      try await visit.browser.press("?")
      try await visit.text("#viewer .keys", contains: "Edit")
      // Arrows are the list's while it is there.
      try await visit.browser.press(Key.right + Key.escape)
      try await visit.wait("no list", "!document.querySelector('.keys')")
      try await visit.browser.press("e")
      try await visit.wait("the crop", Self.isCropping)
      try await visit.browser.press(Key.escape)
      try await visit.wait("no crop", "!document.querySelector('#crop').open")
      try await visit.isShown("picture-1.jpg")
      try await visit.browser.press(Key.right)
      try await visit.isShown("picture-0.jpg")
      try await visit.browser.press(Key.escape)
      try await visit.hasFocus("[title='picture-0.jpg']")
    }
  }

  @Test("The photos before and after are loaded once: turning back and forth asks for none again")
  func beside() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.open("All Photos")
      try await visit.show("picture-1.jpg")
      let loaded =
        "performance.getEntriesByType('resource').filter(e => e.name.includes('/picture?') && e.transferSize > 0)"
      try await visit.wait("all three", "\(loaded).length === 3")
      for (key, name) in [(Key.right, 0), (Key.left, 1), (Key.left, 2), (Key.right, 1)] {
        try await visit.browser.press(key)
        try await visit.isShown("picture-\(name).jpg")
        try await visit.seePicture("its picture")
      }
      #expect(try await visit.number("return \(loaded).length") == 3)
      // For as long as the version holds, and no longer.
      let kept = try await visit.browser.run(
        """
        const { src } = document.querySelector("#viewer .stage img");
        const kept = async (address) => (await fetch(address)).headers.get("Cache-Control");
        return Promise.all([src, src.replace(/version=.*/, "version=1-1"), src.replace(/\\?.*/, "")].map(kept));
        """)
      #expect(kept == ["private, max-age=31536000, immutable", "no-store", "no-store"])
    }
  }

  @Test("A photo whose program is away comes by itself when that is back, and when somebody asks")
  func away() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.open("All Photos")
      try await visit.grid(has: 3)
      try await visit.show("picture-2.jpg")
      try await visit.seePicture("the picture")
      #expect(await visit.server.end() == 0)
      try await visit.browser.press(Key.right)
      try await visit.text("#viewer .stage h2", contains: "The photo isn’t here yet")
      try await visit.browser.screenshot("navigator-photo-away")
      try await visit.click(button: "Try now")
      try await visit.text("#viewer .stage", contains: "The photo comes when it does.")
      let server = try await visit.startAgain()
      try await visit.isShown("picture-1.jpg")
      try await visit.seePicture("the picture that was away")
      // The keyboard isn't where the button was.
      try await visit.hasFocus("#viewer")
      #expect(await server.end() == 0)
    }
  }

  @Test("The film strip has what lies around the photo, which is in its middle, and leads to it")
  func film() async throws {
    try await NavigatorVisit.begin(prepare: { folder in
      for number in 0..<12 { try MadePictures.write(number, to: folder) }
    }) { visit in
      try await visit.open("All Photos")
      try await visit.show("picture-6.jpg")
      let middle = """
        (() => {
          const film = [...document.querySelector("#viewer .film").children];
          return film.length === 17 && film[8].className === "on" ? film[8].dataset.place : null;
        })()
        """
      try await visit.wait("it in the middle", "\(middle) === '5'")
      try await visit.click("#viewer .film [data-place='8']")
      try await visit.isShown("picture-3.jpg")
      try await visit.wait("the other one there", "\(middle) === '8'")
      try await visit.wait(
        "no more at the end", "document.querySelectorAll('#viewer .film img').length === 12")
    }
  }

  private static let isCropping = "document.querySelector('#crop[open] img').naturalWidth > 0"

  @Test(
    "A photo is cropped, turned, mirrored and straightened, changed again, and its original is back"
  )
  func crop() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.open("All Photos")
      try await visit.show("picture-1.jpg")
      try await visit.seePicture("the picture", where: "i.naturalWidth === 320")
      try await visit.click("#edit")
      try await visit.wait("its picture", Self.isCropping)
      try await visit.click("#crop [data-tool=turnRight]")
      // The corner goes in by 40 pixels of the page in each direction.
      try await visit.browser.run("document.querySelector('#crop .handle.nw').focus()")
      try await visit.pressShifted(Key.right, times: 4)
      try await visit.pressShifted(Key.down, times: 4)
      try await visit.look("crop")
      try await visit.click("#crop-done")
      try await visit.seePicture(
        "it, upright", where: "i.naturalWidth < 240 && i.naturalHeight < 320")
      #expect(
        visit.files == ["picture-0.jpg", "picture-1-edited.jpg", "picture-1.jpg", "picture-2.jpg"])
      // It begins with what was done; a straight square of it has as many pixels on each side.
      try await visit.click("#edit")
      try await visit.wait("its picture", Self.isCropping)
      try await visit.browser.run(
        """
        const range = document.querySelector("#crop .range");
        range.value = 7.5;
        range.dispatchEvent(new Event("input"));
        document.querySelector("#crop [value=square]").click();
        """)
      try await visit.click("#crop [data-tool=mirror]")
      try await visit.look("crop-straightened")
      try await visit.click("#crop-done")
      try await visit.seePicture(
        "the square", where: "Math.abs(i.naturalWidth - i.naturalHeight) <= 1")
      let library = try await PhotoLibrary.open(visit.otherConfiguration)
      try await library.update()
      let asset = try await library.asset(at: visit.pictures.appending(component: "picture-1.jpg"))
      let recipe = try #require(try await library.cropRecipe(of: asset))
      #expect(recipe.orientation == .leftMirrored && recipe.crop.rectifiedSize != nil)
      // Undo is the crop before.
      try await visit.click(button: "Undo")
      try await visit.seePicture("the one before", where: "i.naturalHeight > i.naturalWidth + 20")
      try await visit.click("#viewer [data-tool=about]")
      try await visit.click(button: "Back to original")
      try await visit.seePicture("the original", where: "i.naturalWidth === 320")
      #expect(visit.files == MadePictures.names(0..<3))
      let complaints = try await visit.complaints()
      #expect(complaints == [])
    }
  }

  @Test("A turn alone has the pixels of a turned picture, and Reset leaves nothing to save")
  func turn() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.open("All Photos")
      try await visit.show("picture-2.jpg")
      try await visit.seePicture("the picture")
      let before = try await visit.picture("#viewer .stage img")
      try await visit.click("#edit")
      try await visit.wait("its picture", Self.isCropping)
      try await visit.click("#crop [data-tool=turnRight]")
      try await visit.click("#crop-reset")
      try await visit.click("#crop-done")
      try await visit.wait("the photo", "!document.querySelector('#crop').open")
      #expect(visit.files == MadePictures.names(0..<3))
      try await visit.click("#edit")
      try await visit.click("#crop [data-tool=turnRight]")
      try await visit.click("#crop-done")
      try await visit.seePicture(
        "it, upright", where: "i.naturalWidth === 240 && i.naturalHeight === 320")
      let after = try await visit.picture("#viewer .stage img")
      let frame = CGRect(x: 0, y: 0, width: 240, height: 320)
      let (found, wanted) = (
        try Mosaic(after, in: frame), try Mosaic(before.oriented(.right), in: frame)
      )
      #expect(found.difference(from: wanted) < 4)
    }
  }

  @Test("A slideshow goes from photo to photo, stands still when asked, and ends with Escape")
  func slideshow() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.open("All Photos")
      try await visit.grid(has: 3)
      try await visit.click("#more")
      try await visit.click(button: "Slideshow")
      let shown = "[...document.querySelectorAll('#slideshow img')].at(-1)?.alt.split(', ')[0]"
      try await visit.wait("the first", "\(shown) === 'Photo picture-2.jpg'")
      try await visit.wait("the second by itself", "\(shown) === 'Photo picture-1.jpg'")
      try await visit.browser.press(Key.space)
      try await visit.wait(
        "the pause", "document.querySelector('#slideshow [aria-label=\"Go on\"]')")
      try await visit.look("slideshow")
      try await visit.browser.press(Key.right)
      try await visit.wait("the third", "\(shown) === 'Photo picture-0.jpg'")
      try await visit.browser.press(Key.right)
      try await visit.wait("the first again", "\(shown) === 'Photo picture-2.jpg'")
      try await visit.browser.press(Key.escape)
      try await visit.wait("its end", "!document.querySelector('#slideshow').open")
    }
  }

  @Test("A damaged file is named with its cause, and can be saved as it is")
  func broken() async throws {
    try await NavigatorVisit.begin(prepare: { folder in
      try MadePictures.few(folder)
      try Data([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0]).write(
        to: folder.appending(component: "broken.jpg"))
    }) { visit in
      try await visit.album("All Photos", has: 4)
      try await visit.show("broken.jpg")
      try await visit.text("#viewer .stage h2", contains: "“broken.jpg” can’t be shown")
      try await visit.wait(
        "its cause", "document.querySelector('#viewer .reason').textContent.length > 20")
      try await visit.look("broken")
      let size = try await visit.number(
        "const link = document.querySelector('#viewer .stage a');"
          + "return link.download === 'broken.jpg' && (await (await fetch(link.href)).arrayBuffer()).byteLength"
      )
      #expect(size == 8)
      #expect(try await visit.browser.run("return document.querySelector('#edit').hidden") == true)
    }
  }

  @Test("Album posters are the newest picture or a video's frame, and an empty album has an icon")
  func posters() async throws {
    try await NavigatorVisit.begin(prepare: { folder in
      let trip = folder.appending(component: "Trip")
      try FileManager.default.createDirectory(at: trip, withIntermediateDirectories: true)
      try MadePictures.write(0, to: trip)
    }) { visit in
      let video = try await MadePictures.video(with: visit.browser)
      for place in ["Trip", "."] {
        try video.write(to: visit.pictures.appending(path: "\(place)/new.webm"), options: .atomic)
      }
      try await visit.album("Videos", has: 2)
      try await visit.album("Recently added", has: 3)
      // Of all that have a picture one is shown, whatever is newest.
      try await visit.wait(
        "the poster",
        "[...document.querySelectorAll('#albums li')].find(li => li.textContent.startsWith('Recently'))"
          + "?.querySelector('img')?.naturalWidth > 0")
      let empty = try await visit.browser.run(
        "return [...document.querySelectorAll('#albums li')].filter(li => li.textContent === 'Favourites0')"
          + ".map(li => li.querySelectorAll('.poster .icon').length + li.querySelectorAll('.poster img').length)"
      )
      #expect(empty == [1])
      try await visit.look("posters")
    }
  }
}

extension NavigatorVisit {
  /// Presses on the photo in full.
  fileprivate func press(at x: Double, _ y: Double, times: Int) async throws {
    try await browser.run(
      """
      const [clientX, clientY, times] = arguments;
      const area = document.querySelector("#viewer .viewer-picture");
      for (let time = 0; time < times; time += 1) {
        for (const type of ["pointerdown", "pointerup"]) {
          area.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, isPrimary: true, pointerType: "touch", clientX, clientY }));
        }
      }
      """, .number(x), .number(y), .number(Double(times)))
  }

  /// Presses a key with Shift.
  fileprivate func pressShifted(_ key: String, times: Int) async throws {
    let name = key == Key.right ? "ArrowRight" : "ArrowDown"
    try await browser.run(
      """
      for (let time = 0; time < arguments[1]; time += 1) {
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: arguments[0], shiftKey: true, bubbles: true, cancelable: true }));
      }
      """, .string(name), .number(Double(times)))
  }
}
