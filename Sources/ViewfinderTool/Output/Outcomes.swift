import Foundation
import ViewfinderLibrary

/// What came of one argument, in JSON.
struct Outcome: Encodable {
  var input = ""
  /// With every byte of the argument, if that is a path.
  var inputURL: String?
  var asset: AssetReport?
  var trashed: [TrashedReport]?
  /// The URLs of files that are no more.
  var deleted: [String]?
  var error: String?
  var exitCode: Int32?
}

/// Works on arguments one by one: one that fails doesn't stop the others, and sets the exit code.
struct Outcomes {
  /// What the list is called in JSON.
  private let name: String
  private let isJSON: Bool

  init(_ name: String, isJSON: Bool) { (self.name, self.isJSON) = (name, isJSON) }

  /// Calls `body` with each argument, and prints what came of it: in JSON, or the line for people.
  func run(
    _ arguments: [Path], _ body: (Path) async throws -> (outcome: Outcome, line: String)
  ) async throws {
    var outcomes: [Outcome] = []
    var worst: Int32 = 0
    for argument in arguments {
      try Task.checkCancellation()
      var outcome = Outcome()
      // Before, as it may be gone afterwards.
      let url = argument.exists ? argument.url.absoluteString : nil
      do {
        let line: String
        (outcome, line) = try await body(argument)
        if !isJSON { print(line) }
      } catch {
        guard let failure = Failure(error) else { throw error }
        let isNamed = failure.message.contains(Terminal.plain(argument.absolute.display))
        outcome.error = isNamed ? failure.message : "\(argument.quoted): \(failure.message)"
        outcome.exitCode = failure.exitStatus
        Terminal.warn(outcome.error ?? "")
        worst = max(worst, failure.exitStatus)
      }
      outcome.input = argument.display
      outcome.inputURL = url
      outcomes.append(outcome)
    }
    if isJSON { try JSON.print([name: outcomes]) }
    if worst != 0 { throw ReportedFailure(exitStatus: worst) }
  }
}

/// Something in the trash, in JSON.
struct TrashedReport: Encodable {
  struct File: Encodable {
    var fileURL: String
    var trashedURL: String
  }

  /// The asset's; left out for what the library doesn't know.
  var id: String?
  var fileName: String
  var fileURL: String
  var deletionDate: String?
  var trashURL: String
  var files: [File]

  init(_ trashed: TrashedAsset) {
    id = trashed.assetID?.uuidString.lowercased()
    fileName = trashed.fileName
    fileURL = trashed.originalURL.absoluteString
    deletionDate = trashed.deletionDate?.ISO8601Format()
    trashURL = trashed.files[0].trashURL.absoluteString
    files = trashed.files.map {
      File(fileURL: $0.originalURL.absoluteString, trashedURL: $0.fileURL.absoluteString)
    }
  }
}
