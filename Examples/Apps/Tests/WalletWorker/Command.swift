import CardModel
import Foundation
import Synchronization

/// A line that came, and where its answers go.
struct Command: Sendable {
  /// Nobody knows such a command.
  struct Unknown: Error {}

  let members: [String: JSONValue]

  func text(_ name: String) -> String { members[name]?.text ?? "" }

  /// The card that it is about.
  var id: UUID { UUID(uuidString: text("id")) ?? UUID() }

  /// Pictures in base 64 by side.
  var pictures: [(side: String, jpeg: Data)] {
    (members["pictures"]?.object ?? [:]).compactMap { side, jpeg in
      jpeg.text.flatMap { Data(base64Encoded: $0) }.map { (side, $0) }
    }
  }

  /// One line after the other.
  private static let output = Mutex(())

  /// Writes a line at once.
  func tell(_ name: String, _ value: JSONValue) {
    let line = JSONValue.object(["n": members["n"] ?? .null, name: value])
    Self.output.withLock { _ in FileHandle.standardOutput.write(line.data + Data("\n".utf8)) }
  }

  func answer(_ body: () throws -> JSONValue) {
    do { tell("done", try body()) } catch { tell("error", .string("\(error)")) }
  }

  func answer(_ body: () async throws -> JSONValue) async {
    do { tell("done", try await body()) } catch { tell("error", .string("\(error)")) }
  }
}
