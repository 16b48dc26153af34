import Foundation
import Testing
import Viewfinder
import ViewfinderLibrary

@testable import ViewfinderPicker

/// What a person crops in a picker and saves can be undone in the library.
@Suite(.timeLimit(.minutes(5))) struct SavingPickedPhotosTests {
  /// Zooms and turns the photo that is being cropped.
  @Sendable private static func crop(_ picker: ImagePicker, turnedBy angle: Double) throws {
    try picker.adjust {
      $0.zoom = 2
      $0.angle = angle
    }
    try picker.usePhoto()
  }

  /// Looks at a crop that was saved, undoes it, and looks at the original.
  private static func check(
    _ saved: Asset, of photo: PickedPhoto, from original: Data, in library: PhotoLibrary
  ) async throws {
    let crop = try #require(photo.edit?.crop)
    #expect(try await library.cropRecipe(of: saved)?.crop == crop)
    let shown = try PixelBuffer(decoding: Data(contentsOf: saved.fileURL))
    #expect(shown.dimensions == saved.dimensions)
    #expect(shown.dimensions == (try PixelBuffer(decoding: await photo.data().data)).dimensions)
    let reverted = try await library.revertCrop(of: saved)
    #expect(reverted.id == saved.id)
    #expect(try Data(contentsOf: reverted.fileURL) == original)
    #expect(try await library.cropRecipe(of: reverted) == nil)
  }

  @Test(
    "A photo that was taken keeps its original and the crop, which can be undone",
    arguments: [0.0, 90, 7])
  func taken(angle: Double) async throws {
    let rig = try PickerRig()
    let picker = rig.picker({ $0.editing = .card() }) { picker in
      try await picker.takePicture()
      try Self.crop(picker, turnedBy: angle)
    }
    let photo = try #require(try await picker.pick())
    let original = try Data(contentsOf: photo.originalURL)
    let library = try await PhotoLibrary.open(rig.library)
    let saved = try await library.save(photo)
    try await Self.check(saved, of: photo, from: original, in: library)
  }

  @Test("A photo that was taken under the camera's outline likewise")
  func outlined() async throws {
    let rig = try PickerRig()
    let picker = rig.picker({ $0.cameraOutline = .card() }) { picker in
      try await picker.takePicture()
      try picker.usePhoto()
    }
    let photo = try #require(try await picker.pick())
    let original = try Data(contentsOf: photo.originalURL)
    let library = try await PhotoLibrary.open(rig.library)
    try await Self.check(library.save(photo), of: photo, from: original, in: library)
  }

  private static func pick(
    _ name: String, from library: PhotoLibrary, _ rig: PickerRig, angle: Double = 7
  ) async throws -> PickedPhoto {
    let picker = rig.picker({
      $0.sourceType = .photoLibrary
      $0.library = library
      $0.editing = .square
    }) { picker in
      let list = try await picker.assets()
      let asset = try await list.assets(in: 0..<list.count).first { $0.fileName == name }
      try picker.toggle(try #require(asset))
      try crop(picker, turnedBy: angle)
    }
    return try #require(try await picker.pick())
  }

  @Test("A photo of the library is cropped where it is, and is the same asset")
  func ofTheLibrary() async throws {
    let rig = try PickerRig()
    let original = try quarters(300, 200).jpegData()
    try rig.add("a.jpg", original)
    let library = try await PhotoLibrary.open(rig.library)
    try await library.update()
    let photo = try await Self.pick("a.jpg", from: library, rig)
    let album = try await library.makeAlbum(named: "Cropped")
    let saved = try await library.save(photo, to: album)
    #expect(saved.id == photo.id)
    #expect(try await library.save(photo).id == photo.id, "Saving it again changes nothing.")
    try await Self.check(saved, of: photo, from: original, in: library)
  }

  @Test("The crop of a crop is a photo of its own, whose original is what was picked")
  func ofACrop() async throws {
    let rig = try PickerRig()
    try rig.add("a.png", quarters(300, 200).pngData())
    let library = try await PhotoLibrary.open(rig.library)
    try await library.update()
    let half = PhotoCrop(outline: .rectangle(CGRect(x: 0, y: 0, width: 0.5, height: 1)))
    let first = try await library.crop(
      library.asset(at: rig.pictures.appending(component: "a.png")), to: CropRecipe(half))
    let shown = try Data(contentsOf: first.fileURL)
    let photo = try await Self.pick(first.fileName, from: library, rig)
    let saved = try await library.save(photo)
    #expect(saved.id != first.id)
    #expect(try await library.cropRecipe(of: first)?.crop == half)
    try await Self.check(saved, of: photo, from: shown, in: library)
  }

  @Test(
    "A photo that nobody cropped is saved as it is, also one that was shown to be cropped",
    arguments: [nil, PhotoAdjustment.Shape.free])
  func whole(editing: PhotoAdjustment.Shape?) async throws {
    let rig = try PickerRig()
    let library = try await PhotoLibrary.open(rig.library)
    let picker = rig.picker({ $0.editing = editing }) { picker in
      try await picker.takePicture()
      try picker.usePhoto()
    }
    let photo = try #require(try await picker.pick())
    #expect(photo.edit == nil)
    let saved = try await library.save(photo)
    #expect(try Data(contentsOf: saved.fileURL) == Data(contentsOf: photo.originalURL))
    #expect(try await library.cropRecipe(of: saved) == nil)
  }
}
