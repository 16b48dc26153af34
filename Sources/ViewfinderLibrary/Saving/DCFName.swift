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
  private let used: UsedNumbers
  private var last: UsedNumbers.Last
  /// How many names after the last one that this process gave are tried, before the folder is read: other
  /// processes save photos, too.
  private var triesLeft = 0

  init(
    root: FilePath, suffix: String, prefix: String, _ used: UsedNumbers
  ) throws(PhotoLibraryError) {
    (self.root, self.suffix, self.prefix, self.used) = (root, suffix, prefix, used)
    if let last = used.last(root, suffix, prefix), FileStatus(of: last.directory)?.kind == .folder {
      self.last = last
      triesLeft = 32
    } else {
      last = try Self.read(root, suffix)
    }
  }

  /// Reads which numbers there are.
  private static func read(_ root: FilePath, _ suffix: String) throws(PhotoLibraryError)
    -> UsedNumbers.Last
  {
    let directories = try root.names().compactMap { name in
      DCFName.directoryNumber(name).map { (number: $0, name: name) }
    }
    let highest = directories.map(\.number).max() ?? 99
    // Other makers' directories are left alone.
    let own = directories.filter { $0.name.bytes.dropFirst(3).elementsEqual(suffix.utf8) }
    guard let newest = own.max(by: { $0.number < $1.number }) else {
      return UsedNumbers.Last(directory: root, number: 9999, highest: highest)
    }
    let path = root.appending(newest.name)
    guard FileStatus(of: path)?.kind == .folder else {
      return UsedNumbers.Last(directory: root, number: 9999, highest: highest)
    }
    let number = try path.names().compactMap(DCFName.fileNumber).max() ?? 0
    return UsedNumbers.Last(directory: path, number: number, highest: highest)
  }

  mutating func next() throws(PhotoLibraryError) -> FilePath {
    while triesLeft > 0, last.number < 9999 {
      triesLeft -= 1
      let path = try following()
      if path.isFreeStem { return path }
      if triesLeft == 0 { last = try Self.read(root, suffix) }
    }
    return try following()
  }

  private mutating func following() throws(PhotoLibraryError) -> FilePath {
    if last.number < 9999 {
      last.number += 1
    } else {
      try makeDirectory()
    }
    used.set(last, root, suffix, prefix)
    return last.directory.appending(prefix + String(format: "%04d", last.number))
  }

  private mutating func makeDirectory() throws(PhotoLibraryError) {
    // Directories may have come since the numbers were read.
    last.highest = max(last.highest, try Self.read(root, suffix).highest)
    guard last.highest < 999 else { throw .namesExhausted(folder: root.description) }
    last.highest += 1
    let path = root.appending("\(last.highest)\(suffix)")
    let code = path.makeOneFolder(mode: 0o777)
    // Somebody else's since the scan: its numbers aren't known, so the next one it is.
    if code == EEXIST { return try makeDirectory() }
    guard code == 0 else { throw .cannotWrite(path: path.description, code: code) }
    (last.directory, last.number) = (path, 1)
  }
}
