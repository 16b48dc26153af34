import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// WebP, HEIC and AVIF: decoded where the package's traits say so, else listed with a reason.
@Suite struct OptionalDecoderTests {
  /// A format with the program that writes it, and how the program is told to.
  struct Format: Sendable, CustomTestStringConvertible {
    var name: String
    var program: String
    var options: [String]
    var type: ContentType
    var isDecoded: Bool

    var testDescription: String { name }
  }

  #if WebP
    private static let hasWebP = true
  #else
    private static let hasWebP = false
  #endif
  #if HEIF
    private static let hasHEIF = true
  #else
    private static let hasHEIF = false
  #endif

  private static let formats = [
    Format(
      name: "WebP", program: "/usr/bin/cwebp", options: ["-quiet", "-q", "90"], type: .webP,
      isDecoded: hasWebP),
    Format(
      name: "lossless WebP", program: "/usr/bin/cwebp", options: ["-quiet", "-lossless"],
      type: .webP,
      isDecoded: hasWebP),
    Format(
      name: "HEIC", program: "/usr/bin/heif-enc", options: ["-q", "90"], type: .heic,
      isDecoded: hasHEIF),
    Format(
      name: "AVIF", program: "/usr/bin/heif-enc", options: ["-A", "-q", "90"], type: .avif,
      isDecoded: hasHEIF),
  ]

  /// A library with one picture, or `nil` without the program.
  private func rig(
    _ format: Format, _ picture: PixelBuffer, part: Double = 1
  ) async throws -> (LibraryRig, Asset)? {
    try await rig(format, "source.png", picture.pngData(), part: part)
  }

  private func rig(
    _ format: Format, _ name: FilePath, _ file: Data, part: Double = 1
  ) async throws -> (LibraryRig, Asset)? {
    guard FileManager.default.isExecutableFile(atPath: format.program) else {
      print("\(format.program) isn't installed (Debian: webp, libheif-examples): not tested.")
      return nil
    }
    let rig = try await LibraryRig()
    let source = rig.base.appending(name)
    try file.write(to: source.url)
    let target = rig.root.appending("photo.\(format.type.pathExtension)")
    _ = try output(
      format.program, format.options + [source.description, "-o", target.description])
    let data = try Data(contentsOf: target.url)
    try data.prefix(Int(Double(data.count) * part)).write(to: target.url)
    try await rig.library.update()
    return (rig, try #require(try await rig.all().first))
  }

  @Test("Pictures are decoded with the trait and told to need it without", arguments: formats)
  func decoding(format: Format) async throws {
    guard let (rig, asset) = try await rig(format, .quadrants(.photo)) else { return }
    #expect(asset.contentType == format.type)
    #expect(asset.dimensions == .photo)
    #expect(asset.error == nil)
    guard format.isDecoded else {
      await #expect { try await asset.fullResolutionImage() } throws: { error in
        if case PhotoLibraryError.unsupported = error { true } else { false }
      }
      return
    }
    let whole = try await asset.fullResolutionImage()
    #expect(whole.dimensions == .photo)
    #expect(try whole.letters == "rgbw")
    let small = try await asset.image(fitting: Dimensions(width: 200, height: 200))
    #expect(small.dimensions == Dimensions(width: 200, height: 150))
    #expect(try small.letters == "rgbw")
    let thumbnail = try await rig.library.thumbnail(of: asset, size: .normal)
    #expect(try thumbnail.letters == "rgbw")
  }

  @Test("Transparency is kept", arguments: formats.filter { $0.isDecoded && $0.name != "HEIC" })
  func transparency(format: Format) async throws {
    let size = Dimensions(width: 64, height: 64)
    let pixels = Data((0..<size.area).flatMap { [200, 40, 40, UInt8($0 % 64 < 32 ? 255 : 0)] })
    let picture = try PixelBuffer(pixelFormat: .rgba32, dimensions: size, data: pixels)
    guard let (rig, asset) = try await rig(format, picture) else { return }
    let decoded = try await asset.fullResolutionImage()
    // Its folder goes with the rig.
    withExtendedLifetime(rig) {}
    #expect(decoded.hasAlpha)
    let bytes = decoded.bytes()
    let (left, right) = (bytes[4 * 8 + 3], bytes[4 * 56 + 3])
    #expect(left > 250)
    #expect(right < 5)
  }

