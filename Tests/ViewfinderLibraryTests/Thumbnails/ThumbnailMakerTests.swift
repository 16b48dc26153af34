import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

@Suite struct ThumbnailMakerTests {
  /// A JPEG whose Exif data has an orientation alone.
  private func jpeg(_ picture: PixelBuffer, orientation: ImageOrientation) throws -> Data {
    let tiff: [UInt8] =
      Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1]
      + [0, UInt8(orientation.rawValue), 0, 0, 0, 0, 0, 0]
    let segment = Array("Exif\0\0".utf8) + tiff
    let jpeg = try picture.jpegData()
    return jpeg.prefix(2) + [0xff, 0xe1, 0, UInt8(segment.count + 2)] + segment + jpeg.dropFirst(2)
  }

  /// A file with an embedded picture at its end.
  private func item(
    _ rig: ThumbnailRig, _ data: Data, preview: Data, dimensions: Dimensions? = .photo
  ) throws -> ThumbnailItem {
    var item = try rig.item(rig.write(data + preview), dimensions)
    item.info.preview = data.count..<data.count + preview.count
    return item
  }

  private func blue(_ width: Int, _ height: Int) throws -> Data {
    try PixelBuffer.plain(Dimensions(width: width, height: height), [20, 20, 230]).jpegData()
  }

  private static let raw = Data("IIU\0 a camera's raw file".utf8)

  private static let upright: [(ImageOrientation, String)] = [
    (.up, "rgbw"), (.upMirrored, "grwb"), (.down, "wbgr"), (.downMirrored, "bwrg"),
    (.leftMirrored, "rbgw"), (.right, "brwg"), (.rightMirrored, "wgbr"), (.left, "gwrb"),
  ]

  @Test(arguments: upright)
  func thumbnailsAreUpright(orientation: ImageOrientation, letters: String) throws {
    let rig = try ThumbnailRig()
    let data = try jpeg(.quadrants(.photo), orientation: orientation)
    var item = try rig.item(rig.write(data), .photo)
    item.info.orientation = orientation
    for _ in 0..<2 {  // Made, then cached.
      let thumbnail = try rig.maker.thumbnail(of: item, size: .large)
      let box = ThumbnailSize.large.box
      #expect(try #require(item.info.dimensions).fitted(into: box) == thumbnail.dimensions)
      #expect(try thumbnail.letters == letters)
      #expect(rig.cached.count == 1)
    }
  }

  @Test(arguments: upright, [true, false])
  func previewsAreTurnedOnce(_ turn: (orientation: ImageOrientation, letters: String), says: Bool)
    throws
  {
    let rig = try ThumbnailRig()
    // Some previews repeat the orientation, others leave it out.
    let preview = try jpeg(.quadrants(.photo), orientation: says ? turn.orientation : .up)
    var item = try item(rig, Self.raw, preview: preview)
    item.info.orientation = turn.orientation
    #expect(try rig.maker.thumbnail(of: item, size: .normal).letters == turn.letters)
  }

  @Test(arguments: ["160x120", "128x96", "640x480", "1280x960"])
  func previewThatIsAsGoodIsTaken(size: String) throws {
    let rig = try ThumbnailRig()
    let size = try #require(Dimensions(size))
    let photo = try PixelBuffer.quadrants(.photo).jpegData()
    let item = try item(rig, photo, preview: blue(size.width, size.height))
    let thumbnail = try rig.maker.thumbnail(of: item, size: .normal)
    #expect(try thumbnail.letters == "bbbb")
    #expect(thumbnail.dimensions == Dimensions(width: 128, height: 96))
  }

  @Test(arguments: ["120x90", "160x160", "160x106", "120x160"])
  func smallerPreviewAndOneWithBarsAreLeft(size: String) throws {
    let rig = try ThumbnailRig()
    let size = try #require(Dimensions(size))
    let photo = try PixelBuffer.quadrants(.photo).jpegData()
    let item = try item(rig, photo, preview: blue(size.width, size.height))
    #expect(try rig.maker.thumbnail(of: item, size: .normal).letters == "rgbw")
  }

  @Test func smallThumbnailServesSmallSizesAndThePreviewLargeOnes() throws {
    let rig = try ThumbnailRig()
    let small = try PixelBuffer.plain(Dimensions(width: 160, height: 120), [230, 0, 0]).jpegData()
    var item = try item(rig, Self.raw + small, preview: blue(640, 480))
    item.info.thumbnail = Self.raw.count..<Self.raw.count + small.count
    #expect(try rig.maker.thumbnail(of: item, size: .normal).letters == "rrrr")
    #expect(try rig.maker.thumbnail(of: item, size: .large).letters == "bbbb")
  }

  @Test func ownPhotosHaveOneForTheLargeSize() throws {
    let rig = try ThumbnailRig()
    let picture = try PixelBuffer.quadrants(Dimensions(width: 1280, height: 960))
    let photo = try PhotoCrop().apply(to: picture).data
    // The picture itself is cut off.
    let scan = try #require(photo.range(of: Data([0xff, 0xda]), options: .backwards))
    let path = try rig.write(photo.prefix(scan.upperBound + 500))
    var item = try rig.item(path)
    item.info = try MediaReader.read(FileReader(path))
    let thumbnail = try rig.maker.thumbnail(of: item, size: .large)
    #expect(thumbnail.dimensions == Dimensions(width: 256, height: 192))
    #expect(try thumbnail.letters == "rgbw")
  }

  @Test func damagedPreviewIsLeft() throws {
    let rig = try ThumbnailRig()
    let photo = try PixelBuffer.quadrants(.photo).jpegData()
    let preview = try blue(320, 240)
    var item = try item(rig, photo, preview: preview.prefix(preview.count / 2))
    #expect(try rig.maker.thumbnail(of: item, size: .normal).letters == "rgbw")
    let end = photo.count
    for range in [0..<0, 5..<9, end - 3..<end + 7, Int.max - 1..<Int.max, 0..<Int.max] {
      let rig = try ThumbnailRig()
      item = try rig.photo()
      (item.info.preview, item.info.thumbnail) = (range, range)
      #expect(try rig.maker.thumbnail(of: item, size: .normal).letters == "rgbw")
    }
  }

  @Test func rawFileShowsAPreviewOfAnySize() throws {
    let rig = try ThumbnailRig()
    let item = try item(rig, Self.raw, preview: blue(100, 100))
    #expect(try rig.maker.thumbnail(of: item, size: .large).dimensions.width == 100)
  }

  @Test func fileThatCannotBeDecodedIsUnsupported() throws {
    let rig = try ThumbnailRig()
    let item = try rig.item(rig.write(Self.raw))
    #expect { try rig.maker.thumbnail(of: item, size: .normal) } throws: { error in
      if case PhotoLibraryError.unsupported = error { true } else { false }
    }
    #expect(rig.cached.isEmpty)
  }

  @Test func previewOfAFileThatChangedMeanwhileIsNotTrusted() throws {
    let rig = try ThumbnailRig()
    let photo = try PixelBuffer.quadrants(.photo).jpegData()
    let item = try item(rig, photo, preview: blue(320, 240))
    rig.setTime(item.path, 1_500_000_000)
    #expect(try rig.maker.thumbnail(of: item, size: .normal).letters == "rgbw")
    // It is kept as what it is now.
    #expect(rig.cache.thumbnail(of: item, size: .normal) == nil)
    #expect(try rig.cache.thumbnail(of: rig.item(item.path), size: .normal) != nil)
  }

  @Test func squareIsFilledFromTheMiddleOfTheNextLargerSize() throws {
    let rig = try ThumbnailRig()
    let item = try rig.photo()
    let square = try rig.maker.thumbnail(of: item, size: .normal, shape: .square)
    #expect(square.dimensions == Dimensions(width: 128, height: 128))
    #expect(try square.letters == "rgbw")
    let name = md5(item.path.uri) + ".png"
    #expect(rig.cached == ["large/" + name])
    let largest = try rig.maker.thumbnail(of: item, size: .extraExtraLarge, shape: .square)
    #expect(largest.dimensions == Dimensions(width: 480, height: 480))
  }

  @Test func hugePicturesTakeNoMemory() throws {
    let rig = try ThumbnailRig()
    var png = Array(try PixelBuffer.quadrants(Dimensions(width: 8, height: 8)).pngData())
    png.replaceSubrange(16..<24, with: [0, 0, 0xff, 0, 0, 0, 0xff, 0])
    let crc = PNGText.crc32(png[12..<29])
    png.replaceSubrange(
      29..<33, with: (0..<4).map { UInt8(truncatingIfNeeded: crc >> (24 - 8 * $0)) })
    let item = try rig.item(rig.write(Data(png), name: "huge.png"))
    #expect { try rig.maker.thumbnail(of: item, size: .normal) } throws: { error in
      if case PhotoLibraryError.unsupported = error { true } else { false }
    }

    let path = try rig.write(Data([0xff, 0xd8, 0xff, 0xe0]))
    _ = unsafe path.withCString { unsafe truncate($0, 300 << 20) }
    let large = try rig.item(path)
    #expect(throws: PhotoLibraryError.cannotRead(path: path.description, code: EFBIG)) {
      try rig.maker.thumbnail(of: large, size: .normal)
    }
  }

  @Test func missingFileAndFolderAreErrors() throws {
    let rig = try ThumbnailRig()
    var item = try rig.photo()
    item.path = FilePath(rig.folder).appending("none.jpg")
    #expect(throws: PhotoLibraryError.cannotRead(path: item.path.description, code: ENOENT)) {
      try rig.maker.thumbnail(of: item, size: .normal)
    }
    item.path = FilePath(rig.folder)
    #expect(throws: PhotoLibraryError.cannotRead(path: item.path.description, code: EINVAL)) {
      try rig.maker.thumbnail(of: item, size: .normal)
    }
  }

  /// Photos, hostile ones among them, which are no part of the project.
  private static let corpus: [String] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../../shared/data/jpeg/images").standardizedFileURL
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appendingPathComponent($0).path }
  }()

  @Test(.enabled(if: !corpus.isEmpty, "needs ../shared/data"), arguments: corpus)
  func anyFileGivesAThumbnailOrAnError(path: String) throws {
    let rig = try ThumbnailRig()
    let item = try rig.item(FilePath(path))
    do {
      let thumbnail = try rig.maker.thumbnail(of: item, size: .normal)
      #expect(max(thumbnail.dimensions.width, thumbnail.dimensions.height) <= 128)
      #expect(rig.cached.count == 1)
    } catch {
      switch error {
      case .damaged: #expect(rig.cached.map { $0.prefix(4) } == ["fail"])
      case .unsupported: #expect(rig.cached.isEmpty)
      default: #expect(Bool(false), "\(error)")
      }
    }
  }
}
