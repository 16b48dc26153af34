import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// Pictures with the moment around the press, and with a file that speaks of them.
@Suite struct LivePhotoTests {
  private static let identifier = "7E9A4C5B-1E2D-4B62-9C38-0123456789AB"

  private static func picture(_ identifier: String) -> Data {
    let exif = TIFFBuilder.file([
      [0x8769: .directory([0x927c: .undefined(MakerNoteTests.apple(identifier))])]
    ])
    return Data(jpeg(40, 30, exifSegment(exif)))
  }

  private static func video(_ identifier: String) -> Data {
    let meta = ISOMediaTests.apple([("content.identifier", identifier)])
    return Data(VideoSample.file(VideoSample.track() + meta))
  }

  @Test(
    "The picture and the video of a Live Photo are one asset, and a video of the same name alone is not"
  )
  func livePhoto() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("IMG_1.MOV", Self.video(Self.identifier))
      try folder.write("IMG_1.JPG", Self.picture(Self.identifier))
      try folder.write("IMG_2.JPG", Self.picture(Self.identifier))
      try folder.write("IMG_2.MOV", Self.video("another"))
    }
    let assets = try await rig.all()
    #expect(assets.count == 3)
    #expect(assets.filter(\.isLivePhoto).map(\.fileName) == ["IMG_1.JPG"])
    let live = try await rig.asset("IMG_1.JPG")
    let files = try await live.representations()
    #expect(files.map(\.role) == [.original, .pairedVideo])
    #expect(files.map(\.fileName) == ["IMG_1.JPG", "IMG_1.MOV"])
    #expect(try await rig.asset("IMG_1.MOV").id == live.id)
    #expect(try await rig.asset("IMG_2.MOV").id != rig.asset("IMG_2.JPG").id)
    #expect(try await rig.library.album(.videos).counts().all == 1)
    // It stays one wherever it goes, and each part what it was when the other is gone.
    try rig.folder.move("IMG_1.JPG", to: "new/a.JPG")
    try rig.folder.move("IMG_1.MOV", to: "new/a.MOV")
    try await rig.library.update()
    #expect(try await rig.asset("new/a.MOV").id == live.id)
    try rig.folder.delete("new/a.MOV")
    try await rig.library.update()
    #expect(try await rig.asset("new/a.JPG").id == live.id)
    #expect(try await rig.asset("new/a.JPG").isLivePhoto == false)
  }

  @Test("An edited Live Photo is one asset of four files")
  func edited() async throws {
    let rig = try await LibraryRig { folder in
      for (name, identifier) in [("IMG_0001", "original"), ("IMG_E0001", "edited")] {
        try folder.write("\(name).JPG", Self.picture(identifier))
        try folder.write("\(name).MOV", Self.video(identifier))
      }
    }
    let asset = try #require(try await rig.all().first)
    #expect(try await rig.all().count == 1 && asset.fileName == "IMG_E0001.JPG")
    #expect(
      try await asset.representations().map(\.role) == [
        .edited, .original, .pairedVideo, .pairedVideo,
      ])
  }

  @Test("The video in a motion photo is a representation with its own bytes")
  func motionPhoto() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", Data(MotionSample.galaxy)) }
    let asset = try await rig.asset("a.jpg")
    #expect(asset.isLivePhoto)
    let files = try await asset.representations()
    #expect(files.map(\.role) == [.original, .pairedVideo])
    let video = files[1]
    #expect(video.contentType == .mpeg4 && video.id != files[0].id)
    #expect(try await video.data() == Data(MotionSample.video))
    #expect(try await video.data(in: 4..<8) == Data("ftyp".utf8))
    #expect(video.size == MotionSample.video.count)
    try await rig.library.trash([asset])
    #expect(try await rig.all().isEmpty)
  }

  @Test(
    "What a sidecar says is known, which source won is told, and a sidecar that changes is read again"
  )
  func sidecar() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("a.jpg", seed: 1)
      try folder.write("a.xmp", Data(XMPSample.dated))
      try folder.write("b.jpg", seed: 2)
      try folder.write("IMG_20190704_123456.jpg", seed: 3)
    }
    let asset = try await rig.asset("a.jpg")
    #expect(asset.captureDate == CaptureDate(localSeconds: 1_047_308_683, offset: 3600))
    #expect(asset.captureDateSource == .sidecar)
    #expect(asset.location != nil && asset.camera == "ACME Box")
    #expect(try await rig.asset("b.jpg").captureDateSource == nil)
    #expect(try await rig.asset("IMG_20190704_123456.jpg").captureDateSource == .fileName)
    #expect(try await rig.all().count == 3)
    try await Task.sleep(for: .milliseconds(60))
    try await rig.library.update()
    #expect(try await rig.library.update().filesRead == 0)

    let later = XMPSample.packet("exif:DateTimeOriginal=\"2020-01-02T03:04:05\"")
    try rig.folder.write("a.xmp", Data(later))
    try rig.folder.write("b.jpg.xmp", Data(later))
    try await rig.library.update()
    for name in ["a.jpg", "b.jpg"] {
      #expect(try await rig.asset(name).captureDate == CaptureDate(localSeconds: 1_577_934_245))
    }
    #expect(try await rig.asset("a.jpg").id == asset.id)
    try rig.folder.delete("a.xmp")
    try await rig.library.update()
    #expect(try await rig.asset("a.jpg").captureDate == nil)
  }
}
