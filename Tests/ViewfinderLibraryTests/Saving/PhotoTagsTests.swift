import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// A picture with tags of its own, as a camera writes it.
enum TaggedPhoto {
  static let makerNote = (0..<40).map { UInt8(truncatingIfNeeded: 0xA0 + 3 * $0) }
  static let thumbnail = jpeg(160, 120)
  static let date = CaptureDate(localSeconds: 1_714_979_289, nanoseconds: 120_000_000, offset: 7200)

  static let tiff: [UInt8] = {
    let exif: TIFFBuilder.Directory = [
      0x9000: .undefined(text("0230")), 0x9003: .ascii("2024:05:06 07:08:09"),
      0x9011: .ascii("+02:00"), 0x9291: .ascii("12"), 0x829a: .rational([(1, 60)]),
      0x927c: .undefined(makerNote),
    ]
    let gps: TIFFBuilder.Directory = [
      1: .ascii("N"), 2: .rational([(52, 1), (30, 1), (0, 1)]), 3: .ascii("E"),
      4: .rational([(13, 1), (15, 1), (0, 1)]), 5: .bytes([0]), 6: .rational([(34, 1)]),
      0x11: .rational([(77, 1)]),
    ]
    return TIFFBuilder.file([
      [
        0x10e: .ascii("Old title"), 0x10f: .ascii("Maker"), 0x110: .ascii("One"),
        0x112: .short(6), 0x13b: .ascii("Old artist"), 0x8298: .ascii("Old rights"),
        0x8769: .directory(exif), 0x8825: .directory(gps),
      ],
      [0x103: .short(6), 0x201: .place(thumbnail), 0x202: .long(thumbnail.count)],
    ])
  }()

  /// A JPEG that can be decoded, with a comment, and with bytes behind its end as motion photos have
  /// them.
  static func jpegFile(tiff: [UInt8]? = tiff) -> Data {
    let plain = LibraryFolder.jpeg(seed: 7)
    let segments = (tiff.map(exifSegment) ?? []) + jpegSegment(0xfe, text("A comment"))
    return plain.prefix(2) + segments + plain.dropFirst(2) + Data("and a trailer".utf8)
  }

  static func pngFile(before: Data = Data(), after: Data = Data()) throws -> Data {
    let plain = try PixelBuffer.plain(Dimensions(width: 6, height: 4), [1, 2, 3]).pngData()
    return plain.prefix(33) + before + plain.dropFirst(33).dropLast(12) + after + plain.suffix(12)
  }
}

/// What a saved picture says.
private struct Found {
  let info: MediaInfo
  let main: TIFFDirectory
  let exif: TIFFDirectory?
  let gps: TIFFDirectory?

  init(_ data: Data) throws {
    let windows = FileWindows(data)
    info = try MediaReader.read(windows)
    let place: ExifPlace = try info.type == .png ? .inPNG(windows) : .inJPEG(windows)
    let bytes = ByteReader(windows).part(from: place.tiff.lowerBound, count: place.tiff.count)
    main = try #require(TIFFBlock(bytes)?.directories.first)
    exif = main.directory(0x8769)
    gps = main.directory(0x8825)
  }
}

/// The picture's bytes with other tags.
func tagged(_ data: Data, _ tags: PhotoTags) throws -> Data {
  let windows = FileWindows(data)
  return try tags.splice(into: windows, MediaReader.read(windows), nil).applied(to: data)
}

/// What the picture decodes to, in a form that can be compared.
func pixels(_ data: Data) throws -> Data {
  try PixelBuffer(decoding: data, fitting: Dimensions(width: 64, height: 64)).pngData()
}

