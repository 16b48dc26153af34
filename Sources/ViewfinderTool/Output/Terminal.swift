import Foundation
import ViewfinderLibrary

/// Texts for the person.
enum Terminal {
  /// Writes a line to stderr, so that stdout stays what a program reads.
  static func warn(_ message: String) {
    FileHandle.standardError.write(Data("viewfinder: \(message)\n".utf8))
  }

  /// Writes what went wrong, perhaps with a file, which may have any name.
  static func warn(_ error: some Error & CustomStringConvertible) {
    warn(plain(error.description))
  }

  /// A file's path, as a word for a shell.
  static func path(_ url: URL) -> String { Path(url).quoted }

  /// A text in one line and without control characters, which names of files may have.
  static func plain(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      if let byte = ArgumentText.byte(of: scalar) { return "\\x" + String(byte, radix: 16) }
      return scalar.isControl ? scalar.escaped(asASCII: true) : String(scalar)
    }.joined()
  }

  /// Asks a person at the terminal to agree; `nil` where there is none.
  static func agrees(to question: String) -> Bool? {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
    FileHandle.standardError.write(Data("\(question) [y/N] ".utf8))
    return ["y", "yes"].contains(readLine()?.lowercased())
  }

  /// Writes a line about what goes on to stderr, if a person is there to read it.
  static func progress(_ message: String) {
    if isatty(STDERR_FILENO) == 1 { warn(message) }
  }

  /// Cells longer than this, such as a long menu's choices, don't widen their column.
  private static let widestCell = 60

  /// Writes lines with their columns aligned; the first row is the heading.
  static func table(_ rows: [[String]]) {
    let rows = rows.map { $0.map(plain) }
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column -> Int in
      let cells = rows.filter { $0.count > column }.map { $0[column].count }
      return cells.filter { $0 <= widestCell }.max() ?? 0
    }
    for row in rows {
      let cells = row.enumerated().map { index, cell in
        cell + String(repeating: " ", count: max(widths[index] - cell.count, 0))
      }
      let line = cells.joined(separator: "  ")
      // Empty last cells leave no blanks at the line's end.
      let end = line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex
      print(line[..<end])
    }
  }

  /// A number of bytes in words, such as "1.2 MB".
  static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<1000: "\(bytes) bytes"
    case ..<1_000_000: String(format: "%.1f kB", Double(bytes) / 1e3)
    default: String(format: "%.1f MB", Double(bytes) / 1e6)
    }
  }

  /// A number with at most two decimals.
  static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15
      ? String(Int(value)) : String(format: "%.2f", value)
  }
}

extension Unicode.Scalar {
  /// Whether it does something to a terminal, or to the direction in which text is shown.
  var isControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Emoji are joined by U+200D.
    case .format: value != 0x200d
    default: false
    }
  }
}
