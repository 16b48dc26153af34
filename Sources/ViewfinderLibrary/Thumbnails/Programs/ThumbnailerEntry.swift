import Foundation

/// A program that makes thumbnails, as a file `NAME.thumbnailer` of the desktop describes it.
struct ThumbnailerEntry: Hashable, Sendable {
  /// What must be there for the program to run; a path, or a name to be found in `PATH`.
  var tryExec: String?
  /// The program and its arguments, with `%i`, `%o`, `%u` and `%s` in them.
  var exec: [String]
  var mimeTypes: Set<String>

  /// What the codes in `exec` stand for.
  struct Places {
    var input: String
    var output: String
    var size: Int
  }

  /// Reads a file's text; `nil` for what describes no program.
  init?(_ text: String) {
    var isInGroup = false
    var values: [Substring: Substring] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("[") {
        isInGroup = line == "[Thumbnailer Entry]"
      } else if isInGroup, let sign = line.firstIndex(of: "=") {
        let key = line[..<sign].trimmingSuffix(" ")
        if values[key] == nil { values[key] = line[line.index(after: sign)...].drop { $0 == " " } }
      }
    }
    guard let exec = values["Exec"].flatMap({ Self.words(of: $0) }), !exec.isEmpty else {
      return nil
    }
    tryExec = values["TryExec"].map(String.init)
    self.exec = exec
    mimeTypes = Set((values["MimeType"] ?? "").split(separator: ";").map(String.init))
  }

  /// The command for a file.
  func command(_ places: Places) -> [String] {
    exec.map { word in
      var result = ""
      var rest = word[...]
      while let character = rest.popFirst() {
        guard character == "%", let code = rest.popFirst() else {
          result.append(character)
          continue
        }
        switch code {
        case "i": result += places.input
        case "u": result += "file://" + places.input
        case "o": result += places.output
        case "s": result += String(places.size)
        case "%": result += "%"
        default: break
        }
      }
      return result
    }
  }

  /// Takes a line apart as a shell does: quotes of both kinds, and backslashes; `nil` where a quote isn't closed.
  private static func words(of line: Substring) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = line
    while let character = rest.popFirst() {
      switch (character, quote) {
      case ("'", "'"), ("\"", "\""): quote = nil
      case ("'", nil), ("\"", nil): (quote, word) = (character, word ?? "")
      case ("\\", nil), ("\\", "\""):
        guard let next = rest.popFirst() else { return nil }
        word = (word ?? "") + String(next)
      case (" ", nil), ("\t", nil):
        if let done = word { words.append(done) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return quote == nil ? words : nil
  }
}

extension Substring {
  fileprivate func trimmingSuffix(_ character: Character) -> Substring {
    var text = self
    while text.last == character { text.removeLast() }
    return text
  }
}
