import Foundation

/// Output for programs.
enum JSON {
  /// Prints a value as one JSON object.
  static func print(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    var data = try encoder.encode(value)
    data.append(0x0a)
    try StandardOutput.write(data)
  }
}
