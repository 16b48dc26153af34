import BrowserSupport
import Foundation
import ServerSupport
import Testing
import Viewfinder

@Suite("A full disk", .serialized, .needsBrowser, .needsDisk)
struct FullDiskTests {
  @Test("A photo for which there is no room is told of and kept whole, and saved when there is")
  func photo() async throws {
    let disk = try TestDisk(megabytes: 2)
    try await NavigatorVisit.begin(NavigatorVisit.camera, on: disk) { visit in
      try await visit.open("All Photos")
      try await visit.grid(has: 3)
      try disk.fill()
      try await visit.takePhoto()
      try await visit.click("[data-do=usePhoto]")
      try await visit.text("#problem", contains: "The photo isn’t saved")
      try await visit.text("#problem", contains: "The disk is full")
      try await visit.text("#problem", contains: "Free some space, then try again.")
      try await visit.look("full-disk")
      #expect(visit.files == MadePictures.names(0..<3))
      // Once in vain, which leaves nothing either.
      try await visit.click("#save-again")
      try await visit.text("#problem", contains: "Free some space, then try again.")
      #expect(visit.files == MadePictures.names(0..<3))
      try disk.free()
      try await visit.click("#save-again")
      try await visit.grid(has: 4)
      try await visit.wait("no problem", "document.querySelector('#problem').hidden")
      #expect(visit.files == ["VWF_0001.JPG"] + MadePictures.names(0..<3))
      let photo = try Data(
        contentsOf: visit.pictures.appending(path: "DCIM/100VWFND/VWF_0001.JPG"))
      #expect(try PixelBuffer(decoding: photo).dimensions == Dimensions(width: 640, height: 480))
    }
  }

  @Test("Albums for which there is no room stay as they are, and the page says what to do")
  func albums() async throws {
    let disk = try TestDisk(megabytes: 1)
    try await NavigatorVisit.begin(on: disk) { visit in
      try await visit.makeAlbum("Hills")
      try await visit.text("#title", contains: "Hills")
      try await visit.album("Hills", has: 0)
      try disk.fill()
      try await visit.makeAlbum("Lakes")
      // Where the name was typed, which stays.
      try await visit.text("#question-error", contains: "Free some space, then try again.")
      let kept = try await visit.browser.run(
        "return document.querySelector('#question input').value")
      #expect(kept == "Lakes")
      try await visit.browser.press(Key.escape)
      try await visit.open("All Photos")
      try await visit.select("picture-1.jpg")
      try await visit.click("#actions [data-tool=addToAlbum]")
      try await visit.click("#question .item")
      try await visit.told("Free some space, then try again.")
      // What was selected is still: the same can be tried again.
      try await visit.text("#selected", contains: "1 selected")
      try await visit.forgetToast()
      #expect(visit.files == MadePictures.names(0..<3) && visit.albumFiles.count == 1)
      try disk.free()
      try await visit.click("#actions [data-tool=addToAlbum]")
      try await visit.click("#question .item")
      try await visit.told("Added to “Hills”.")
      try await visit.album("Hills", has: 1)
      try await visit.wait(
        "no album",
        "![...document.querySelectorAll('#albums bdi')].some(n => n.textContent === 'Lakes')")
    }
  }
}
