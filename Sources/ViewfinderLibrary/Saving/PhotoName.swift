import Foundation

/// What a file's name says of its part in a photo: which photo, and whether it is the edited version.
///
/// The rule for Viewfinder's own names, and the only place that knows it: the edited version of
/// `VWF_0001.JPG` is `VWFE0001.JPG`, because DCF leaves only the prefix to tell files of one number
/// apart; of any other name, such as `IMG_20260412_153012_250.jpg`, it is `STEM-edited.EXT`. Other
/// programs' habits are understood too: `IMG_E1234` beside `IMG_1234` (Apple), `NAME~2` (Google),
/// `NAME_edited` and `NAME-Edit` (Lightroom).
///
/// A name alone proves nothing: `VWFE0001.JPG` is an edited version only where there is a file with the
/// stem `VWF_0001`, else it is a photo of its own.
struct PhotoName: Hashable, Sendable {
  enum Role: Hashable, Sendable { case original, edited }

  /// What the names of all files of the photo begin with: the original's name without its ending.
  let stem: FilePath
  let role: Role

  private init(stem: some Sequence<UInt8>, role: Role) {
    self.stem = FilePath(bytes: Array(stem))
    self.role = role
  }

  /// Tells the photo and the role from a name, with or without an ending.
  init(_ name: FilePath) {
    let stem = name.stem.bytes
    if let original = Self.original(of: stem) {
      self.init(stem: original, role: .edited)
    } else {
      self.init(stem: stem, role: .original)
    }
  }

  /// The name of the edited version of a photo, without its ending.
  static func edited(of name: FilePath) -> FilePath {
    var stem = name.stem
    if isDCF(stem.bytes, mark: UInt8(ascii: "_")) {
      stem.bytes[3] = UInt8(ascii: "E")
    } else {
      stem.bytes += Array("-edited".utf8)
    }
    return stem
  }

  /// The stem of the original when a stem looks like an edited version's.
  private static func original(of stem: [UInt8]) -> [UInt8]? {
    if isDCF(stem, mark: UInt8(ascii: "E")) {
      return stem.prefix(3) + [UInt8(ascii: "_")] + stem.suffix(4)
    }
    if stem.count >= 9, isUpper(stem[..<3]), stem[3] == UInt8(ascii: "_"),
      stem[4] == UInt8(ascii: "E"), stem[5...].allSatisfy(\.isASCIIDigit)
    {
      return Array(stem[..<4] + stem[5...])
    }
    for ending in ["-edited", "_edited", "-edit", "~2", "~3", "~4", "~5", "~6", "~7", "~8", "~9"] {
      let count = ending.utf8.count
      if stem.count > count, stem.suffix(count).map(\.asciiLowercased).elementsEqual(ending.utf8) {
        return stem.dropLast(count)
      }
    }
    return nil
  }

  /// Whether a stem is three capital letters or digits, `mark`, and a number of four digits.
  private static func isDCF(_ stem: [UInt8], mark: UInt8) -> Bool {
    stem.count == 8 && stem[3] == mark && stem[4...].allSatisfy(\.isASCIIDigit)
      && stem[..<3].allSatisfy { DCFName.isFree($0) && $0 != UInt8(ascii: "_") }
  }

  private static func isUpper(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }
}
