import CardModel
import Foundation

/// Draws bar codes for the scanner at the till, with Zint's `zint`.
public struct BarcodeDrawing: Sendable {
  private let program: HelperProgram
  /// Without and with the check digit.
  private static let lengths: [BarcodeType: ClosedRange<Int>] = [
    .ean8: 7...8, .ean13: 12...13, .upcA: 11...12, .upcE: 7...8,
  ]

  /// Finds the program.
  ///
  /// - Throws: ``BarcodeError/notInstalled(program:package:)``.
  public init() throws(BarcodeError) {
    program = try HelperProgram("zint", package: "zint")
  }

  /// Draws a bar code: black on white with the quiet zone that scanners need, in SVG.
  ///
  /// - Parameters:
  ///   - text: What it says.
  ///   - type: Its kind.
  /// - Returns: The drawing.
  /// - Throws: ``BarcodeError/unfit(type:reason:)`` for a text that such a bar code can't have.
  public func svg(of text: String, type: BarcodeType) async throws(BarcodeError) -> Data {
    guard !text.isEmpty else { throw .unfit(type: type.rawValue, reason: "there is no text") }
    // Zint would fill up with zeros what is too short, and read what is too long as another kind.
    if let lengths = Self.lengths[type], !lengths.contains(text.count) {
      throw .unfit(
        type: type.rawValue,
        reason: "it has \(text.count) digits, not \(lengths.lowerBound) or \(lengths.upperBound)")
    }
    let input = type == .ean8 ? try Self.sevenDigits(text) : text
    let result = try await program.run(
      [
        "--input=-", "--barcode=\(type.zintNumber)", "--filetype=SVG", "--direct", "--notext",
        "--quietzones",
      ], input: Data(input.utf8))
    // 1 to 4 are warnings, such as a size that no standard has.
    guard result.status < 5, !result.output.isEmpty else {
      throw .unfit(type: type.rawValue, reason: Self.reason(result.errors))
    }
    return result.output
  }

  /// An EAN-8 without its check digit, which Zint makes: eight digits are a longer code to it.
  private static func sevenDigits(_ text: String) throws(BarcodeError) -> String {
    let digits = text.utf8.compactMap {
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 ? Int($0) - 48 : nil
    }
    guard digits.count == text.utf8.count, digits.count == 8 else { return text }
    let sum = digits.enumerated().reduce(0) {
      $0 + $1.element * ($1.offset.isMultiple(of: 2) ? 3 : 1)
    }
    guard sum.isMultiple(of: 10) else {
      throw .unfit(type: BarcodeType.ean8.rawValue, reason: "the last digit doesn't fit the others")
    }
    return String(text.dropLast())
  }

  /// Zint's words without number and full stop.
  private static func reason(_ errors: String) -> String {
    let line = errors.split(separator: "\n").first { $0.hasPrefix("Error") } ?? ""
    let words = line.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)
    return words.isEmpty ? "zint refuses it" : words
  }
}