  /// Whether an error says that a file is damaged, or only listed where its format isn't decoded.
  private static func isOfDamage(
    _ error: any Error, _ format: Format, isThumbnail: Bool = false
  ) -> Bool {
    switch error as? PhotoLibraryError {
    // A program of the desktop may have tried.
    case .damaged: format.isDecoded || isThumbnail
    case .unsupported: !format.isDecoded
    default: false
    }
  }

  @Test("A file cut short is an item with an error and never a crash", arguments: formats)
  func truncation(format: Format) async throws {
    for part in [0.2, 0.5, 0.8] {
      guard let (rig, asset) = try await rig(format, .quadrants(.photo), part: part) else { return }
      await #expect { try await asset.fullResolutionImage() } throws: { error in
        Self.isOfDamage(error, format)
      }
      await #expect { try await rig.library.thumbnail(of: asset, size: .normal) } throws: { error in
        Self.isOfDamage(error, format, isThumbnail: true)
      }
    }
  }

  /// A JPEG with Exif data.
  private func photo(_ tags: ExifChanges) throws -> Data {
    var jpeg = try PixelBuffer.quadrants(.photo).jpegData()
    let exif = Array("Exif\0\0".utf8) + (try tags.merged(into: Data()))
    let count = exif.count + 2
    jpeg.insert(contentsOf: [0xff, 0xe1, UInt8(count >> 8), UInt8(count & 255)] + exif, at: 2)
    return jpeg
  }

  @Test(
    "A photo is cropped to a JPEG beside it that has its Exif data, and the crop can be undone",
    arguments: formats)
  func cropping(format: Format) async throws {
    var tags = ExifChanges()
    tags.imageDescription = "Zebra"
    tags.dateTimeOriginal = "2024:05:06 07:08:09"
    var format = format
    if format.type == .webP { format.options += ["-metadata", "exif"] }
    guard let (rig, asset) = try await rig(format, "source.jpg", photo(tags)) else { return }
    #expect(try await asset.defaultRepresentation.metadata().imageDescription == "Zebra")
    let left = CropRecipe(PhotoCrop(outline: .rectangle(CGRect(x: 0, y: 0, width: 0.5, height: 1))))
    guard format.isDecoded else {
      await #expect { try await rig.library.crop(asset, to: left) } throws: { error in
        if case PhotoLibraryError.unsupported = error { true } else { false }
      }
      return
    }
    let original = try Data(contentsOf: asset.fileURL)
    let cropped = try await rig.library.crop(asset, to: left)
    #expect(cropped.id == asset.id)
    #expect(cropped.fileName == "photo-edited.jpg")
    #expect(cropped.contentType == .jpeg)
    #expect(cropped.dimensions == Dimensions(width: 320, height: 480))
    #expect(cropped.captureDate == asset.captureDate)
    let file = cropped.defaultRepresentation
    #expect(try await file.metadata().imageDescription == "Zebra")
    #expect(file.captureDate == asset.captureDate)
    #expect(try await file.fullResolutionImage().letters == "rrbb")
    #expect(try Data(contentsOf: asset.fileURL) == original)
    // Another orientation than the file's own.
    var turned = left
    turned.orientation = .right
    let again = try await rig.library.crop(cropped, to: turned)
    #expect(again.dimensions == Dimensions(width: 240, height: 640))
    #expect(try await again.defaultRepresentation.fullResolutionImage().letters == "bbww")
    #expect(try await rig.library.revertCrop(of: again).contentType == format.type)
  }

  @Test(
    "A WebP picture is turned as its Exif data say",
    .enabled(
      if: hasWebP && FileManager.default.isExecutableFile(atPath: "/usr/bin/cwebp"),
      "needs the trait WebP, and cwebp"))
  func orientation() async throws {
    let rig = try await LibraryRig()
    let source = rig.base.appending("source.jpg")
    var tags = ExifChanges()
    tags.orientation = .right
    try photo(tags).write(to: source.url)
    _ = try output(
      "/usr/bin/cwebp",
      [
        "-quiet", "-metadata", "exif", source.description, "-o",
        rig.root.appending("a.webp").description,
      ])
    try await rig.library.update()
    let asset = try #require(try await rig.all().first)
    #expect(asset.dimensions == Dimensions(width: 480, height: 640))
    let picture = try await asset.image(fitting: Dimensions(width: 300, height: 300))
    #expect(picture.dimensions == Dimensions(width: 225, height: 300))
    #expect(try picture.letters == "brwg")
  }
}
