import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// TIFF, GIF and BMP, made by hand.
@Suite struct PlainFormatTests {
  /// Decodes a file as the library would.
  static func decode(_ bytes: [UInt8], fitting box: Dimensions? = nil) throws -> PixelBuffer {
    let folder = try ScratchFolder()
    let path = folder.path.appending("a")
    try Data(bytes).write(to: path.url)
    let file = try FileReader(path)
    let info = try MediaReader.read(file)
    let reader = try PictureReader(path, info, file.status)
    return try box.map { box in try reader.picture(fitting: box) } ?? reader.picture()
  }

  /// The bytes of all pixels, in rows without padding.
  private func pixels(_ picture: PixelBuffer) -> [UInt8] {
    let channels = picture.pixelFormat == .grey ? 1 : picture.hasAlpha ? 4 : 3
    let (bytes, stride) = (picture.bytes(), picture.bytesPerRow())
    return (0..<picture.dimensions.height).flatMap { y in
      (0..<picture.dimensions.width * channels).map { bytes[y * stride + $0] }
    }
  }

  private static let (red, green, blue, white): ([UInt8], [UInt8], [UInt8], [UInt8]) = (
    [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]
  )
  private static let four: [UInt8] = red + green + blue + white

  @Test("Bitmaps of every depth are decoded", arguments: BMPSample.all)
  func bmp(sample: BMPSample) throws {
    let picture = try Self.decode(sample.file)
    #expect(picture.dimensions == Dimensions(width: 2, height: 2))
    #expect(pixels(picture) == sample.pixels ?? Self.four)
  }

