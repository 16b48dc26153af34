import Checksums
import ErrorWords
import FeedClient
import Foundation
import ServerSupport
import Testing
import Viewfinder
import ViewfinderLibrary

@testable import PhotoStream

@Suite("The photo stream without the place where photos were taken", .serialized)
struct PlaceTests {
  private let scene: StreamScene

  init() async throws { scene = try await StreamScene() }

  private static let bremen = GeoPosition(latitude: 53.07516, longitude: 8.80777, altitude: 12)

  /// A photo as a phone makes it, with the place.
  private static func tags(_ orientation: ImageOrientation = .right) -> PhotoTags {
    PhotoTags(location: bremen, artist: "Anna", orientation: orientation)
  }

  /// A JPEG with segments before its own and bytes after its end.
  private static func jpeg(_ jpeg: Data, with segments: [(UInt8, Data)], end: Data) -> Data {
    var file = Data(jpeg.prefix(2))
    for (marker, content) in segments {
      let length = content.count + 2
      file += Data([0xff, marker, UInt8(length >> 8), UInt8(length & 255)]) + content
    }
    return file + jpeg.dropFirst(2) + end
  }

  private func withoutPlace(_ device: Device) -> StreamSettings {
    var settings = device.settings
    settings.leavesPlaceOut = true
    return settings
  }

  @Test(
    "A photo goes without its place, with the same picture and its other tags, and stays here with it"
  )
  func sent() async throws {
    let (phone, desk) = (try await scene.device("phone"), try await scene.device("desk"))
    let plain = try picture("a")
    let asset = try await phone.library.save([
      PhotoResource(.data(try picture("b")), metadata: Self.tags())
    ])
    // One that says no place goes as it is.
    try await phone.library.save([PhotoResource(.data(plain))])
    let before = try await asset.defaultRepresentation.data()
    try await phone.run(withoutPlace(phone)) { stream in
      try await wait("both") { stream.status.sent == 2 && stream.status.phase == .idle }
    }
    try await desk.run { stream in try await wait("both") { stream.status.received == 2 } }
    let came = try await desk.album()
    #expect(came.contains(plain))
    let copy = try #require(came.first { $0 != plain })
    #expect(!copy.contains(before))
    let other = try await desk.library.save([PhotoResource(.data(copy))])
    #expect(other.location == nil && other.orientation == .right)
    #expect(try await other.defaultRepresentation.metadata().artist == "Anna")
    #expect(try look(of: copy) == look(of: before))
    #expect(try await asset.defaultRepresentation.data() == before)
    #expect(asset.location != nil)
    let outgoing = phone.place.appending(component: "outgoing")
    #expect(try FileManager.default.contentsOfDirectory(atPath: outgoing.path).isEmpty)
  }

  @Test("A copy that waits with its place goes without it when that is wanted meanwhile")
  func waiting() async throws {
    let phone = try await scene.device("phone")
    let large = try picture("a", scale: 40)
    let asset = try await phone.library.save([PhotoResource(.data(large), metadata: Self.tags())])
    var settings = phone.settings
    settings.sendsSmaller = true
    let stream = try PhotoStream(phone.library, settings, folder: phone.place)
    let offer = try #require(try await stream.offer(asset))
    let copy = try #require(try await stream.copy(of: asset, for: offer))
    settings.leavesPlaceOut = true
    let strict = try PhotoStream(phone.library, settings, folder: phone.place)
    let clean = try #require(try await strict.copy(of: asset, for: copy))
    #expect(clean.isCopy && clean.photo.name != copy.photo.name)
    let jpeg = try #require(strict.keptCopy(clean.photo.name))
    #expect(PlacelessJPEG(jpeg)?.saidMore == false)
    // Made once, it is the same.
    #expect(try await strict.copy(of: asset, for: clean)?.photo == clean.photo)
  }

