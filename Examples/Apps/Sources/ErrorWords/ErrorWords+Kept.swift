import Foundation

extension ErrorWords {
  /// Words that were kept as text; what was kept before there were codes is a message.
  ///
  /// - Parameter text: What ``keptText`` was.
  public init(kept text: String) {
    self = (try? JSONDecoder().decode(Self.self, from: Data(text.utf8))) ?? Self(text)
  }

  /// The words as text, to be kept in a database.
  public var keptText: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Texts alone, which can always be written.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? message
  }
}