  @Test("GIF pictures are decoded: rows in four passes, a part of the canvas, transparency")
  func gif() throws {
    #expect(try pixels(Self.decode(GIFSample.file())) == Self.four)
    let clear = try Self.decode(GIFSample.file(transparent: 1))
    #expect(
      pixels(clear) == [255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255])
    let part = try Self.decode(GIFSample.file(canvas: (3, 2), left: 1))
    #expect(part.dimensions == Dimensions(width: 3, height: 2))
    #expect(Array(pixels(part)[..<12]) == [0, 0, 0, 0, 255, 0, 0, 255, 0, 255, 0, 255])
    let rows: [UInt8] = [0, 1, 2, 3, 0, 1, 2, 3, 0, 1]
    // As the passes have them: every eighth row, those between, and so on.
    let stored: [UInt8] = [0, 8, 4, 2, 6, 1, 3, 5, 7, 9].map { rows[$0] }
    let interlaced = try Self.decode(
      GIFSample.file(canvas: (1, 10), size: (1, 10), indices: stored, isInterlaced: true))
    #expect(pixels(interlaced) == rows.flatMap { Array(Self.four[3 * Int($0)..<3 * Int($0) + 3]) })
  }

  @Test("A GIF whose codes grow to twelve bits and start anew is decoded")
  func longGIF() throws {
    var state = UInt32(7)
    let indices = (0..<120 * 120).map { _ -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 30)
    }
    let picture = try Self.decode(
      GIFSample.file(canvas: (120, 120), size: (120, 120), indices: indices))
    #expect(pixels(picture) == indices.flatMap { Array(Self.four[3 * Int($0)..<3 * Int($0) + 3]) })
  }

  @Test("TIFF pictures of every kind are decoded", arguments: TIFFSample.all)
  func tiff(sample: TIFFSample) throws {
    let picture = try Self.decode(sample.file)
    #expect(picture.dimensions == Dimensions(width: 2, height: 2))
    #expect(pixels(picture) == sample.pixels ?? Self.four)
  }

  @Test("A TIFF is turned as its orientation says, and its first page in full size counts")
  func pages() throws {
    var small = TIFFSample.rgb(samples: [UInt8](repeating: 9, count: 12))
    small[254] = .long(1)
    small[274] = .short(6)
    var turned = TIFFSample.rgb(samples: Self.four)
    turned[274] = .short(6)
    let picture = try Self.decode(TIFFBuilder.file([small, turned])).converted(to: .rgb24)
    // It may have gone through YCbCr.
    let expected = Self.blue + Self.red + Self.white + Self.green
    #expect(zip(pixels(picture), expected).allSatisfy { abs(Int($0) - Int($1)) < 4 })
  }

  private static let writers: [String] = ["/usr/bin/tiffcp"]

  @Test(
    "TIFF files as programs write them are decoded",
    .enabled(
      if: writers.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) },
      "needs Debian's libtiff-tools"),
    arguments: [
      ["-c", "lzw"], ["-c", "zip"], ["-c", "packbits"], ["-c", "jpeg", "-r", "16"], ["-t"],
      ["-p", "separate"],
      ["-t", "-w", "16", "-l", "16", "-c", "lzw"], ["-B"], ["-r", "1"], ["-8"],
    ])
  func programs(options: [String]) throws {
    let folder = try ScratchFolder()
    let (source, path) = (folder.path.appending("a.tif"), folder.path.appending("b.tif"))
    let size = Dimensions(width: 200, height: 120)
    let samples = try Array(PixelBuffer.quadrants(size).rgbBytes)
    try Data(TIFFSample.file(size, samples: samples)).write(to: source.url)
    _ = try output("/usr/bin/tiffcp", options + [source.description, path.description])
    let bytes = Array(try Data(contentsOf: path.url))
    #expect(try Self.decode(bytes).letters == "rgbw")
    let small = try Self.decode(bytes, fitting: Dimensions(width: 50, height: 50))
    #expect(small.dimensions == Dimensions(width: 50, height: 30))
    #expect(try small.letters == "rgbw")
  }

  @Test("A preview in a TIFF that can't be decoded is shown")
  func preview() throws {
    let jpeg = Array(try PixelBuffer.quadrants(.photo).jpegData())
    var directory = TIFFSample.rgb(samples: Self.four)
    directory[259] = .short(12345)
    directory[330] = .directories([
      [254: .long(1), 259: .short(7), 513: .place(jpeg), 514: .long(jpeg.count)]
    ])
    let picture = try Self.decode(
      TIFFBuilder.file([directory]), fitting: Dimensions(width: 100, height: 100))
    #expect(try picture.letters == "rgbw")
  }

  private static let samples: [[UInt8]] =
    BMPSample.all.map(\.file) + TIFFSample.all.map(\.file)
    + [
      GIFSample.file(), GIFSample.file(canvas: (3, 2), left: 1),
      GIFSample.file(canvas: (1, 10), size: (1, 10), indices: .init(repeating: 1, count: 10)),
    ]

  /// Decodes whatever it is, which mustn't crash.
  private func tryDecoding(_ path: FilePath) throws {
    let file = try FileReader(path)
    guard let decoder = PictureDecoder(try MediaReader.read(file).type) else { return }
    let info = try MediaReader.read(file)
    _ = try? decoder.picture(file, info, fitting: nil)
    _ = try? decoder.picture(file, info, fitting: Dimensions(width: 1, height: 1))
  }

  @Test("Cut anywhere, and with any byte changed, they are decoded or refused", arguments: samples)
  func hostile(bytes: [UInt8]) throws {
    let folder = try ScratchFolder()
    let path = folder.path.appending("a")
    for count in 0..<bytes.count {
      try Data(bytes[..<count]).write(to: path.url)
      try tryDecoding(path)
    }
    var state = UInt32(1)
    for place in bytes.indices {
      state = state &* 1_664_525 &+ 1_013_904_223
      for value in [0, 0xff, 0x7f, UInt8(truncatingIfNeeded: state >> 24)] {
        var changed = bytes
        changed[place] = value
        try Data(changed).write(to: path.url)
        try tryDecoding(path)
      }
    }
  }

  @Test("What claims to be huge is refused with its size, and takes no memory")
  func bombs() throws {
    let gif = GIFSample.file(canvas: (65_535, 65_535), size: (65_535, 65_535))
    var tiff = TIFFSample.rgb(samples: Self.four)
    (tiff[256], tiff[257]) = (.long(60_000), .long(60_000))
    var bmp = BMPSample.all[0].file
    bmp.replaceSubrange(18..<26, with: little(50_000, 4) + little(50_000, 4))
    var runs = try #require(BMPSample.all.first { $0.name == "runs" }).file
    runs.replaceSubrange(18..<26, with: little(14_000, 4) + little(14_000, 4))
    for file in [gif, TIFFBuilder.file([tiff]), bmp, runs] {
      for box in [nil, Dimensions(width: 128, height: 128)] {
        #expect { _ = try Self.decode(file, fitting: box) } throws: { error in
          if case PhotoLibraryError.unsupported = error { true } else { false }
        }
      }
    }
  }
}

extension PixelBuffer {
  /// Red, green and blue of each pixel.
  fileprivate var rgbBytes: [UInt8] {
    get throws {
      let rgb = try converted(to: .rgb24)
      let (bytes, stride) = (rgb.bytes(), rgb.bytesPerRow())
      return (0..<dimensions.height).flatMap { y in
        (0..<dimensions.width * 3).map { bytes[y * stride + $0] }
      }
    }
  }
}
