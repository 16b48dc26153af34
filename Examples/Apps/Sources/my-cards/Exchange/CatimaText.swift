import CardModel
import Foundation

/// How Catima's table says what a field's value is.
extension CardField.Kind {
  /// The card's member that a text of Catima's is.
  func member(fromCatima text: String) -> JSONValue? {
    switch self {
    case .line, .verbatim, .text, .currency: text.member
    case .barcodeType: BarcodeType(rawValue: text).member
    case .amount: (Decimal(posix: text) ?? 0).member
    case .day:
      Double(text).flatMap { Date(secondsSince1970: $0 / 1000) }.flatMap { CardDate($0) }.member
    // Android's colours: 32 bits with a sign, the opacity on top.
    case .color: Int32(text).map { CardColor(rgb: UInt32(bitPattern: $0)) }.member
    case .flag: (text == "1").member
    case .moment:
      Double(text).flatMap { $0 > 0 ? Date(secondsSince1970: $0) : nil }.member
    // Groups are a table of their own, and pictures files.
    case .groups, .picture: nil
    }
  }

  /// The text of Catima's that a card's member is.
  func catima(_ member: JSONValue?) -> String {
    switch self {
    case .line, .verbatim, .text, .currency: String(member: member)
    case .barcodeType: BarcodeType?(member: member)?.rawValue ?? ""
    case .amount: "\(Decimal(member: member))"
    case .day:
      CardDate?(member: member)?.start().map { "\(Int64($0.timeIntervalSince1970 * 1000))" } ?? ""
    case .color:
      CardColor?(member: member).map { "\(Int32(bitPattern: 0xff00_0000 | $0.rgb))" } ?? ""
    case .flag: Bool(member: member) ? "1" : "0"
    case .moment: Date?(member: member).map { "\(Int64($0.timeIntervalSince1970))" } ?? "0"
    case .groups, .picture: ""
    }
  }
}
