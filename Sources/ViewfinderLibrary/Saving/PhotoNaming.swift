import Foundation

/// How to name new photos.
public enum PhotoNaming: Hashable, Sendable {
  /// As cameras do, by DCF 2.0 (JEITA CP-3461): `DCIM/100VWFND/VWF_0001.JPG`.
  ///
  /// The suffix has five characters of `0-9`, `A-Z` and `_`; the prefix has three of `0-9` and `A-Z`
  /// and ends in `_`, in whose place edited versions have an `E`. (DCF marks pictures in the Adobe RGB
  /// colour space by an underscore at the beginning: Viewfinder's are in sRGB.)
  case dcf(directorySuffix: String = "VWFND", filePrefix: String = "VWF_")

  /// By the local time of the capture, which desktops sort by: `IMG_20260412_153012_250.jpg`.
  case dateTime
}

extension PhotoNaming {
  /// The folder inside `folder` below which the names are given, and which is locked meanwhile.
  ///
  /// - Throws: ``PhotoLibraryError/invalidRequest(reason:)`` for a suffix or prefix against the rules.
  func root(in folder: FilePath) throws(PhotoLibraryError) -> FilePath {
    guard case .dcf(let suffix, let prefix) = self else { return folder }
    guard suffix.utf8.count == 5, suffix.utf8.allSatisfy(DCFName.isFree) else {
      throw .invalidRequest(
        reason: "“\(suffix)” can't end a DCF folder's name: take five of 0-9, A-Z and _.")
    }
    guard prefix.utf8.count == 4, prefix.hasSuffix("_"), !prefix.hasPrefix("_"),
      prefix.utf8.dropLast().allSatisfy({ DCFName.isFree($0) && $0 != UInt8(ascii: "_") })
    else {
      throw .invalidRequest(
        reason: "“\(prefix)” can't begin a DCF file's name: take three of 0-9 and A-Z, and _.")
    }
    return folder.appending("DCIM")
  }

  /// The names to try for new photos, from the first that nothing has.
  ///
  /// `root` must be locked until they are taken.
  func candidates(
    in root: FilePath, _ used: UsedNumbers
  ) throws(PhotoLibraryError) -> NameCandidates {
    switch self {
    case .dcf(let suffix, let prefix):
      .dcf(try DCFCandidates(root: root, suffix: suffix, prefix: prefix, used))
    case .dateTime: .dateTime(DateTimeCandidates(root: root))
    }
  }

  /// The ending of a file's name, as the scheme writes it.
  func pathExtension(of type: ContentType) -> String {
    if case .dcf = self { type.pathExtension.uppercased() } else { type.pathExtension }
  }
}

/// Paths without an ending that no photo has, one after another.
enum NameCandidates {
  case dcf(DCFCandidates)
  case dateTime(DateTimeCandidates)

  /// The next one, for a photo taken at `date`; for DCF its directory is made.
  mutating func next(_ date: CaptureDate) throws(PhotoLibraryError) -> FilePath {
    switch self {
    case .dcf(var candidates):
      defer { self = .dcf(candidates) }
      return try candidates.next()
    case .dateTime(var candidates):
      defer { self = .dateTime(candidates) }
      return try candidates.next(date)
    }
  }
}

/// Names such as `IMG_20260412_153012_250`, then the same followed by `_1`, `_2` and so on.
struct DateTimeCandidates {
  private let root: FilePath
  /// The last one, and how often it was asked for: a name that is given isn't taken yet.
  private var last: (stem: String, number: Int)?

  init(root: FilePath) { self.root = root }

  mutating func next(_ date: CaptureDate) throws(PhotoLibraryError) -> FilePath {
    let first = Self.stem(for: date)
    var number = last.map { $0.stem == first ? $0.number + 1 : 0 } ?? 0
    while number < 100_000 {
      let stem = root.appending(number == 0 ? first : "\(first)_\(number)")
      if stem.isFreeStem {
        last = (first, number)
        return stem
      }
      number += 1
    }
    throw .namesExhausted(folder: root.description)
  }

  /// The name for a date, whose year is kept within four digits.
  static func stem(for date: CaptureDate) -> String {
    var seconds = time_t(min(max(date.localSeconds, -62_167_219_200), 253_402_300_799))
    var parts = unsafe tm()
    _ = unsafe gmtime_r(&seconds, &parts)
    let milliseconds = min(max(Int(date.nanoseconds ?? 0) / 1_000_000, 0), 999)
    return unsafe String(
      format: "IMG_%04d%02d%02d_%02d%02d%02d_%03d", Int(parts.tm_year) + 1900, parts.tm_mon + 1,
      parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, milliseconds)
  }
}
