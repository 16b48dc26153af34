import ErrorWords
import Foundation
import PhotoStream

/// What pages must know besides albums and assets.
///
/// How the photo stream is going is a topic of its own.
struct NavigatorState: Encodable, Equatable, Sendable {
  private enum CodingKeys: CodingKey {
    case access, folder, advice, canSave, isScanning, problems, version, saved, unsaved, problem
  }

  enum Access: String, Encodable, Sendable {
    case opening, open, denied
  }

  /// A photo that was taken and saved.
  struct Saved: Encodable, Equatable, Sendable {
    var id: UUID
    var name: String
  }

  var access = Access.opening
  /// The name of the folder in which the library is.
  var folder = ""
  /// Why the library can't be shown, or nothing be saved in it, and what to do.
  var advice: ErrorWords?
  var canSave = true
  /// Whether the folders are being looked through for the first time.
  var isScanning = false
  /// The folders that could not be read.
  var problems: [ErrorWords] = []
  /// Counts what has changed: albums are to be asked for anew.
  var version = 0
  /// The photo that was saved last.
  var saved: Saved?
  /// How many photos that were taken wait to be saved.
  var unsaved = 0
  /// How the photo stream is going; `nil` where none was joined.
  var stream: StreamStatus?
  /// Why they wait, or what else went wrong with the camera's last photo.
  var problem: ErrorWords?
}
