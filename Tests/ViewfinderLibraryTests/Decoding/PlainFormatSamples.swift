import Foundation
import Testing
import Viewfinder

/// Bitmaps of 2 × 2 pixels, red and green over blue and white where nothing else is said.
struct BMPSample: Sendable, CustomTestStringConvertible {
  let name: String
  let file: [UInt8]
  var pixels: [UInt8]?

  var testDescription: String { name }

  /// Rows are stored last one first, and padded to four bytes.
  private init(
    _ name: String, bits: Int, rows: [UInt8], colors: [UInt8] = [], compression: Int = 0,
    masks: [UInt8] = [], height: Int = 2, headerSize: Int = 40, pixels: [UInt8]? = nil
  ) {
    var header: [UInt8]
    if headerSize == 12 {
      header = little(12, 4) + little(2, 2) + little(2, 2) + little(1, 2) + little(bits, 2)
    } else {
      header = little(headerSize, 4) + little(2, 4) + little(height, 4) + little(1, 2)
      header += little(bits, 2) + little(compression, 4) + zeros(12)
      header += little(colors.count / 4, 4) + zeros(4) + masks
      header += zeros(max(headerSize - header.count, 0))
    }
    let offset = 14 + header.count + colors.count
    self.name = name
    file = text("BM") + zeros(8) + little(offset, 4) + header + colors + rows
    self.pixels = pixels
  }

  private static let (r, g, b, w): ([UInt8], [UInt8], [UInt8], [UInt8]) = (
    [0, 0, 255], [0, 255, 0], [255, 0, 0], [255, 255, 255]
  )
  private static let palette: [UInt8] = [
    0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0,
  ]
  private static let masks565: [UInt8] = [0, 0xf8, 0, 0, 0xe0, 7, 0, 0, 0x1f, 0, 0, 0]
  private static let masks8888: [UInt8] = [
    255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255,
  ]

  static let all: [BMPSample] = plain + masked + runs

  private static let plain: [BMPSample] = [
    BMPSample("24 bits", bits: 24, rows: b + w + [0, 0] + r + g + [0, 0]),
    BMPSample("top down", bits: 24, rows: r + g + [0, 0] + b + w + [0, 0], height: -2),
    BMPSample("32 bits", bits: 32, rows: b + [0] + w + [9] + r + [7] + g + [0]),
    BMPSample("8 bits", bits: 8, rows: [2, 3, 0, 0, 0, 1, 0, 0], colors: palette),
    BMPSample("4 bits", bits: 4, rows: [0x23, 0, 0, 0, 0x01, 0, 0, 0], colors: palette),
    BMPSample("2 bits", bits: 2, rows: [0xb0, 0, 0, 0, 0x10, 0, 0, 0], colors: palette),
    BMPSample(
      "1 bit", bits: 1, rows: [0x40, 0, 0, 0, 0x80, 0, 0, 0], colors: Array(palette[..<8]),
      pixels: [0, 255, 0, 255, 0, 0, 255, 0, 0, 0, 255, 0]),
    BMPSample(
      "OS/2", bits: 8, rows: [2, 3, 0, 0, 0, 1, 0, 0], colors: r + g + b + w, headerSize: 12),
  ]

  private static let masked: [BMPSample] = [
    BMPSample("15 bits", bits: 16, rows: [0x1f, 0, 0xff, 0x7f, 0, 0x7c, 0xe0, 3]),
    BMPSample(
      "16 bits with masks", bits: 16, rows: [0x1f, 0, 0xff, 0xff, 0, 0xf8, 0xe0, 7],
      compression: 3, masks: masks565),
    BMPSample(
      "coverage", bits: 32, rows: [0, 0, 255, 1, 255, 255, 255, 2, 255, 0, 0, 3, 0, 255, 0, 4],
      compression: 3, masks: masks8888, headerSize: 108,
      pixels: [255, 0, 0, 3, 0, 255, 0, 4, 0, 0, 255, 1, 255, 255, 255, 2]),
  ]

  private static let runs: [BMPSample] = [
    BMPSample(
      "runs", bits: 8, rows: [1, 2, 1, 3, 0, 0, 0, 2, 0, 0, 1, 0, 1, 1, 0, 1], colors: palette,
      compression: 1, pixels: [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]),
    BMPSample(
      "runs of 4 bits", bits: 4, rows: [2, 0x23, 0, 0, 2, 0x01, 0, 1], colors: palette,
      compression: 2),
  ]
}

/// GIF files with a palette of red, green, blue and white.
enum GIFSample {
  /// Of 2 × 2 pixels where nothing else is said.
  static func file(
    canvas: (Int, Int) = (2, 2), left: Int = 0, size: (Int, Int) = (2, 2),
    indices: [UInt8] = [0, 1, 2, 3], transparent: UInt8? = nil, isInterlaced: Bool = false
  ) -> [UInt8] {
    var file = text("GIF89a") + little(canvas.0, 2) + little(canvas.1, 2) + [0x81, 0, 0]
    file += [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]
    file += [0x21, 0xfe, 2] + text("hi") + [0]
    if let transparent { file += [0x21, 0xf9, 4, 1, 0, 0, transparent, 0] }
    file += [0x2c] + little(left, 2) + [0, 0] + little(size.0, 2) + little(size.1, 2)
    file += [isInterlaced ? 0x40 : 0, 2] + blocks(codes(indices)) + [0x3b]
    return file
  }