@Suite("Tags of photos that are saved") struct PhotoTagsTests {
  @Test("Texts and the orientation take the place of the photo's own, and all others stay")
  func texts() throws {
    let tags = PhotoTags(
      imageDescription: "Ein längerer Titel", artist: "A. Person", copyright: "",
      orientation: .left)
    let found = try Found(tagged(TaggedPhoto.jpegFile(), tags))
    #expect(found.main.text(0x10e) == "Ein längerer Titel")
    #expect(found.main.text(0x13b) == "A. Person")
    #expect(!found.main.has(0x8298), "An empty text takes the tag out.")
    #expect(found.info.orientation == .left)
    #expect(found.info.camera == "Maker One" && found.info.captureDate == TaggedPhoto.date)
    let old = try Found(TaggedPhoto.jpegFile()).info
    #expect(old.position != nil && found.info.position == old.position)
    #expect(found.exif?.data(0x927c).bytes(at: 0, count: 99) == TaggedPhoto.makerNote)
    #expect(found.info.preview?.count == TaggedPhoto.thumbnail.count)
    #expect(found.exif?.fractions(0x829a) == [1.0 / 60])
  }

  @Test(
    "A date comes back as it was given, and what isn't known stays unknown",
    arguments: [
      CaptureDate(localSeconds: 951_825_600, nanoseconds: 5_000_000, offset: -34_200),
      CaptureDate(localSeconds: -2, nanoseconds: 123_456_789, offset: 0),
      CaptureDate(localSeconds: 253_402_300_799, nanoseconds: 0), CaptureDate(localSeconds: 1),
      CaptureDate(localSeconds: -62_135_596_800, offset: 57_540),
    ])
  func dates(date: CaptureDate) throws {
    for tiff in [TaggedPhoto.tiff, nil] {
      let data = try tagged(TaggedPhoto.jpegFile(tiff: tiff), PhotoTags(captureDate: date))
      #expect(try Found(data).info.captureDate == date)
    }
  }

  @Test(
    "A position comes back as it was given",
    arguments: [
      GeoPosition(latitude: -33.856784, longitude: 151.215297, altitude: -4.5),
      GeoPosition(latitude: 90, longitude: -180), GeoPosition(latitude: 0, longitude: 0),
      GeoPosition(latitude: 1e-7, longitude: -179.999_999_9, altitude: 8848.86),
    ])
  func positions(position: GeoPosition) throws {
    let found = try Found(tagged(TaggedPhoto.jpegFile(), PhotoTags(location: position)))
    let new = try #require(found.info.position)
    #expect(abs(new.latitude - position.latitude) < 1e-9)
    #expect(abs(new.longitude - position.longitude) < 1e-9)
    #expect(new.altitude == position.altitude)
    #expect(found.gps?.fractions(0x11) == [77], "where the camera looked")
    #expect(found.info.captureDate == TaggedPhoto.date)
  }

