import ArgumentParser
import Foundation

/// A path that a person typed: any bytes, as Linux has them, or a `file://` URL that stands for them.
///
/// All arguments that are paths are read here, and all paths that are shown are written here.
struct Path: Hashable, Sendable {
  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  init(_ text: String) { bytes = Array(text.utf8) }

  /// The path of a file URL, whose percent escapes may stand for any byte.
  init(_ url: URL) { self.init(url: url.absoluteURL.absoluteString) }

  private init(url: String) {
    // What stands between the slashes is a host.
    var rest = Array(url.utf8.dropFirst("file://".utf8.count).drop { $0 != Self.slash })[...]
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(\.isHexDigit),
        let value = UInt8(digits, radix: 16), value != 0
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    // A folder's URL ends with a slash.
    while bytes.count > 1, bytes.last == Self.slash { bytes.removeLast() }
    self.bytes = bytes
  }

  private static let slash = UInt8(ascii: "/")
  private static let dot = UInt8(ascii: ".")

  /// Standard input or output, in the place of a file.
  static let standardStream = Path("-")

  // MARK: Parts

  var isFolderByName: Bool { bytes.last == Self.slash }

  /// The last component.
  var name: Path {
    let end = bytes.lastIndex { $0 != Self.slash } ?? 0
    let start = bytes[..<end].lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
    return bytes.isEmpty ? self : Path(bytes: Array(bytes[start...end]))
  }

  /// What the last component is in.
  var folder: Path {
    let end = bytes.lastIndex { $0 != Self.slash } ?? 0
    guard let index = bytes[..<end].lastIndex(of: Self.slash) else { return Path(".") }
    return Path(bytes: Array(bytes[..<max(index, 1)]))
  }

  /// The last component, and the ending after its last dot, which may be empty.
  var nameParts: (stem: [UInt8], ending: [UInt8]) {
    let name = name.bytes
    guard let dot = name.lastIndex(of: Self.dot), dot > 0 else { return (name, []) }
    return (Array(name[..<dot]), Array(name[(dot + 1)...]))
  }

  /// The file of another name beside this one.
  func sibling(_ name: Path) -> Path {
    bytes.contains(Self.slash) ? folder.appending(name) : name
  }

  func appending(_ name: Path) -> Path {
    Path(bytes: bytes + (isFolderByName || bytes.isEmpty ? [] : [Self.slash]) + name.bytes)
  }

  /// The path from the root of the file system.
  var absolute: Path {
    if bytes.first == Self.slash { return self }
    guard let current = unsafe getcwd(nil, 0) else { return self }
    defer { unsafe free(current) }
    let plain = bytes.starts(with: [Self.dot, Self.slash]) ? Array(bytes.dropFirst(2)) : bytes
    return unsafe Path(cString: current).appending(Path(bytes: plain))
  }

  /// The same file by the real path of its folder, as the library knows it; the file itself may be a link.
  var inRealFolder: Path { absolute.folder.real.map { $0.appending(name) } ?? absolute }

  /// The path without links, or `nil` where nothing is.
  var real: Path? {
    let path = unsafe withCString { unsafe realpath($0, nil) }
    guard let path = unsafe path else { return nil }
    defer { unsafe free(path) }
    return unsafe Path(cString: path)
  }

  // MARK: The file system

  private init(cString: UnsafePointer<CChar>) {
    unsafe self.init(
      bytes: UnsafeBufferPointer(start: cString, count: strlen(cString)).map {
        UInt8(bitPattern: $0)
      })
  }

  /// Lends the path as a C string.
  func withCString<R>(_ body: (UnsafePointer<CChar>) -> R) -> R {
    let path = bytes.map { CChar(bitPattern: $0) } + [0]
    return unsafe path.withUnsafeBufferPointer { unsafe body($0.baseAddress!) }
  }

  var exists: Bool { unsafe withCString { unsafe access($0, F_OK) } == 0 }

  /// Whether a folder is there.
  var isFolder: Bool {
    var status = stat()
    return unsafe withCString { unsafe stat($0, &status) } == 0
      && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The percent-encoded URL, which can hold any path.
  var url: URL {
    let plain = Set(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    let escaped = absolute.bytes.map { byte in
      plain.contains(byte)
        ? String(Unicode.Scalar(byte)) : "%" + String(format: "%02X", byte)
    }.joined()
    // Nothing but ASCII that URLs may hold is left.
    return URL(string: "file://" + escaped) ?? URL(fileURLWithPath: display)
  }

  /// Whether the path is valid UTF-8.
  var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

  /// A name of the file for what takes text alone: of one whose path is none, that of an open descriptor.
  var textualPath: String {
    if isText { return display }
    let file = unsafe withCString { unsafe open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    return file < 0 ? display : "/proc/self/fd/\(file)"
  }

  // MARK: For people

  /// The path as text, with U+FFFD for bytes that aren't UTF-8.
  var display: String { String(decoding: bytes, as: UTF8.self) }

  /// The path as one word for a shell, in which nothing does anything to a terminal.
  var quoted: String {
    let special = Set(" \t\"'\\`$&|;<>()[]{}*?!#~^".unicodeScalars)
    guard let text = String(validating: bytes, as: UTF8.self),
      text.unicodeScalars.allSatisfy({ !$0.isControl && ArgumentText.byte(of: $0) == nil })
    else { return "$'" + Self.escaped(bytes) + "'" }
    if !text.isEmpty, !text.unicodeScalars.contains(where: special.contains) { return text }
    return "'" + text.replacing("'", with: #"'\''"#) + "'"
  }

  /// Bytes as they stand between `$'` and `'`.
  private static func escaped(_ bytes: [UInt8]) -> String {
    var text = ""
    for scalar in ArgumentText.encode(bytes).unicodeScalars {
      switch scalar {
      case "\n": text += #"\n"#
      case "\t": text += #"\t"#
      case "\u{1b}": text += #"\e"#
      case "\\": text += #"\\"#
      case "'": text += #"\'"#
      case _ where scalar.isControl || ArgumentText.byte(of: scalar) != nil:
        // Three octal digits end by themselves, whatever follows.
        let bytes = ArgumentText.byte(of: scalar).map { [$0] } ?? Array(String(scalar).utf8)
        text += bytes.map { String(format: #"\%03o"#, $0) }.joined()
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Path: ExpressibleByArgument {
  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    if argument.hasPrefix("file:///") {
      self.init(url: argument)
    } else {
      self.init(bytes: ArgumentText.decode(argument))
    }
  }

  var defaultValueDescription: String { display }

  static var defaultCompletionKind: CompletionKind { .file() }
}