  private static func blocks(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: 255).flatMap { start in
      let part = bytes[start..<min(start + 255, bytes.count)]
      return [UInt8(part.count)] + part
    } + [0]
  }

  /// LZW as encoders write it.
  private static func codes(_ indices: [UInt8]) -> [UInt8] {
    let (clear, end) = (4, 5)
    var (bytes, bit, width): ([UInt8], Int, Int) = ([], 0, 3)
    func write(_ code: Int) {
      for i in 0..<width {
        if bit % 8 == 0 { bytes.append(0) }
        if code >> i & 1 == 1 { bytes[bit / 8] |= 1 << UInt8(bit % 8) }
        bit += 1
      }
    }
    var table: [[UInt8]: Int] = [:]
    var run: [UInt8] = []
    write(clear)
    func code(_ run: [UInt8]) -> Int { run.count == 1 ? Int(run[0]) : table[run] ?? 0 }
    for index in indices {
      if run.isEmpty || table[run + [index]] != nil {
        run.append(index)
        continue
      }
      write(code(run))
      let next = table.count + 6
      table[run + [index]] = next
      if next == 1 << width { width += 1 }
      if next == 4095 {
        // Encoders start anew when the table is full.
        write(clear)
        (table, width) = ([:], 3)
      }
      run = [index]
    }
    if !run.isEmpty { write(code(run)) }
    write(end)
    return bytes
  }
}

/// TIFF files of 2 × 2 pixels, red and green over blue and white where nothing else is said.
struct TIFFSample: Sendable, CustomTestStringConvertible {
  let name: String
  let file: [UInt8]
  var pixels: [UInt8]?

  var testDescription: String { name }

  private init(
    _ name: String, _ directory: TIFFBuilder.Directory, little isLittle: Bool = true,
    pixels: [UInt8]? = nil
  ) {
    self.name = name
    file = TIFFBuilder.file([directory], little: isLittle)
    self.pixels = pixels
  }

  /// An RGB picture of 2 × 2 pixels.
  static func rgb(samples: [UInt8]) -> TIFFBuilder.Directory {
    directory(Dimensions(width: 2, height: 2), bits: [8, 8, 8], photometric: 2, samples)
  }

  static func file(_ size: Dimensions, samples: [UInt8]) -> [UInt8] {
    TIFFBuilder.file([directory(size, bits: [8, 8, 8], photometric: 2, samples)])
  }

  private static func directory(
    _ size: Dimensions = Dimensions(width: 2, height: 2), bits: [Int], photometric: Int,
    _ samples: [UInt8], _ more: TIFFBuilder.Directory = [:]
  ) -> TIFFBuilder.Directory {
    let directory: TIFFBuilder.Directory = [
      256: .long(size.width), 257: .long(size.height), 258: .short(bits), 259: .short(1),
      262: .short(photometric), 273: .place(samples), 277: .short(bits.count),
      278: .long(size.height), 279: .long(samples.count),
    ]
    return directory.merging(more) { $1 }
  }

  private static let four: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]
  private static let colors: [Int] = [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255]
  private static let packed: [UInt8] = [5, 255, 0, 0, 0, 255, 0, 2, 0, 0, 255, 0xfe, 255]

  static let all: [TIFFSample] = [
    TIFFSample("RGB", rgb(samples: four)),
    TIFFSample("RGB, big-endian", rgb(samples: four), little: false),
    TIFFSample(
      "16 bits",
      directory(bits: [16, 16, 16], photometric: 2, four.flatMap { [77, $0] as [UInt8] })),
    TIFFSample(
      "grey", directory(bits: [8], photometric: 1, [1, 2, 3, 250]), pixels: [1, 2, 3, 250]),
    TIFFSample(
      "grey, 0 is white", directory(bits: [8], photometric: 0, [1, 2, 3, 250]),
      pixels: [254, 253, 252, 5]),
    TIFFSample(
      "black and white", directory(bits: [1], photometric: 1, [0x40, 0x80]),
      pixels: [0, 0, 0, 255, 255, 255, 255, 255, 255, 0, 0, 0]),
    TIFFSample(
      "palette",
      directory(
        bits: [2], photometric: 3, [0x10, 0xb0], [320: .short(colors.map { $0 * 257 })])),
    TIFFSample(
      "coverage",
      directory(
        bits: [8, 8, 8, 8], photometric: 2,
        [255, 0, 0, 9, 0, 255, 0, 8, 0, 0, 255, 7, 255, 255, 255, 0], [338: .short(2)]),
      pixels: [255, 0, 0, 9, 0, 255, 0, 8, 0, 0, 255, 7, 255, 255, 255, 0]),
    TIFFSample(
      "colours times coverage",
      directory(
        bits: [8, 8, 8, 8], photometric: 2,
        [100, 0, 0, 100, 0, 20, 0, 40, 0, 0, 255, 255, 0, 0, 0, 0], [338: .short(1)]),
      pixels: [255, 0, 0, 100, 0, 128, 0, 40, 0, 0, 255, 255, 0, 0, 0, 0]),
    TIFFSample(
      "CMYK",
      directory(
        bits: [8, 8, 8, 8], photometric: 5,
        [0, 255, 255, 0, 255, 0, 255, 0, 255, 255, 0, 0, 0, 0, 0, 0])),
    TIFFSample(
      "PackBits",
      directory(
        bits: [8, 8, 8], photometric: 2,
        packed, [259: .short(32773)])),
  ]
}
