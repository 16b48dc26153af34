import Foundation

/// Output for programs.
enum JSON {
  /// Prints a value as one JSON object.
  static func print(_ value: some Encodable) throws { try print(value, [.prettyPrinted]) }

  /// Prints a value as one JSON object in one line.
  static func printLine(_ value: some Encodable) throws { try print(value, []) }

  private static func print(
    _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
    var data = try encoder.encode(value)
    data.append(0x0a)
    try StandardOutput.write(data)
  }
}