  @Test("Files of other kinds go as JPEGs without the place, and stay here where none can be made")
  func otherKinds() async throws {
    let phone = try await scene.device("phone")
    let stream = try PhotoStream(phone.library, withoutPlace(phone), folder: phone.place)
    let png = try PhotoCrop().apply(
      to: PixelBuffer(decoding: try picture("a")), as: PhotoEncoding(fileType: .png)
    ).data
    let placed = try await phone.library.save([
      PhotoResource(.data(png), metadata: Self.tags(.up))
    ])
    #expect(placed.location != nil)
    let offer = try #require(try await stream.offer(placed))
    let copy = try #require(try await stream.copy(of: placed, for: offer))
    #expect(copy.photo.type == "image/jpeg" && copy.photo.fileName.hasSuffix(".jpg"))
    let jpeg = try #require(stream.keptCopy(copy.photo.name))
    #expect(PlacelessJPEG(jpeg)?.saidMore == false)
    #expect(jpeg.range(of: Data("Anna".utf8)) != nil)
    // The picture's data are gone, its Exif data aren't.
    var damaged = try await placed.defaultRepresentation.data()
    let pixels = try #require(damaged.range(of: Data("IDAT".utf8)))
    damaged.replaceSubrange(pixels.upperBound..<pixels.upperBound + 8, with: Data(count: 8))
    let file = phone.pictures.appending(component: "damaged.png")
    try damaged.write(to: file)
    _ = try await phone.library.update()
    let asset = try await phone.library.asset(at: file)
    let other = try #require(try await stream.offer(asset))
    await #expect(throws: PlaceStays.self) { try await stream.copy(of: asset, for: other) }
    // One that is gone says nothing of a place.
    let gone = try await phone.library.save([
      PhotoResource(.data(try picture("gone")), metadata: Self.tags())
    ])
    let last = try #require(try await stream.offer(gone))
    try FileManager.default.removeItem(at: gone.fileURL)
    await #expect(throws: PhotoLibraryError.self) { try await stream.copy(of: gone, for: last) }
    try await phone.run(withoutPlace(phone)) { stream in
      try await wait("the reason") { !stream.status.problems.isEmpty && stream.status.sent == 1 }
      #expect(stream.status.problems.first?.message.contains("says where it was taken") == true)
    }
  }

  // MARK: Files

  @Test("No byte of the place is left: GPS, XMP, IPTC, makers' notes and what follows the picture")
  func bytes() throws {
    let tiff = TIFFText(isLittleEndian: false)
    let secrets = ["GPSArea", "MakerSecret", "XMPSecret", "IPTCSecret", "GoProSecret", "Trailer"]
    let exif = Data("Exif\0\0".utf8) + tiff.data(maker: "MakerSecret!", area: "GPSArea, Bremen")
    let jpeg = Self.jpeg(
      try picture("a"),
      with: [
        (0xe1, exif), (0xe1, Data("http://ns.adobe.com/xap/1.0/\0XMPSecret".utf8)),
        (0xed, Data("Photoshop 3.0\0IPTCSecret".utf8)), (0xe6, Data("GoProSecret".utf8)),
        (0xe2, Data("ICC_PROFILE\0colours".utf8)),
      ], end: Data("Trailer".utf8))
    let clean = try #require(PlacelessJPEG(jpeg))
    #expect(clean.saidMore)
    for secret in secrets {
      #expect(jpeg.range(of: Data(secret.utf8)) != nil)
      #expect(clean.data.range(of: Data(secret.utf8)) == nil, "\(secret)")
    }
    for kept in ["ICC_PROFILE\0colours", "Leaf 5"] {
      #expect(clean.data.range(of: Data(kept.utf8)) != nil, "\(kept)")
    }
    #expect(try look(of: clean.data) == look(of: jpeg))
    let again = try #require(PlacelessJPEG(clean.data))
    #expect(!again.saidMore && again.data == clean.data)
  }

