import Foundation
import Viewfinder

/// Small photos in folders, no two alike: what a library may find.
///
/// Nine of ten are JPEGs of 640 × 480 pixels with Exif data and a thumbnail, each with a date and a
/// comment of its own. The others are JPEGs without Exif data and small PNGs.
struct TestPhotos {
  static let filesPerFolder = 500
  /// More than a file takes on the disk, index included.
  static let spacePerFile = 24 << 10

  private let photo: Data
  /// Where the Exif data ends: comments follow it.
  private let exifEnd: Int
  /// Where the dates are, 19 characters each.
  private let dates: [Range<Int>]

  /// Takes a photo with a simulated camera; all others are made of it.
  init() async throws {
    photo = try await Self.takePhoto()
    // Exif data is the first segment: SOI, APP1, length.
    exifEnd = 4 + Int(photo[4]) << 8 + Int(photo[5])
    dates = Self.dates(in: photo[..<exifEnd])
    guard photo[2...3] == Data([0xff, 0xe1]), !dates.isEmpty else {
      throw Failure("The simulated camera's photo has no Exif data.")
    }
  }

  private static func takePhoto() async throws -> Data {
    let session = CaptureSession()
    let output = CapturePhotoOutput()
    let camera = try SimulatedCamera()
    try session.configure {
      try session.setSessionPreset(.low)
      try session.addInput(CaptureDeviceInput(device: camera.device))
      try session.addOutput(output)
    }
    try await session.startRunning()
    var settings = CapturePhotoSettings()
    settings.quality = 0.1
    let photo = try await output.capturePhoto(with: settings)
    await session.stopRunning()
    let data = photo.fileDataRepresentation()
    return data
  }

  private static func dates(in data: Data) -> [Range<Int>] {
    let pattern = Array("0000:00:00 00:00:00".utf8)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return (0..<data.count - pattern.count).map { $0..<$0 + pattern.count }.filter { range in
      zip(data[range], pattern).allSatisfy {
        digits.contains($1) ? digits.contains($0) : $0 == $1
      }
    }
  }

  /// Writes `count` files, in as many folders as that takes.
  func write(_ count: Int, to root: URL) throws {
    for number in 0..<count {
      let url = Self.url(number, in: root)
      if number % Self.filesPerFolder == 0 {
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      }
      try data(number).write(to: url)
    }
  }

  /// Where file `number` is.
  static func url(_ number: Int, in root: URL) -> URL {
    let name = String(format: "IMG_%06d.%@", number, number % 20 == 19 ? "png" : "jpg")
    return root.appending(path: "Folder \(number / filesPerFolder)/\(name)")
  }

  /// What file `number` holds.
  func data(_ number: Int) throws -> Data {
    switch number % 20 {
    case 19: try png(number)
    case 9: jpeg(number, hasExif: false)
    default: jpeg(number, hasExif: true)
    }
  }

  private func jpeg(_ number: Int, hasExif: Bool) -> Data {
    var exif = photo[..<exifEnd]
    // Days apart and out of order, as when several cameras' photos come together.
    let moment = Date(timeIntervalSince1970: Double(number * 7919 % 100_003) * 4000 + 1e9)
    for range in dates { exif.replaceSubrange(range, with: Self.text(moment).utf8) }
    let comment = Data("Number \(number)".utf8) + Data(count: number % 5 * 1024)
    let length = comment.count + 2
    return (hasExif ? exif : photo[..<2])
      + [0xff, 0xfe, UInt8(length >> 8), UInt8(length & 0xff)] + comment + photo[exifEnd...]
  }

  private static func text(_ moment: Date) -> String {
    var seconds = time_t(moment.timeIntervalSince1970)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return String(
      format: "%04d:%02d:%02d %02d:%02d:%02d", parts.tm_year + 1900, parts.tm_mon + 1,
      parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec)
  }

  private func png(_ number: Int) throws -> Data {
    let pixels = (0..<64 * 64).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number >> ($0 % 16)) }
    return try PixelBuffer(
      pixelFormat: .grey, dimensions: Dimensions(width: 64, height: 64), data: Data(pixels)
    ).pngData()
  }
}
