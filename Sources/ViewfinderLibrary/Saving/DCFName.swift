import Foundation

/// The names of DCF 2.0 (JEITA CP-3461): directories such as `100VWFND`, files such as `VWF_0001.JPG`.
///
/// Capital letters aren't insisted on when reading: FAT may be mounted with small ones.
enum DCFName {
  /// Whether a character may stand where makers choose.
  static func isFree(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// The number of a directory, from 100 to 999.
  static func directoryNumber(_ name: FilePath) -> Int? {
    guard name.bytes.count == 8, name.bytes.dropFirst(3).allSatisfy(isFreeInAnyCase) else {
      return nil
    }
    return number(name.bytes.prefix(3)).flatMap { $0 >= 100 ? $0 : nil }
  }

  /// The number of a file, from 1 to 9999, whatever its prefix and ending.
  static func fileNumber(_ name: FilePath) -> Int? {
    let stem = name.bytes.prefix { $0 != UInt8(ascii: ".") }
    guard stem.count == 8, stem.prefix(4).allSatisfy(isFreeInAnyCase) else { return nil }
    return number(stem.suffix(4)).flatMap { $0 >= 1 ? $0 : nil }
  }

  private static func isFreeInAnyCase(_ byte: UInt8) -> Bool {
    isFree(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    digits.reduce(0) { number, digit in
      guard let number, digit.isASCIIDigit else { return nil }
      return number * 10 + Int(digit - UInt8(ascii: "0"))
    }
  }
}

/// The numbers after the highest one in use, then those of a new directory.
struct DCFCandidates {
  private let root: FilePath
  private let suffix: String
  private let prefix: String
  /// The highest number of any maker's directory.
  private var highest: Int
  private var directory: FilePath?
  private var number = 0

  init(root: FilePath, suffix: String, prefix: String) throws(PhotoLibraryError) {
    (self.root, self.suffix, self.prefix) = (root, suffix, prefix)
    let directories = try root.names().compactMap { name in
      DCFName.directoryNumber(name).map { (number: $0, name: name) }
    }
    highest = directories.map(\.number).max() ?? 99
    // Other makers' directories are left alone.
    let own = directories.filter { $0.name.bytes.dropFirst(3).elementsEqual(suffix.utf8) }
    guard let last = own.max(by: { $0.number < $1.number }) else { return }
    let path = root.appending(last.name)
    guard FileStatus(of: path)?.kind == .folder else { return }
    directory = path
    number = try path.names().compactMap(DCFName.fileNumber).max() ?? 0
  }

  mutating func next() throws(PhotoLibraryError) -> FilePath {
    if let directory, number < 9999 {
      number += 1
      return directory.appending(prefix + String(format: "%04d", number))
    }
    guard highest < 999 else { throw .namesExhausted(folder: root.description) }
    highest += 1
    let path = root.appending("\(highest)\(suffix)")
    let code = path.makeOneFolder(mode: 0o777)
    // Somebody else's since the scan: its numbers aren't known, so the next one it is.
    if code == EEXIST { return try next() }
    guard code == 0 else { throw .cannotWrite(path: path.description, code: code) }
    (directory, number) = (path, 0)
    return try next()
  }
}
