import Foundation

/// The user's folders: the XDG base directories and the pictures folder of xdg-user-dirs.
///
/// All are `nil` for a service without a home whose environment doesn't name them.
struct XDGFolders: Hashable, Sendable {
  /// The user's home.
  let home: FilePath?
  /// Settings: `$XDG_CONFIG_HOME`, else `~/.config`.
  let config: FilePath?
  /// What programs keep: `$XDG_DATA_HOME`, else `~/.local/share`.
  let data: FilePath?
  /// What programs can make again: `$XDG_CACHE_HOME`, else `~/.cache`.
  let cache: FilePath?
  /// Pictures: what `user-dirs.dirs` in ``config`` says, else `~/Pictures`; it need not exist.
  let pictures: FilePath?

  /// Reads the environment, and the user's entry in the password file where it names no home.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.init(environment: environment, defaultHome: Self.homeOfUser())
  }

  init(environment: [String: String], defaultHome: FilePath?) {
    // The base directory specification has relative paths ignored.
    func absolute(_ name: String) -> FilePath? {
      guard let value = environment[name], value.hasPrefix("/") else { return nil }
      return FilePath(value)
    }
    let home = absolute("HOME") ?? defaultHome
    let config = absolute("XDG_CONFIG_HOME") ?? home?.appending(".config")
    self.home = home
    self.config = config
    data = absolute("XDG_DATA_HOME") ?? home?.appending(".local/share")
    cache = absolute("XDG_CACHE_HOME") ?? home?.appending(".cache")
    let dirs = config.flatMap { try? FileReader($0.appending("user-dirs.dirs")) }
    let text = (try? dirs?.readAll(limit: 1 << 20)) ?? Data()
    pictures =
      Self.userFolder("XDG_PICTURES_DIR", in: Array(text), home: home)
      ?? home?.appending("Pictures")
  }

  /// The folder that a line such as `XDG_PICTURES_DIR="$HOME/Bilder"` names; the last such line counts.
  ///
  /// `nil` for what isn't set: by xdg-user-dirs' rules a value is `$HOME/…` or absolute, and the home
  /// itself means that there is no such folder.
  static func userFolder(_ name: String, in text: [UInt8], home: FilePath?) -> FilePath? {
    var result: FilePath?
    for line in text.split(separator: UInt8(ascii: "\n")) {
      guard let value = quotedValue(of: name, in: line) else { continue }
      let variable = Array("$HOME".utf8)
      var path: FilePath
      if value.starts(with: variable) {
        let rest = value.dropFirst(variable.count)
        guard let home, rest.isEmpty || rest.first == UInt8(ascii: "/") else { continue }
        path = home.appending(FilePath(bytes: Array(rest.drop { $0 == UInt8(ascii: "/") })))
      } else if value.first == UInt8(ascii: "/") {
        path = FilePath(bytes: value)
      } else {
        continue
      }
      while path.bytes.count > 1, path.bytes.last == UInt8(ascii: "/") { path.bytes.removeLast() }
      result = path == home ? nil : path
    }
    return result
  }

  /// What is between the quotes of `NAME="…"`, where a backslash makes the next byte plain.
  private static func quotedValue(of name: String, in line: ArraySlice<UInt8>) -> [UInt8]? {
    let blanks: Set = [UInt8(ascii: " "), UInt8(ascii: "\t")]
    var rest = line.drop(while: blanks.contains)
    guard rest.starts(with: name.utf8) else { return nil }
    rest = rest.dropFirst(name.utf8.count).drop(while: blanks.contains)
    guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
    rest = rest.drop(while: blanks.contains)
    guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
    var value: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return value.contains(0) ? nil : value }
      guard byte == UInt8(ascii: "\\") else {
        value.append(byte)
        continue
      }
      guard let next = rest.popFirst() else { return nil }
      value.append(next)
    }
    return nil
  }

  private static func homeOfUser() -> FilePath? {
    var (entry, found) = unsafe (passwd(), UnsafeMutablePointer<passwd>?.none)
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 16) { buffer in
      guard
        unsafe getpwuid_r(getuid(), &entry, buffer.baseAddress!, buffer.count, &found) == 0,
        unsafe found != nil, let path = unsafe entry.pw_dir
      else { return nil }
      let home = FilePath(unsafe String(cString: path))
      return home.bytes.first == UInt8(ascii: "/") ? home : nil
    }
  }
}