  @Test(
    "Exif data in either byte order lose what tells the place and keep the rest",
    arguments: [true, false])
  func exif(isLittleEndian: Bool) throws {
    let tiff = TIFFText(isLittleEndian: isLittleEndian)
    let clean = try #require(
      PlacelessExif(tiff.data(maker: "MakerSecret!", area: "GPSArea, Bremen")))
    #expect(clean.saidMore)
    #expect(clean.bytes.count == tiff.data(maker: "MakerSecret!", area: "GPSArea, Bremen").count)
    let again = try #require(PlacelessExif(Data(clean.bytes)))
    #expect(!again.saidMore && again.bytes == clean.bytes)
  }

  @Test("Damaged files are told, whatever is cut off or changed")
  func damage() throws {
    let tiff = TIFFText(isLittleEndian: true).data(maker: "MakerSecret!", area: "GPSArea, Bremen")
    let jpeg = Self.jpeg(
      try picture("a"), with: [(0xe1, Data("Exif\0\0".utf8) + tiff)], end: Data())
    for count in 0..<jpeg.count { #expect(PlacelessJPEG(jpeg.prefix(count)) == nil) }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      var bytes = Array(tiff)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      if let clean = PlacelessExif(Data(bytes)) { #expect(clean.bytes.count == bytes.count) }
    }
    // Directories that lead in a circle.
    #expect(PlacelessExif(Data("II*\0".utf8) + Data([8, 0, 0, 0, 0, 0, 8, 0, 0, 0])) == nil)
  }

  @Test(
    "Of photos by many makers none tells its place any more, and each has the same picture",
    .enabled(if: Corpus.has("media"), "needs the files in ../shared/data/media"))
  func makers() async throws {
    let phone = try await scene.device("phone")
    var count = 0
    for file in try Corpus.files(of: "media") {
      guard let jpeg = try? Data(contentsOf: file), jpeg.starts(with: [0xff, 0xd8, 0xff]),
        let clean = PlacelessJPEG(jpeg)
      else { continue }
      let asset = try await phone.library.save([PhotoResource(.data(clean.data))])
      #expect(asset.location == nil, "\(file.lastPathComponent)")
      let (before, after) = (try? look(of: jpeg), try? look(of: clean.data))
      #expect(before == after, "\(file.lastPathComponent)")
      if clean.saidMore { count += 1 }
    }
    print("\(count) photos of makers lost a place, XMP or IPTC")
    #expect(count > 10)
  }
}

/// What a JPEG looks like.
private func look(of jpeg: Data) throws -> Data {
  let box = Dimensions(width: 512, height: 512)
  return try PixelBuffer(decoding: jpeg, fitting: box).jpegData(quality: 1)
}

/// Exif data with a model, makers' notes and a GPS directory with words.
private struct TIFFText {
  var isLittleEndian: Bool

  func data(maker: String, area: String) -> Data {
    let (model, maker, area) = (Array("Leaf 5\0\0".utf8), Array(maker.utf8), Array(area.utf8))
    // Directories at 8, 50 and 68, values from 98 on.
    let (exif, gps) = (50, 68)
    let values = [98, 98 + model.count, 98 + model.count + maker.count]
    let main =
      word(3) + entry(0x0110, 2, model.count, values[0]) + entry(0x8769, 4, 1, exif)
      + entry(0x8825, 4, 1, gps) + long(0)
    let sub = word(1) + entry(0x927c, 7, maker.count, values[1]) + long(0)
    let place =
      word(2) + entry(0x0005, 1, 1, 0) + entry(0x001c, 7, area.count, values[2]) + long(0)
    let head = Array((isLittleEndian ? "II" : "MM").utf8) + word(42) + long(8)
    return Data(head + main + sub + place + model + maker + area)
  }

  private func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
    word(tag) + word(type) + long(count) + long(value)
  }

  private func word(_ value: Int) -> [UInt8] { number(value, 2) }

  private func long(_ value: Int) -> [UInt8] { number(value, 4) }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 255) }
    return isLittleEndian ? bytes : bytes.reversed()
  }
}
