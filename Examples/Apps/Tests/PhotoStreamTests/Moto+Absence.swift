import ServerSupport
import Testing

extension Moto {
  /// Why tests that need it are skipped; `nil` where they aren't, or must not be.
  static let absence = whyAbsent.map { Comment(rawValue: $0) }
}
