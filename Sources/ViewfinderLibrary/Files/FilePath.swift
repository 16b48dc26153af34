import Foundation
import Viewfinder

/// A path as Linux has it: bytes without a zero, which need not be valid UTF-8.
struct FilePath: Hashable, Sendable {
  var bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  init(_ text: String) { bytes = Array(text.utf8) }

  /// The path of a file URL, whose percent escapes may stand for any byte.
  init(_ url: URL) { self.init(bytes: FileSystem.path(of: url)) }

  private static let slash = UInt8(ascii: "/")

  /// The last component.
  var name: FilePath {
    guard let index = bytes.lastIndex(of: Self.slash) else { return self }
    return FilePath(bytes: Array(bytes[(index + 1)...]))
  }

  /// Everything before the last component.
  var folder: FilePath {
    guard let index = bytes.lastIndex(of: Self.slash) else { return FilePath("") }
    return FilePath(bytes: Array(bytes[..<max(index, 1)]))
  }

  /// The name without what follows its last dot; a dot at the start belongs to the name.
  var stem: FilePath {
    let name = name
    guard let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name }
    return FilePath(bytes: Array(name.bytes[..<dot]))
  }

  /// What follows the name's last dot, in lower case; empty without one.
  var pathExtension: String {
    let name = name
    guard let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return "" }
    return String(decoding: name.bytes[(dot + 1)...], as: UTF8.self).lowercased()
  }

  /// Whether the name begins with a dot.
  var isHidden: Bool { name.bytes.first == UInt8(ascii: ".") }

  /// The file or folder of this name inside.
  func appending(_ name: FilePath) -> FilePath {
    if bytes.isEmpty { return name }
    if name.bytes.isEmpty { return self }
    return FilePath(bytes: bytes + (bytes.last == Self.slash ? [] : [Self.slash]) + name.bytes)
  }

  func appending(_ name: String) -> FilePath { appending(FilePath(name)) }

  /// Whether this is `folder` or lies inside it.
  func isInside(_ folder: FilePath) -> Bool {
    guard bytes.starts(with: folder.bytes) else { return false }
    return bytes.count == folder.bytes.count || folder.bytes.last == Self.slash
      || bytes[folder.bytes.count] == Self.slash
  }

  /// The rest of the path from `folder`, in which it lies; empty for `folder` itself.
  func relative(to folder: FilePath) -> FilePath {
    FilePath(bytes: Array(bytes.dropFirst(folder.bytes.count).drop { $0 == Self.slash }))
  }

  /// Lends the path as a C string.
  func withCString<R>(_ body: (UnsafePointer<CChar>) throws -> R) rethrows -> R {
    try unsafe (bytes + [0]).withUnsafeBufferPointer { bytes in
      try unsafe bytes.withMemoryRebound(to: CChar.self) { try unsafe body($0.baseAddress!) }
    }
  }

  /// The path with `%XX` for every byte that GLib's `g_filename_to_uri` escapes, so that caches shared
  /// with desktops agree.
  var escaped: String {
    var text = ""
    for byte in bytes {
      if Self.plain.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }

  /// What GLib leaves as it is: RFC 3986's unreserved characters and those of a path.
  private static let plain = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,:=@/".utf8)

  /// The canonical `file://` URI of an absolute path.
  var uri: String { "file://" + escaped }

  /// The `file://` URL.
  var url: URL { URL(string: uri) ?? URL(fileURLWithPath: description) }
}

extension FilePath: Comparable {
  static func < (a: FilePath, b: FilePath) -> Bool {
    a.bytes.lexicographicallyPrecedes(b.bytes)
  }
}

extension FilePath: CustomStringConvertible {
  /// The path for people: bytes that are no UTF-8 are shown as U+FFFD.
  var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension FilePath: ExpressibleByStringLiteral {
  init(stringLiteral text: String) { self.init(text) }
}