  @Test(
    "What Exif can't tell is refused",
    arguments: [
      PhotoTags(captureDate: CaptureDate(localSeconds: 253_402_300_800)),
      PhotoTags(captureDate: CaptureDate(localSeconds: .min)),
      PhotoTags(captureDate: CaptureDate(localSeconds: 0, nanoseconds: 1_000_000_000)),
      PhotoTags(captureDate: CaptureDate(localSeconds: 0, nanoseconds: -1)),
      PhotoTags(captureDate: CaptureDate(localSeconds: 0, offset: 90)),
      PhotoTags(captureDate: CaptureDate(localSeconds: 0, offset: .min)),
      PhotoTags(location: GeoPosition(latitude: 91, longitude: 0)),
      PhotoTags(location: GeoPosition(latitude: 0, longitude: .nan)),
      PhotoTags(location: GeoPosition(latitude: 0, longitude: 0, altitude: 1e9)),
      PhotoTags(artist: String(repeating: "x", count: 66_000)),
    ])
  func refused(tags: PhotoTags) {
    #expect {
      try tagged(TaggedPhoto.jpegFile(), tags)
    } throws: { error in
      guard case PhotoLibraryError.invalidRequest = error else { return false }
      return true
    }
  }

  @Test("Of a JPEG nothing changes but the Exif segment", arguments: [true, false])
  func jpegBytes(hasExif: Bool) throws {
    let old = TaggedPhoto.jpegFile(tiff: hasExif ? TaggedPhoto.tiff : nil)
    let new = try tagged(old, PhotoTags(artist: "Somebody"))
    let oldCount = hasExif ? exifSegment(TaggedPhoto.tiff).count : 0
    let newCount = new.count - old.count + oldCount
    #expect(new.prefix(2) == old.prefix(2))
    #expect(new.dropFirst(2 + newCount) == old.dropFirst(2 + oldCount))
    #expect(new.suffix(13) == Data("and a trailer".utf8))
    #expect(try Found(new).main.text(0x13b) == "Somebody")
    #expect(try pixels(new) == pixels(old))
    if !hasExif { #expect(try Found(new).exif?.integer(0xa002) == 16, "the stored width") }
  }

  @Test("The first Exif segment that can be read is changed, wherever it stands")
  func severalSegments() throws {
    let broken = exifSegment(text("nonsense"))
    let old = Data(
      jpeg(40, 30, jpegSegment(0xe0, text("JFIF\0")) + broken + exifSegment(TaggedPhoto.tiff)))
    let new = try tagged(old, PhotoTags(orientation: .down))
    #expect(new.count == old.count && new.prefix(30) == old.prefix(30))
    #expect(try MediaReader.read(FileWindows(new)).orientation == .down)
    let alone = Data(jpeg(40, 30, broken))
    let mended = try tagged(alone, PhotoTags(orientation: .down))
    #expect(try MediaReader.read(FileWindows(mended)).orientation == .down)
    #expect(mended.range(of: Data("nonsense".utf8)) == nil)
  }

  @Test("A PNG gets one chunk of Exif, before its pixels or where it had one")
  func png() throws {
    let chunk = PNGText.chunk("eXIf", TaggedPhoto.tiff)
    let text = PNGText.chunk("tEXt", Array("Comment\0Words".utf8))
    let files = [
      try TaggedPhoto.pngFile(), try TaggedPhoto.pngFile(before: chunk + text),
      try TaggedPhoto.pngFile(before: text, after: chunk),
    ]
    for (index, old) in files.enumerated() {
      let new = try tagged(old, PhotoTags(artist: "Somebody", orientation: .right))
      let found = try Found(new)
      #expect(found.main.text(0x13b) == "Somebody" && found.info.orientation == .right)
      #expect(found.info.camera == (index == 0 ? nil : "Maker One"))
      #expect(throws: Never.self) { try PixelBuffer(decoding: new) }
      let (place, oldPlace) = try (
        ExifPlace.inPNG(FileWindows(new)), ExifPlace.inPNG(FileWindows(old))
      )
      #expect(
        new.prefix(place.range.lowerBound) + new.dropFirst(place.range.upperBound)
          == old.prefix(oldPlace.range.lowerBound) + old.dropFirst(oldPlace.range.upperBound))
      let body = new[place.range.lowerBound + 4..<place.range.upperBound - 4]
      #expect(
        new[place.range.upperBound - 4..<place.range.upperBound].reduce(0) { $0 << 8 | UInt32($1) }
          == PNGText.crc32(Array(body)[...]))
      #expect(new.ranges(of: Data("eXIf".utf8)).count == 1)
      #expect(PNGText.read(Array(new))?.texts == PNGText.read(Array(old))?.texts)
      #expect(PNGText.read(Array(new)) != nil, "still a whole file")
    }
  }

  @Test("A PNG cut anywhere, or with a chunk that claims gigabytes, is refused or changed")
  func hostilePNG() throws {
    let file = try TaggedPhoto.pngFile(before: PNGText.chunk("eXIf", TaggedPhoto.tiff))
    for count in 8..<file.count {
      let new = try? tagged(file.prefix(count), PhotoTags(orientation: .down))
      #expect(new.map { $0.count >= count } ?? true)
    }
    var claims = try TaggedPhoto.pngFile()
    claims[33] = 0xff
    #expect { try tagged(claims, PhotoTags(orientation: .down)) } throws: { error in
      if case PhotoLibraryError.damaged("The PNG", _) = error { true } else { false }
    }
  }
}

