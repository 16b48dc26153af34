import Foundation
import Testing
import Viewfinder

/// What the simulated USB camera shows, and others: JPEG files that are all different.
struct CameraPictures {
  static let count = 16
  static let sizes = [(640, 480), (1280, 720), (1920, 1080)].map {
    Dimensions(width: $0, height: $1)
  }

  /// Made at first use, as long as the machine runs.
  static let shared = Result { try CameraPictures() }

  /// The files of a size, in the order in which the camera shows them.
  let files: [Dimensions: [Data]]
  let folder: URL

  private init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("camera")
    var files: [Dimensions: [Data]] = [:]
    for size in Self.sizes {
      let picture = try Self.drawing(size)
      files[size] = (0..<Self.count).map { Self.numbered(picture, $0) }
      let folder = folder.appendingPathComponent("\(size.width)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (number, file) in files[size]!.enumerated() {
        // In the order of their names.
        try file.write(to: folder.appendingPathComponent(String(format: "%02d.jpg", number)))
      }
    }
    (self.folder, self.files) = (folder, files)
  }

  /// Where the files of a size are.
  func folder(of size: Dimensions) -> URL { folder.appendingPathComponent("\(size.width)") }

  /// A picture with as much in it as a camera's: patches of 8 × 8 pixels in random colours.
  private static func drawing(_ size: Dimensions) throws -> Data {
    var pixels = Data(capacity: size.width * size.height * 2)
    for _ in 0..<(size.height + 7) / 8 {
      var row = Data()
      for _ in 0..<size.width / 8 {
        let color = (0..<3).map { _ in UInt8.random(in: 32...224) }
        for _ in 0..<4 { row += [color[0], color[1], color[0], color[2]] }
      }
      for _ in 0..<8 { pixels += row }
    }
    return try PixelBuffer(pixelFormat: .yuyv, dimensions: size, data: pixels).jpegData()
  }

  /// The file with a number, and a length, of its own: in a comment, which cameras may send.
  private static func numbered(_ file: Data, _ number: Int) -> Data {
    let length = 3 + 977 * number
    let comment = [0xff, 0xfe, UInt8(length >> 8), UInt8(length & 0xff), UInt8(number)]
    return file.prefix(2) + comment + Data(count: length - 3) + file.dropFirst(2)
  }

  /// The number of a frame's picture, or `nil` when it isn't byte for byte one of them.
  func number(of data: Data, _ size: Dimensions) -> Int? {
    let number = number(atStartOf: data, size)
    return number.flatMap { files[size]?[$0].count } == data.count ? number : nil
  }

  /// The number of the picture that data begins with, or `nil` when that is none.
  func number(atStartOf data: Data, _ size: Dimensions) -> Int? {
    guard let files = files[size], data.count > 6 else { return nil }
    let number = Int(data[data.startIndex + 6])
    return files.indices.contains(number) && data.prefix(files[number].count) == files[number]
      ? number : nil
  }

  /// The numbers of the pictures in a stream of JPEG files; ends with `nil` where it is none.
  func numbers(in stream: Data, _ size: Dimensions) -> [Int?] {
    var rest = stream, numbers: [Int?] = []
    while !rest.isEmpty {
      let number = number(atStartOf: rest, size)
      numbers.append(number)
      guard let number else { break }
      rest = rest.dropFirst(files[size]![number].count)
    }
    return numbers
  }

  /// What all the files of a size end with: everything but the marker segments at their start.
  func picture(_ size: Dimensions) throws -> Data {
    let file = try #require(files[size]?.first)
    return file[try #require(file.range(of: Data([0xff, 0xdb]))).lowerBound...]
  }
}
