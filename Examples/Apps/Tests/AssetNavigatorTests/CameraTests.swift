import BrowserSupport
import Foundation
import Testing
import ViewfinderLibrary

@Suite("The camera", .serialized, .needsBrowser)
struct CameraTests {
  @Test("A photo that is taken is saved, and appears in the grid")
  func camera() async throws {
    try await NavigatorVisit.begin(NavigatorVisit.camera) { visit in
      try await visit.open("Camera roll")
      try await visit.text("#empty", contains: "No photos yet")
      try await visit.takePhoto()
      try await visit.look("crop")
      try await visit.click("[data-do=usePhoto]")
      try await visit.grid(has: 1)
      try await visit.told("Saved as VWF_0001.JPG")
      #expect(visit.saved == ["VWF_0001.JPG"])
      // A second one, turned: the original is kept beside it.
      try await visit.takePhoto()
      try await visit.click("[data-do=turnRight]")
      try await visit.click("[data-do=usePhoto]")
      try await visit.grid(has: 2)
      // The original comes first, and is in the grid by itself for a moment.
      try await visit.told("Saved as VWFE0002.JPG")
      #expect(visit.saved == ["VWFE0002.JPG", "VWF_0001.JPG", "VWF_0002.JPG"])
      try await visit.show("VWFE0002.JPG")
      try await visit.seePicture("the turned picture", where: "i.naturalHeight > i.naturalWidth")
      try await visit.click("#viewer [data-tool=about]")
      try await visit.clickFile("Original")
      try await visit.seePicture("the original", where: "i.naturalHeight < i.naturalWidth")
      let complaints = try await visit.complaints()
      #expect(complaints == [])
      // The turn can be undone.
      let library = try await PhotoLibrary.open(visit.otherConfiguration)
      try await library.update()
      let turned = try await library.asset(
        at: visit.pictures.appending(path: "DCIM/100VWFND/VWFE0002.JPG"))
      #expect(try await library.revertCrop(of: turned).fileName == "VWF_0002.JPG")
      #expect(visit.saved == ["VWF_0001.JPG", "VWF_0002.JPG"])
    }
  }

  @Test("A photo that can't be saved is told of and kept, and saved when it can be")
  func saveError() async throws {
    try await NavigatorVisit.begin(NavigatorVisit.camera) { visit in
      // Where the folder for photos belongs there is something else.
      let obstacle = visit.pictures.appending(component: "DCIM")
      try Data().write(to: obstacle)
      try await visit.open("Camera roll")
      try await visit.takePhoto()
      try await visit.click("[data-do=usePhoto]")
      try await visit.text("#problem", contains: "The photo isn’t saved")
      try await visit.text("#problem", contains: "DCIM")
      try await visit.look("unsaved")
      // The words stay meanwhile: only the answer tells that this try has ended.
      try await visit.browser.run(
        """
        const real = window.fetch;
        window.triesEnded = 0;
        window.fetch = async (path, options) => {
          const answer = await real(path, options);
          if (String(path).endsWith("/camera/save")) window.triesEnded += 1;
          return answer;
        };
        """)
      try await visit.click("#save-again")
      try await visit.wait("the second try to end", "window.triesEnded === 1")
      try await visit.text("#problem", contains: "DCIM")
      try FileManager.default.removeItem(at: obstacle)
      try await visit.click("#save-again")
      try await visit.grid(has: 1)
      try await visit.wait("no problem", "document.querySelector('#problem').hidden")
      #expect(visit.saved == ["VWF_0001.JPG"])
    }
  }

  @Test("A photo that can't be saved can be given up")
  func discard() async throws {
    try await NavigatorVisit.begin(NavigatorVisit.camera) { visit in
      try Data().write(to: visit.pictures.appending(component: "DCIM"))
      try await visit.takePhoto()
      try await visit.click("[data-do=usePhoto]")
      try await visit.click("#discard")
      try await visit.wait("no problem", "document.querySelector('#problem').hidden")
    }
  }
}
