/// Comma-separated values by RFC 4180: fields in quotes may hold commas, quotes and line ends.
enum CSV {
  /// A row, and the line on which it begins.
  struct Row: Hashable {
    var line: Int
    var fields: [String]

    /// Whether it is an empty line.
    var isBlank: Bool { fields == [""] }
  }

  /// Reads rows one after the other, blank ones too.
  ///
  /// - Throws: ``ExchangeError/badRow(line:reason:)`` for a quote that doesn't end, and what the body throws.
  static func read(
    _ text: String, _ body: (Row) throws(ExchangeError) -> Void
  ) throws(ExchangeError) {
    var row = Row(line: 1, fields: [])
    var field = ""
    var line = 1
    var isQuoted = false
    // Line ends are one Character, also where they are two bytes.
    var rest = text[...]
    while let character = rest.popFirst() {
      if character.isNewline { line += 1 }
      if isQuoted {
        if character != "\"" {
          field.append(character)
        } else if rest.first == "\"" {
          field.append(rest.removeFirst())
        } else {
          isQuoted = false
        }
      } else if character == "\"", field.isEmpty {
        isQuoted = true
      } else if character == "," {
        row.fields.append(field)
        field = ""
      } else if character == "\n" || character == "\r\n" || character == "\r" {
        row.fields.append(field)
        try body(row)
        (row, field) = (Row(line: line, fields: []), "")
      } else {
        field.append(character)
      }
    }
    guard !isQuoted else { throw .badRow(line: row.line, reason: "a quote isn't closed") }
    if !field.isEmpty || !row.fields.isEmpty {
      row.fields.append(field)
      try body(row)
    }
  }

  /// Writes a row with its line end.
  static func line(_ fields: [String]) -> String {
    fields.map { field in
      let isPlain = !field.contains { $0 == "," || $0 == "\"" || $0.isNewline }
      // A field of nothing is written as such: a row of one would be an empty line.
      return isPlain && (!field.isEmpty || fields.count > 1)
        ? field : "\"" + field.replacing("\"", with: "\"\"") + "\""
    }.joined(separator: ",") + "\r\n"
  }
}
