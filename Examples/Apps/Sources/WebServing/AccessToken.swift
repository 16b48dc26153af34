/// What a visitor must know to be answered.
public struct AccessToken: Hashable, Sendable {
  /// The token as it stands in the URL.
  public let text: String

  /// Makes a token that can't be guessed: 128 random bits.
  public init() {
    var generator = SystemRandomNumberGenerator()
    text = (0..<16).map { _ in
      let byte = UInt8.random(in: .min ... .max, using: &generator)
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// The fewest characters that nobody tries one by one.
  static let shortest = 16

  /// Takes a token of the caller's: sixteen or more letters, digits and "-._~", which need no
  /// escaping in a URL.
  public init?(_ text: String) {
    let isSafe = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"):
        true
      default: "-._~".utf8.contains(byte)
      }
    }
    guard isSafe, text.utf8.count >= Self.shortest else { return nil }
    self.text = text
  }

  /// Whether a visitor's word is the token, in a time that tells nothing about it.
  func matches(_ candidate: some StringProtocol) -> Bool {
    let (own, other) = (Array(text.utf8), Array(candidate.utf8))
    var difference = own.count ^ other.count
    for index in own.indices {
      difference |= Int(own[index] ^ (index < other.count ? other[index] : 0))
    }
    return difference == 0
  }
}
