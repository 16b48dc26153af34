public import Foundation
import Viewfinder

/// A file or folder in the trash.
public struct TrashedFile: Hashable, Sendable {
  /// Where it was.
  let original: FilePath
  /// Where it is now.
  let file: FilePath
  /// What tells desktops of it.
  let info: FilePath
  /// When it was put there.
  let date: TrashDate

  /// Where it was.
  public var originalURL: URL { original.url }

  /// Where it is now.
  public var fileURL: URL { file.url }

  /// The trash's folder: the user's own, or one at the top of the file's disk.
  public var trashURL: URL { file.folder.folder.url }

  /// When it was put there, to the second; `nil` when that isn't known.
  public var deletionDate: Date? { date.moment }
}

/// When something was put into the trash: local time without a zone, such as "2026-04-12T15:30:12".
struct TrashDate: Hashable, Sendable, Comparable {
  let text: String

  static var now: TrashDate {
    var (seconds, parts) = unsafe (time(nil), tm())
    guard unsafe localtime_r(&seconds, &parts) != nil else {
      return TrashDate(text: "1970-01-01T00:00:00")
    }
    return TrashDate(
      text: unsafe String(
        format: "%04d-%02d-%02dT%02d:%02d:%02d", Int(parts.tm_year) + 1900, parts.tm_mon + 1,
        parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec))
  }

  /// The moment, by the clock of this computer; `nil` for what is no date.
  var moment: Date? {
    guard
      let parts = text.wholeMatch(
        of: /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?/)?.output
    else { return nil }
    let date = DateComponents(
      timeZone: .current, year: Int(parts.1), month: Int(parts.2), day: Int(parts.3),
      hour: Int(parts.4), minute: Int(parts.5), second: Int(parts.6))
    return Calendar(identifier: .gregorian).date(from: date)
  }

  static func < (a: TrashDate, b: TrashDate) -> Bool { a.text < b.text }
}

/// What a `.trashinfo` file says.
struct TrashInfo {
  /// Where the file was: a whole path in the home's trash, else one from the top of the file system.
  let path: FilePath
  let date: TrashDate

  init(path: FilePath, date: TrashDate) { (self.path, self.date) = (path, date) }

  /// Far more than any path has.
  private static let maximumSize = 1 << 16

  /// Reads a file; `nil` for one that tells nothing.
  init?(_ file: FilePath) {
    guard let data = try? FileReader(file).readAll(limit: Self.maximumSize) else { return nil }
    let lines = data.split(separator: UInt8(ascii: "\n"))
    guard let first = lines.first, first.elementsEqual("[Trash Info]".utf8) else { return nil }
    // By the specification, the first of several counts.
    func value(_ key: String) -> [UInt8]? {
      lines.first { $0.starts(with: key.utf8) }.map { Array($0.dropFirst(key.utf8.count)) }
    }
    guard let path = value("Path=") else { return nil }
    let bytes = FileSystem.percentDecoded(path)
    guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
    self.path = FilePath(bytes: bytes)
    date = TrashDate(text: String(decoding: value("DeletionDate=") ?? [], as: UTF8.self))
  }

  /// The file's text.
  var text: String { "[Trash Info]\nPath=\(path.escaped)\nDeletionDate=\(date.text)\n" }
}
