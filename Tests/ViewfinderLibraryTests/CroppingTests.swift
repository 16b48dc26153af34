import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// Crops with the original kept.
@Suite struct CroppingTests {
  private let recipe = CropRecipe(
    PhotoCrop(outline: .rectangle(CGRect(x: 0, y: 0, width: 0.5, height: 0.5))))

  private func rig(_ data: Data, _ name: String = "photo.jpg") async throws -> LibraryRig {
    try await LibraryRig { try $0.write(name, data) }
  }

  @Test(arguments: ["photo.jpg", "VWF_0007.JPG", "photo.png"])
  func aCroppedPhotoIsTheSameAssetWithItsOriginalUntouched(name: String) async throws {
    let picture = try PixelBuffer.quadrants(.photo)
    let data = try name.hasSuffix("png") ? picture.pngData() : picture.jpegData()
    let rig = try await rig(data, name)
    let asset = try await rig.asset(name)
    let cropped = try await rig.library.crop(asset, to: recipe)
    #expect(cropped.id == asset.id)
    #expect(cropped.contentType == asset.contentType)
    #expect(cropped.dimensions == Dimensions(width: 320, height: 240))
    #expect(try await cropped.representations().map(\.role) == [.edited, .original])
    #expect(try Data(contentsOf: rig.root.appending(name).url) == data)
    #expect(try await rig.library.cropRecipe(of: cropped)?.crop == recipe.crop)
    #expect(try await rig.all().count == 1)
  }

  @Test func croppingAgainBeginsWithTheOriginal() async throws {
    let rig = try await rig(PixelBuffer.quadrants(.photo).jpegData())
    let once = try await rig.library.crop(rig.asset("photo.jpg"), to: recipe)
    let wide = CropRecipe(PhotoCrop(outline: .rectangle(CGRect(x: 0, y: 0, width: 1, height: 0.5))))
    let twice = try await rig.library.crop(once, to: wide)
    #expect(twice.dimensions == Dimensions(width: 640, height: 240))
    #expect(try await rig.all().count == 1)
  }

  @Test func anUndoneCropShowsTheOriginalAgain() async throws {
    let rig = try await rig(PixelBuffer.quadrants(.photo).jpegData())
    let cropped = try await rig.library.crop(rig.asset("photo.jpg"), to: recipe)
    let whole = try await rig.library.revertCrop(of: cropped)
    #expect(whole.id == cropped.id)
    #expect(whole.dimensions == .photo)
    #expect(try await rig.library.cropRecipe(of: whole) == nil)
    await #expect {
      try await rig.library.revertCrop(of: whole)
    } throws: { error in
      if case PhotoLibraryError.invalidRequest = error { true } else { false }
    }
  }

  @Test func anotherProgramsEditedVersionIsNeverReplaced() async throws {
    let rig = try await rig(PixelBuffer.quadrants(.photo).jpegData())
    let foreign = LibraryFolder.jpeg(seed: 5)
    try rig.folder.write("photo-edited.jpg", foreign)
    try await rig.library.update()
    let asset = try #require(try await rig.all().first)
    let path = rig.root.appending("photo-edited.jpg")
    await #expect(
      throws: PhotoLibraryError.cannotWrite(path: path.description, code: EEXIST)
    ) { try await rig.library.crop(asset, to: recipe) }
    #expect(try Data(contentsOf: path.url) == foreign)
    #expect(try await rig.library.cropRecipe(of: asset) == nil)
  }

  @Test("A photo that is renamed together with its crop can be cropped anew, and undone")
  func renamed() async throws {
    let rig = try await rig(PixelBuffer.quadrants(.photo).jpegData())
    let cropped = try await rig.library.crop(rig.asset("photo.jpg"), to: recipe)
    try rig.folder.move("photo.jpg", to: "tour.jpg")
    try rig.folder.move("photo-edited.jpg", to: "tour-edited.jpg")
    try await rig.library.update()
    let renamed = try await rig.asset("tour.jpg")
    #expect(renamed.id == cropped.id)
    #expect(try await rig.library.cropRecipe(of: renamed)?.crop == recipe.crop)
    let wide = CropRecipe(PhotoCrop(outline: .rectangle(CGRect(x: 0, y: 0, width: 1, height: 0.5))))
    let again = try await rig.library.crop(renamed, to: wide)
    #expect(again.dimensions == Dimensions(width: 640, height: 240))
    #expect(try await rig.library.revertCrop(of: again).dimensions == .photo)
    #expect(try await rig.all().map(\.fileName) == ["tour.jpg"])
  }

  @Test(
    "A photo that another program changed can be cropped anew, and its old crop is in the trash")
  func changedOriginal() async throws {
    let name = "tour.jpg"
    let rig = try await rig(PixelBuffer.quadrants(.photo).jpegData(), name)
    _ = try await rig.library.crop(rig.asset(name), to: recipe)
    let edited = rig.root.appending("tour-edited.jpg")
    let old = try Data(contentsOf: edited.url)
    try rig.folder.write(name, PixelBuffer.quadrants(.photo).jpegData(quality: 0.5))
    try await rig.library.update()
    let changed = try await rig.asset(name)
    #expect(try await rig.library.cropRecipe(of: changed) == nil)
    let wide = CropRecipe(PhotoCrop(outline: .rectangle(CGRect(x: 0, y: 0, width: 1, height: 0.5))))
    let again = try await rig.library.crop(changed, to: wide)
    #expect(again.dimensions == Dimensions(width: 640, height: 240))
    #expect(try Data(contentsOf: edited.url) != old)
    let trashed = try #require(
      Trash(home: rig.base.appending("Trash")).contents(of: [rig.root]).first)
    #expect(trashed.original == edited)
    #expect(try Data(contentsOf: trashed.file.url) == old)
  }

  @Test func whatCantBeCroppedIsRefusedAndNothingIsWritten() async throws {
    let rig = try await rig(PixelBuffer.quadrants(.photo).jpegData())
    let outside = CropRecipe(
      PhotoCrop(outline: .rectangle(CGRect(x: 2, y: 2, width: 1, height: 1))))
    let asset = try await rig.asset("photo.jpg")
    await #expect {
      try await rig.library.crop(asset, to: outside)
    } throws: { error in
      if case PhotoLibraryError.invalidRequest = error { true } else { false }
    }
    #expect(try await rig.library.cropRecipe(of: asset) == nil)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: rig.root.description) == ["photo.jpg"])
  }
}
