import Foundation
import WebServing

/// What the server tells its keeper: a line of JSON on standard error for each event, without names, tokens or
/// anything that people keep here.
enum ServerLog {
  /// A line.
  struct Event: Encodable {
    /// What happened, in a word.
    var event: String
    /// In words, where the event alone doesn't say enough.
    var message: String?
    var method: String?
    /// The path with names in place of identifiers.
    var route: String?
    var status: Int?
    /// How long the answer took to begin.
    var milliseconds: Double?
    /// In UTC, with milliseconds.
    fileprivate var time = ""

    /// Tells of an event.
    init(_ event: String, message: String? = nil) {
      self.event = event
      self.message = message
    }
  }

  /// Writes a line at once.
  static func write(_ event: Event) {
    var event = event
    event.time = Date.now.formatted(
      .iso8601.year().month().day().time(includingFractionalSeconds: true))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let line = try? encoder.encode(event) else { return }
    FileHandle.standardError.write(line + Data("\n".utf8))
  }

  /// Tells of trouble, for which the keeper may have to do something.
  static func tell(_ message: String) { write(Event("trouble", message: message)) }

  /// Tells of an error: in its own words where they are for people, else by its type alone, since other words may
  /// have what is in the records.
  static func tell(_ error: any Error) {
    tell((error as? any PageError)?.description ?? "\(type(of: error))")
  }
}