@Suite("Photos that are saved with other tags") struct TaggedSavingTests {
  @Test("The date that is given names the file and is the asset's")
  func dateDecides() async throws {
    let rig = try await LibraryRig()
    let date = CaptureDate(localSeconds: 951_825_600, nanoseconds: 250_000_000, offset: 3600)
    let album = try await rig.library.makeAlbum(named: "Trip")
    let asset = try await rig.library.save(
      [PhotoResource(.data(TaggedPhoto.jpegFile()), metadata: PhotoTags(captureDate: date))],
      to: album, naming: .dateTime)
    #expect(asset.fileName == "IMG_20000229_120000_250.jpg")
    #expect(asset.captureDate == date)
    #expect(asset.camera == "Maker One")
    #expect(try await album.assets().count == 1)
    let stored = try await rig.reopened().everything()
    #expect(stored.map(\.captureDate) == [date])
  }

  @Test("A copied file stays as it was, and a moved one goes when all is saved")
  func sources() async throws {
    let rig = try await LibraryRig()
    let outside = LibraryFolder(rig.base.appending("Outside"))
    try outside.write("a.jpg", TaggedPhoto.jpegFile())
    let path = outside.path.appending("a.jpg")
    let tags = PhotoTags(artist: "Somebody")
    let expected = try tagged(TaggedPhoto.jpegFile(), tags)
    let copy = try await rig.library.save([PhotoResource(.copy(path.url), metadata: tags)])
    #expect(try Data(contentsOf: copy.fileURL) == expected)
    #expect(try Data(contentsOf: path.url) == TaggedPhoto.jpegFile())
    let moved = try await rig.library.save([PhotoResource(.move(path.url), metadata: tags)])
    #expect(try Data(contentsOf: moved.fileURL) == expected)
    #expect(FileStatus(of: path) == nil)
    let data = try await rig.library.save(
      [PhotoResource(.data(TaggedPhoto.jpegFile()), metadata: tags)])
    #expect(try Data(contentsOf: data.fileURL) == expected)
  }

  @Test("A file of another kind is refused, and neither saved nor taken away")
  func otherKinds() async throws {
    let rig = try await LibraryRig()
    let outside = LibraryFolder(rig.base.appending("Outside"))
    try outside.write("a.heic", Data(HEIFSample.file()))
    try outside.write("a.jpg", TaggedPhoto.jpegFile())
    let (heic, jpeg) = (outside.path.appending("a.heic").url, outside.path.appending("a.jpg").url)
    let tags = PhotoTags(artist: "Somebody")
    await #expect {
      try await rig.library.save([
        PhotoResource(.move(jpeg), metadata: tags), PhotoResource(.move(heic), metadata: tags),
      ])
    } throws: { error in
      guard case PhotoLibraryError.invalidRequest(let reason) = error else { return false }
      return reason.contains("image/heic")
    }
    #expect(try FilePath(outside.path.url).names().count == 2)
    #expect(FileStatus(of: rig.root.appending("DCIM")) == nil)
    // Only the resource that has tags must be able to.
    let asset = try await rig.library.save([
      PhotoResource(.move(jpeg), metadata: tags), PhotoResource(.move(heic)),
    ])
    #expect(try await asset.representations().count == 2)
    #expect(FileStatus(of: FilePath(jpeg)) == nil && FileStatus(of: FilePath(heic)) == nil)
  }

  @Test("No tags leave the bytes as they are")
  func noTags() async throws {
    let rig = try await LibraryRig()
    let data = TaggedPhoto.jpegFile()
    let asset = try await rig.library.save([PhotoResource(.data(data), metadata: PhotoTags())])
    #expect(try Data(contentsOf: asset.fileURL) == data)
    let heic = Data(HEIFSample.file())
    try await rig.library.save([PhotoResource(.data(heic), metadata: PhotoTags())])
  }

  @Test("A file that was changed after its tags were read isn't saved")
  func changedSince() throws {
    let folder = try ScratchFolder()
    try folder.write("a.jpg")
    let path = folder.path.appending("a.jpg")
    let status = try FileReader(path).status
    try Data("longer than before".utf8).write(to: path.url)
    let splice = FileSplice(range: 0..<0, bytes: Data([1]), status: status)
    #expect(throws: PhotoLibraryError.cannotRead(path: path.description, code: EIO)) {
      try PendingFile(.copy(path), splice: splice, in: folder.path)
    }
  }
}
