import Foundation

/// What a file is called by: the SHA-256 of its bytes, in 64 small hexadecimal digits.
public struct BlobName: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The digits.
  public let text: String

  /// Takes digits; `nil` for anything else.
  public init?(_ text: some StringProtocol) {
    let isName =
      text.utf8.count == 64
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      }
    guard isName else { return nil }
    self.text = String(text)
  }

  /// The name of bytes with a SHA-256.
  ///
  /// - Parameter digest: 32 bytes.
  public init(digest: [UInt8]) {
    text = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The name of bytes.
  ///
  /// - Parameter data: The bytes.
  public init(of data: Data) { self.init(digest: SHA256.hash(data: data)) }

  /// The digits.
  public var description: String { text }

  /// Orders by the digits.
  public static func < (one: BlobName, other: BlobName) -> Bool { one.text < other.text }
}
