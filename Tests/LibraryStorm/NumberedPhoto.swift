import Foundation
import Viewfinder

/// Tiny photos that each hold another number, by which they are known wherever they go.
enum NumberedPhoto {
  private static let picture: Data = {
    let grey = Data((0..<16 * 8).map { UInt8($0) })
    let buffer = try? PixelBuffer(
      pixelFormat: .grey, dimensions: Dimensions(width: 16, height: 8), data: grey)
    return (try? buffer?.jpegData()) ?? Data()
  }()

  /// Where the number stands: in a comment behind the start marker.
  private static let (start, digits) = (6, 12)

  static func data(_ number: Int) -> Data {
    let text = String(format: "%0\(digits)d", number)
    let comment = [0xff, 0xfe, 0, UInt8(digits + 2)] + Array(text.utf8)
    return picture.prefix(2) + comment + picture.dropFirst(2)
  }

  /// The number of the photo at a path; `nil` when there is none.
  static func number(at url: URL) -> Int? {
    guard let file = try? FileHandle(forReadingFrom: url),
      let data = try? file.read(upToCount: start + digits), data.count == start + digits
    else { return nil }
    return Int(String(decoding: data.dropFirst(start), as: UTF8.self))
  }

  /// Writes another number over that of a file, which keeps its size, as a program does that edits in place; returns the
  /// old number.
  static func overwrite(_ number: Int, at url: URL) -> Int? {
    guard let file = try? FileHandle(forUpdating: url),
      let data = try? file.read(upToCount: start + digits), data.count == start + digits
    else { return nil }
    let text = Data(String(format: "%0\(digits)d", number).utf8)
    try? file.seek(toOffset: UInt64(start))
    try? file.write(contentsOf: text)
    return Int(String(decoding: data.dropFirst(start), as: UTF8.self))
  }

  /// The photos below a folder with their numbers, hidden files left out, in the order of their paths.
  static func all(in folder: URL) -> [(url: URL, number: Int)] {
    let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
    return names.sorted().compactMap { name in
      guard !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) else { return nil }
      let url = folder.appending(path: name)
      return number(at: url).map { (url, $0) }
    }
  }
}
