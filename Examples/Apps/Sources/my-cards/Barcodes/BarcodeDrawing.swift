import CZint
import CardModel
import Foundation

/// A bar code for the scanner at the till, drawn with libzint: black on white, with the quiet zone that scanners need.
public struct BarcodeDrawing: Hashable, Sendable {
  /// The size in modules, the narrowest bars, with the quiet zone.
  ///
  /// A linear code has no height of its own; it may be stretched.
  public let width: Int, height: Int
  /// Its kind.
  public let type: BarcodeType
  /// Rows of the same modules, from the top, without the quiet zone.
  let rows: [Row]

  /// A row of modules.
  struct Row: Hashable {
    var height: Int
    /// Whether each module is black.
    var modules: [Bool]
  }

  /// How high a linear code is drawn, in modules.
  private static let linearHeight = 50
  /// Without and with the check digit.
  private static let lengths: [BarcodeType: ClosedRange<Int>] = [
    .ean8: 7...8, .ean13: 12...13, .upcA: 11...12, .upcE: 7...8,
  ]

  /// Draws a bar code.
  ///
  /// - Parameters:
  ///   - text: What it says.
  ///   - type: Its kind.
  /// - Throws: ``BarcodeError/unfit(type:reason:)`` for a text that such a bar code can't have.
  public init(of text: String, type: BarcodeType) throws(BarcodeError) {
    self.type = type
    rows = try Self.rows(of: Self.input(text, type), type)
    let (zone, columns) = (type.quietZone, rows.first?.modules.count ?? 0)
    width = columns + 2 * zone
    height = rows.reduce(0) { $0 + $1.height } + (type.isMatrix ? 2 * zone : 0)
  }

  /// The drawing as SVG, a unit a module; `data-modules` says how many there are across.
  public var svg: Data {
    let (left, top) = (type.quietZone, type.isMatrix ? type.quietZone : 0)
    var path = ""
    var y = top
    for row in rows {
      var x = 0
      while let start = row.modules[x...].firstIndex(of: true) {
        let end = row.modules[start...].firstIndex(of: false) ?? row.modules.endIndex
        path += "M\(left + start) \(y)h\(end - start)v\(row.height)h\(start - end)z"
        x = end
      }
      y += row.height
    }
    // Bars may be as high as there is room; squares stay squares.
    let fit = type.isMatrix ? "xMidYMid" : "none"
    return Data(
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
      data-modules="\(width)" \
      preserveAspectRatio="\(fit)" shape-rendering="crispEdges">\
      <path fill="#fff" d="M0 0h\(width)v\(height)H0z"/><path d="\(path)"/></svg>
      """.utf8)
  }

  /// What Zint gets.
  private static func input(_ text: String, _ type: BarcodeType) throws(BarcodeError) -> String {
    guard !text.isEmpty else { throw .unfit(type: type.rawValue, reason: "there is no text") }
    // Zint would fill up with zeros what is too short, and read what is too long as another kind.
    if let lengths = lengths[type], !lengths.contains(text.count) {
      throw .unfit(
        type: type.rawValue,
        reason: "it has \(text.count) digits, not \(lengths.lowerBound) or \(lengths.upperBound)")
    }
    return type == .ean8 ? try sevenDigits(text) : text
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

  private static func rows(of input: String, _ type: BarcodeType) throws(BarcodeError) -> [Row] {
    let name = type.rawValue
    guard let symbol = ZBarcode_Create() else {
      throw .failed(library: "libzint", reason: "there is not enough memory")
    }
    defer { ZBarcode_Delete(symbol) }
    symbol.pointee.symbology = type.symbology
    symbol.pointee.input_mode = UNICODE_MODE
    let bytes = Array(input.utf8)
    guard bytes.count <= ZINT_MAX_DATA_LEN else {
      throw .unfit(type: name, reason: "the text is too long")
    }
    // 1 to 4 are warnings, such as a size that no standard has.
    guard ZBarcode_Encode(symbol, bytes, Int32(bytes.count)) < ZINT_ERROR,
      // Some kinds are of another symbology than was asked for where the text doesn't fit.
      symbol.pointee.symbology == type.symbology, symbol.pointee.rows > 0, symbol.pointee.width > 0
    else { throw .unfit(type: name, reason: reason(String(cString: zint_error(symbol)))) }
    return (0..<symbol.pointee.rows).map { row in
      let height = Int(zint_row_height(symbol, row).rounded())
      return Row(
        height: type.isMatrix ? max(height, 1) : linearHeight,
        modules: (0..<symbol.pointee.width).map { zint_is_dark(symbol, row, $0) != 0 })
    }
  }

  /// Zint's words without number and full stop.
  private static func reason(_ error: String) -> String {
    let words = (error.split(separator: ":", maxSplits: 1).last ?? "")
      .trimmingCharacters(in: .whitespaces)
    return words.isEmpty ? "libzint refuses it" : words
  }
}
