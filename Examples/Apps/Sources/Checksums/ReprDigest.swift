import Foundation

/// The field `Repr-Digest` (RFC 9530), by which a server proves that it has what was written: nobody else on the way
/// who answers in its place computes it.
public enum ReprDigest {
  /// The field's name.
  public static let name = "Repr-Digest"

  /// The field for bytes.
  public static func field(of data: Data) -> String { field(SHA256.hash(data: data)) }

  /// The field for a SHA-256 of 32 bytes.
  public static func field(_ hash: [UInt8]) -> String {
    "sha-256=:\(Data(hash).base64EncodedString()):"
  }

  /// The field for a SHA-256 in hexadecimal digits.
  public static func field(hexadecimal digits: String) -> String {
    field(
      stride(from: 0, to: digits.utf8.count - 1, by: 2).map { index in
        let start = digits.utf8.index(digits.startIndex, offsetBy: index)
        return UInt8(digits[start...].prefix(2), radix: 16) ?? 0
      })
  }

  /// Whether a field, which may tell several algorithms, tells this one.
  public static func says(_ field: String, in value: String) -> Bool {
    value.split(separator: ",").contains { $0.trimmingCharacters(in: .whitespaces) == field }
  }
}
