import CViewfinder
import Foundation
import Testing

@Suite("PNG") struct PNGTests {
  static func encode(
    _ picture: CodecPicture, tiff: [UInt8] = [], dotsPerInch: UInt32 = 0, isQuick: Bool = false
  ) throws -> [UInt8] {
    var buffer = vf_buffer()
    try attempt {
      vf_png_encode(
        &picture.image, tiff, tiff.count, dotsPerInch, isQuick ? 1 : 0, &buffer, &$0)
    }
    return collect(&buffer)
  }

  static func decode(
    _ png: [UInt8], to size: (UInt32, UInt32) = (0, 0), part: vf_rectangle = vf_rectangle(),
    pixelLimit: UInt64 = 0
  ) throws -> (picture: CodecPicture, tiff: [UInt8]) {
    var image = vf_image()
    var info = vf_png_info()
    var options = vf_png_options()
    (options.width, options.height, options.pixel_limit) = (size.0, size.1, pixelLimit)
    options.part = part
    try attempt { vf_png_decode(&image, png, png.count, &options, &$0) }
    let picture = CodecPicture(image)
    try attempt { vf_png_inspect(png, png.count, &info, &$0) }
    return (picture, Array(png[info.exif_offset..<info.exif_offset + info.exif_length]))
  }

  /// A chunk with its length and check sum.
  static func chunk(_ name: String, _ payload: [UInt8]) -> [UInt8] {
    func big(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    let content = Array(name.utf8) + payload
    var sum: UInt32 = ~0
    for byte in content {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 != 0 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return big(UInt32(payload.count)) + content + big(~sum)
  }

  /// A PNG file of rows, filter bytes included, in stored (uncompressed) deflate blocks.
  static func file(
    width: UInt32, height: UInt32, depth: UInt8, type: UInt8, rows: [UInt8],
    chunks: [(String, [UInt8])] = []
  ) -> [UInt8] {
    func big(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in rows { (a, b) = ((a + UInt32(byte)) % 65521, (b + a + UInt32(byte)) % 65521) }
    let count = UInt16(rows.count)
    let block = [1, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)]
    return [137, 80, 78, 71, 13, 10, 26, 10]
      + chunk("IHDR", big(width) + big(height) + [depth, type, 0, 0, 0])
      + chunks.flatMap { chunk($0.0, $0.1) }
      + chunk("IDAT", [0x78, 1] + block + rows + big(b << 16 | a)) + chunk("IEND", [])
  }

  @Test(
    "Every layout comes back without loss, also quickly", arguments: codecLayouts, [false, true])
  func roundTrip(fourcc: UInt32, isQuick: Bool) throws {
    let scene = try CodecPicture.scene(fourcc, 53, 31)
    let picture = try Self.decode(Self.encode(scene, isQuick: isQuick)).picture
    let transparent = fourcc == VF_RGBA32 || fourcc == VF_BGRA32
    #expect(picture.fourcc == (fourcc == VF_GREY ? VF_GREY : transparent ? VF_RGBA32 : VF_RGB24))
    var expected = vf_image()
    if fourcc == VF_GREY {
      #expect(picture.samples == scene.samples)
    } else {
      try attempt { vf_image_to_rgb(&expected, &scene.image, &$0) }
      #expect(picture.samples == CodecPicture(expected).samples)
    }
  }

  @Test("An alpha plane is kept")
  func alphaPlane() throws {
    let scene = try CodecPicture(VF_I420, 6, 4, alpha: true)
    for plane in [
      scene.image.planes.0, scene.image.planes.1, scene.image.planes.2, scene.image.alpha,
    ] {
      for i in 0..<(2 * plane.stride) { plane.data![i] = 128 }
    }
    for y in 0..<4 {
      for x in 0..<6 {
        scene.image.alpha.data![y * scene.image.alpha.stride + x] = UInt8(10 * (6 * y + x))
        scene.image.planes.0.data![y * scene.image.planes.0.stride + x] = 100
      }
    }
    let samples = try Self.decode(Self.encode(scene)).picture.samples
    let alpha: [UInt8] = stride(from: 3, to: samples.count, by: 4).map { samples[$0] }
    let expected: [UInt8] = (0..<24).map { UInt8(10 * $0) }
    #expect(alpha == expected)
  }

  @Test("Limited range grey is widened")
  func limitedRange() throws {
    let scene = try CodecPicture(VF_GREY, 2, 1)
    (scene.image.planes.0.data![0], scene.image.planes.0.data![1]) = (16, 235)
    scene.image.limited_range = 1
    #expect(try Self.decode(Self.encode(scene)).picture.samples == [0, 255])
  }

  @Test("The eXIf chunk and the resolution are kept")
  func metadata() throws {
    let scene = try CodecPicture.scene(VF_GREY, 4, 4)
    let tiff = Array("II*\0\u{8}\0\0\0\0\0\0\0\0\0".utf8)
    let png = try Self.encode(scene, tiff: tiff, dotsPerInch: 300)
    #expect(try Self.decode(png).tiff == tiff)
    // There may be one (PNG, eXIf).
    #expect(png.ranges(of: Array("eXIf".utf8)).count == 1)
    let physical = Self.chunk("pHYs", [0, 0, 0x2E, 0x23, 0, 0, 0x2E, 0x23, 1])
    #expect(png.firstRange(of: physical) != nil)
    let plain = try Self.encode(scene)
    #expect(try Self.decode(plain).tiff.isEmpty)
    #expect(plain.firstRange(of: Array("pHYs".utf8)) == nil)
    #expect(failureCode { _ = try Self.encode(scene, tiff: Array("no TIFF data".utf8)) } == EINVAL)
  }

  @Test("16-bit samples keep their upper 8 bits")
  func sixteenBits() throws {
    let rgb = Self.file(width: 1, height: 1, depth: 16, type: 2, rows: [0, 1, 99, 2, 255, 3, 128])
    let picture = try Self.decode(rgb).picture
    #expect(picture.fourcc == VF_RGB24 && picture.samples == [1, 2, 3])
    let grey = Self.file(width: 2, height: 1, depth: 16, type: 0, rows: [0, 7, 200, 8, 0])
    #expect(try Self.decode(grey).picture.samples == [7, 8])
  }

  @Test("Palettes, few bits and transparency become the plain layouts")
  func expansions() throws {
    let palette: [(String, [UInt8])] = [("PLTE", [1, 2, 3, 4, 5, 6])]
    let indexed = Self.file(
      width: 3, height: 1, depth: 1, type: 3, rows: [0, 0b0100_0000], chunks: palette)
    #expect(try Self.decode(indexed).picture.samples == [1, 2, 3, 4, 5, 6, 1, 2, 3])
    let clear = Self.file(
      width: 2, height: 1, depth: 1, type: 3, rows: [0, 0b0100_0000],
      chunks: palette + [("tRNS", [9])])
    let transparent = try Self.decode(clear).picture
    #expect(transparent.fourcc == VF_RGBA32 && transparent.samples == [1, 2, 3, 9, 4, 5, 6, 255])
    let bits = Self.file(width: 4, height: 1, depth: 2, type: 0, rows: [0, 0b0001_1011])
    #expect(try Self.decode(bits).picture.samples == [0, 85, 170, 255])
    let greyAlpha = Self.file(width: 1, height: 1, depth: 8, type: 4, rows: [0, 50, 60])
    let grey = try Self.decode(greyAlpha).picture
    #expect(grey.fourcc == VF_RGBA32 && grey.samples == [50, 50, 50, 60])
  }

  /// The samples of the part of a picture's planes.
  private static func samples(_ picture: CodecPicture, _ part: vf_rectangle) throws -> [UInt8] {
    var (planar, cut) = (vf_image(), vf_image())
    try attempt { vf_image_to_planar(&planar, &picture.image, &$0) }
    let whole = CodecPicture(planar)
    try attempt {
      vf_image_crop(&cut, &whole.image, part.x, part.y, part.width, part.height, &$0)
    }
    return CodecPicture(cut).samples
  }

  @Test(
    "A part is what the whole picture has there, in planes",
    arguments: [VF_GREY, VF_RGB24, VF_RGBA32])
  func part(fourcc: UInt32) throws {
    let png = try Self.encode(CodecPicture.scene(fourcc, 33, 21))
    let whole = try Self.decode(png).picture
    for (x, y, width, height) in [(0, 0, 33, 21), (3, 5, 7, 9), (32, 20, 1, 1), (0, 7, 33, 1)] {
      let part = vf_rectangle(
        x: UInt32(x), y: UInt32(y), width: UInt32(width), height: UInt32(height))
      let cut = try Self.decode(png, part: part).picture
      #expect((cut.width, cut.height) == (part.width, part.height))
      #expect(cut.fourcc == (fourcc == VF_GREY ? VF_GREY : VF_I444))
      #expect((cut.image.alpha.data != nil) == (fourcc == VF_RGBA32))
      #expect(try cut.samples == Self.samples(whole, part))
    }
  }

  @Test("A part of a file that is cut behind it is there")
  func partOfCutFile() throws {
    // More than libpng looks ahead.
    let png = try Self.encode(CodecPicture.scene(VF_RGB24, 400, 400))
    let part = vf_rectangle(x: 1, y: 2, width: 9, height: 3)
    let whole = try Self.decode(png, part: part).picture.samples
    let cut = Array(png[..<(png.count * 3 / 4)])
    #expect(try Self.decode(cut, part: part).picture.samples == whole)
    #expect(failureCode { _ = try Self.decode(cut) } == EBADMSG)
  }

  @Test(
    "A part outside the picture is refused, and one that is to be scaled",
    arguments: [(0, 0, 10, 1), (9, 0, 1, 1), (0, 9, 1, 1), (1, 1, 9, 1), (0, 0, 1, 0)])
  func partOutside(x: UInt32, y: UInt32, width: UInt32, height: UInt32) throws {
    let png = try Self.encode(CodecPicture.scene(VF_GREY, 9, 9))
    let part = vf_rectangle(x: x, y: y, width: width, height: height)
    #expect(failureCode { _ = try Self.decode(png, part: part) } == EINVAL)
    let good = vf_rectangle(x: 0, y: 0, width: 4, height: 4)
    #expect(failureCode { _ = try Self.decode(png, to: (2, 2), part: good) } == EINVAL)
  }

  @Test("What takes more than 240 MiB at full size is refused before memory is taken")
  func fullSize() throws {
    let png = Self.file(width: 10_000, height: 9000, depth: 8, type: 2, rows: [0, 0])
    #expect(failureCode { _ = try Self.decode(png) } == EFBIG)
    let part = vf_rectangle(x: 0, y: 0, width: 9400, height: 9000)
    #expect(failureCode { _ = try Self.decode(png, part: part) } == EFBIG)
    #expect(failureCode { _ = try Self.decode(png, to: (10, 9)) } == EBADMSG)
  }

  @Test("A file cut anywhere is refused")
  func cut() throws {
    let png = try Self.encode(CodecPicture.scene(VF_RGB24, 9, 7))
    #expect(failureCode { _ = try Self.decode(png) } == 0)
    for count in 0..<png.count {
      #expect(failureCode { _ = try Self.decode(Array(png[..<count])) } == EBADMSG, "\(count)")
    }
  }

  @Test(
    "Claims of huge sizes fail before memory is taken",
    arguments: [(0x7FFF_FFFF, 0x7FFF_FFFF), (65_501, 1), (1, 65_501), (20_000, 20_000)]
      as [(UInt32, UInt32)])
  func hugeClaims(width: UInt32, height: UInt32) {
    let png = Self.file(width: width, height: height, depth: 8, type: 0, rows: [0, 0])
    #expect(failureCode { _ = try Self.decode(png) } == EFBIG)
  }

  @Test("An eXIf chunk that is too long is passed over")
  func hugeMetadata() throws {
    // One byte more than a chunk may have; the checksum was computed once.
    let payload = Array("II*\0\u{8}\0\0\0".utf8) + [UInt8](repeating: 0, count: (8 << 20) - 7)
    let chunk =
      [0x00, 0x80, 0x00, 0x01] + Array("eXIf".utf8) + payload + [0x1E, 0x91, 0x6B, 0x72]
    var png = Self.file(width: 1, height: 1, depth: 8, type: 0, rows: [0, 7])
    // After the signature and the header.
    png.insert(contentsOf: chunk, at: 33)
    let decoded = try Self.decode(png)
    #expect(decoded.picture.samples == [7] && decoded.tiff.isEmpty)
  }

  @Test("The pixel limit counts")
  func pixelLimit() throws {
    let png = try Self.encode(CodecPicture.scene(VF_GREY, 10, 10))
    #expect(failureCode { _ = try Self.decode(png, pixelLimit: 99) } == EFBIG)
    #expect(failureCode { _ = try Self.decode(png, pixelLimit: 100) } == 0)
  }

  @Test(
    "At a smaller size it is the whole picture scaled down",
    arguments: [VF_GREY, VF_RGB24, VF_RGBA32], [(53, 31), (52, 30), (20, 17), (5, 3), (1, 1)])
  func smaller(fourcc: UInt32, size: (UInt32, UInt32)) throws {
    let scene = try CodecPicture.scene(fourcc, 53, 31)
    let png = try Self.encode(scene)
    let picture = try Self.decode(png, to: size).picture
    #expect(picture.fourcc == fourcc && (picture.image.width, picture.image.height) == size)
    var failure = vf_failure()
    let shrinker = try #require(
      vf_shrinker_create(fourcc, 53, 31, size.0, size.1, &failure))
    defer { vf_shrinker_destroy(shrinker) }
    for y in 0..<31 {
      vf_shrinker_add(shrinker, scene.image.planes.0.data! + y * scene.image.planes.0.stride)
    }
    #expect(picture.samples == CodecPicture(vf_shrinker_take(shrinker)).samples)
  }

  @Test("A size larger than the picture's is refused")
  func larger() throws {
    let png = try Self.encode(CodecPicture.scene(VF_GREY, 9, 9))
    #expect(failureCode { _ = try Self.decode(png, to: (10, 9)) } == EINVAL)
    #expect(failureCode { _ = try Self.decode(png, to: (9, 10)) } == EINVAL)
    #expect(failureCode { _ = try Self.decode(png, to: (9, 0)) } == EINVAL)
  }

  /// An interlaced grey picture whose pixels are their place, column and row.
  private static func interlaced(_ width: Int, _ height: Int) -> [UInt8] {
    let passes = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2),
    ]
    var rows: [UInt8] = []
    for (left, top, across, down) in passes where left < width {
      for y in stride(from: top, to: height, by: down) {
        rows.append(0)
        for x in stride(from: left, to: width, by: across) { rows.append(UInt8(2 * x + 3 * y)) }
      }
    }
    var png = file(width: UInt32(width), height: UInt32(height), depth: 8, type: 0, rows: rows)
    let header = Array(png[16..<28]) + [1]
    png.replaceSubrange(8..<33, with: chunk("IHDR", header))
    return png
  }

  @Test(
    "An interlaced picture is decoded whole, and smaller from as many passes as that needs",
    arguments: [(33, 21), (1, 1), (3, 9), (40, 32)])
  func interlace(width: Int, height: Int) throws {
    let png = Self.interlaced(width, height)
    let whole = try Self.decode(png).picture.samples
    #expect(whole == (0..<width * height).map { UInt8(2 * ($0 % width) + 3 * ($0 / width)) })
    for divisor in [2, 3, 4, 8, 16] {
      let size = (UInt32(max(width / divisor, 1)), UInt32(max(height / divisor, 1)))
      let small = try Self.decode(png, to: size).picture.samples
      #expect(small.count == Int(size.0 * size.1))
      // Between the least and the greatest, and in order.
      #expect(small.min()! >= whole.min()! && small.max()! <= whole.max()!)
      #expect(zip(small, small.dropFirst()).allSatisfy { $0 <= $1 } || size.1 > 1)
      if size.1 > 1 { #expect(small[0] < small[small.count - 1]) }
    }
    let part = vf_rectangle(
      x: UInt32(width / 3), y: UInt32(height / 2), width: UInt32((width + 1) / 2),
      height: UInt32((height + 1) / 2))
    let cut = try Self.decode(png, part: part).picture.samples
    #expect(try cut == Self.samples(Self.decode(png).picture, part))
    for count in 0..<png.count {
      #expect(failureCode { _ = try Self.decode(Array(png[..<count]), to: (1, 1)) } == EBADMSG)
    }
  }

  @Test("Exif data behind the pixels are found, and damaged ones aren't")
  func lateExif() throws {
    var png = try Self.encode(CodecPicture.scene(VF_GREY, 1, 1))
    let tiff = Array("MM\0*\0\0\0\u{8}".utf8)
    png.insert(contentsOf: Self.chunk("eXIf", tiff), at: png.count - 12)
    #expect(try Self.decode(png).tiff == tiff)
    png[png.count - 13] ^= 1
    var info = vf_png_info()
    try attempt { vf_png_inspect(png, png.count, &info, &$0) }
    #expect(info.exif_length == 0)
  }

  @Test("The signature tells PNG from the rest")
  func matches() throws {
    let png = try Self.encode(CodecPicture.scene(VF_GREY, 1, 1))
    #expect(vf_png_matches(png, png.count) == 1)
    #expect(vf_png_matches(png, 7) == 0)
    #expect(vf_png_matches(Array(png.dropFirst()), png.count - 1) == 0)
    #expect(vf_png_matches([], 0) == 0)
  }

  @Test("Damaged bytes never crash it")
  func damagedBytes() throws {
    var generator = SplitMix(state: 5)
    let png = try Self.encode(
      CodecPicture.scene(VF_RGBA32, 20, 20), tiff: Array("II*\0\u{8}\0\0\0".utf8))
    var failures = 0
    for _ in 0..<1000 {
      let copy = damaged(png, using: &generator)
      do { _ = try Self.decode(copy, pixelLimit: 1_000_000) } catch { failures += 1 }
    }
    #expect(failures > 0)
  }
}
