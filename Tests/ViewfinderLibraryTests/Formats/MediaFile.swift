import Foundation
import Testing

@testable import ViewfinderLibrary

/// A file to read, removed afterwards.
final class MediaFile {
  private let url: URL
  private let path: FilePath
  private let handle: FileHandle

  init(_ bytes: [UInt8] = []) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "viewfinder-formats-\(UUID().uuidString)")
    path = FilePath(url)
    try Data(bytes).write(to: url)
    handle = try FileHandle(forUpdating: url)
  }

  deinit {
    try? handle.close()
    try? FileManager.default.removeItem(at: url)
  }

  /// Puts bytes at an offset, far behind the others if need be.
  func put(_ bytes: [UInt8], at offset: UInt64) throws {
    try handle.seek(toOffset: offset)
    try handle.write(contentsOf: Data(bytes))
  }

  func info() throws -> MediaInfo { try MediaReader.read(FileReader(path)) }

  /// How much is read to tell what it is.
  func cost() throws -> (info: MediaInfo, bytes: Int, reads: Int) {
    let windows = FileWindows(try FileReader(path))
    let info = try MediaReader.read(windows)
    return (info, windows.bytesRead, windows.readCount)
  }
}

/// What a file of these bytes is.
func mediaInfo(_ bytes: [UInt8]) throws -> MediaInfo { try MediaFile(bytes).info() }

// MARK: Bytes

func big(_ value: Int, _ size: Int) -> [UInt8] {
  (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

func little(_ value: Int, _ size: Int) -> [UInt8] { big(value, size).reversed() }

func text(_ text: String) -> [UInt8] { Array(text.utf8) }

func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

// MARK: JPEG, PNG

func jpegSegment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
  [0xff, marker] + big(content.count + 2, 2) + content
}

func exifSegment(_ tiff: [UInt8]) -> [UInt8] { jpegSegment(0xe1, text("Exif\0\0") + tiff) }

/// A JPEG's headers with an empty scan.
func jpeg(_ width: Int, _ height: Int, frame: UInt8 = 0xc0, _ segments: [UInt8] = []) -> [UInt8] {
  [0xff, 0xd8] + segments
    + jpegSegment(frame, [8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0])
    + jpegSegment(0xda, [1, 1, 0, 0, 63, 0]) + [0, 0xff, 0xd9]
}

func pngChunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
  big(content.count, 4) + text(type) + content + zeros(4)
}

func png(_ width: Int, _ height: Int, before: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    + pngChunk("IHDR", big(width, 4) + big(height, 4) + [8, 2, 0, 0, 0]) + before
    + pngChunk("IDAT", [1, 2, 3]) + after + pngChunk("IEND", [])
}

// MARK: Boxes, chunks and elements

func box(_ type: String, _ contents: [UInt8]...) -> [UInt8] {
  let content = contents.flatMap { $0 }
  // "©" is one byte here.
  let type = type.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  return big(content.count + 8, 4) + type + content
}

func riffChunk(_ type: String, _ contents: [UInt8]...) -> [UInt8] {
  let content = contents.flatMap { $0 }
  return text(type) + little(content.count, 4) + content + zeros(content.count % 2)
}

func ebml(_ id: Int, _ contents: [UInt8]...) -> [UInt8] {
  let content = contents.flatMap { $0 }
  let id = Array(big(id, 4).drop { $0 == 0 })
  return id + [0x10 | UInt8(content.count >> 24)] + big(content.count, 3) + content
}
