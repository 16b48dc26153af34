import ErrorWords
import Foundation
import Viewfinder
import ViewfinderPicker
import ViewfinderPages

/// The photos that were picked, newest first, each a file: in `outbox` until a server has taken it, in `sent` from
/// then on.
///
/// The folders are all there is to remember, so nothing is lost when the program ends at any moment.
final class Timeline: Sendable {
  /// A photo of the timeline.
  struct Entry: Codable, Sendable {
    /// Also its name on the server; sorts by time.
    var id: String
    var isSent: Bool
    /// How much of it the server has, from 0 to 1.
    var progress: Double
    /// Why the last attempt failed.
    var problem: ErrorWords?
  }

  /// What the page shows.
  struct Report: Codable, Sendable {
    /// All photos, newest first.
    var entries: [Entry] = []
    /// Why a photo isn't in the timeline yet.
    var problem: ErrorWords?
  }

  /// The page's column on a screen with fine pixels.
  private static let box = Dimensions(width: 1280, height: 1280)

  private let outbox: URL
  private let sent: URL
  private let report: LatestValue<Report>

  /// Opens a timeline, and makes its folders where they are missing.
  init(in folder: URL) throws {
    (outbox, sent) = (folder.appending(component: "outbox"), folder.appending(component: "sent"))
    var entries: [Entry] = []
    for (place, isSent) in [(outbox, false), (sent, true)] {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
      entries += names.filter { $0.hasSuffix(".jpg") && !$0.hasPrefix(".") }.map {
        Entry(id: String($0.dropLast(4)), isSent: isSent, progress: isSent ? 1 : 0)
      }
    }
    let sorted = entries.sorted { $0.id > $1.id }
    report = LatestValue(Report(entries: sorted))
  }

  /// All photos, newest first.
  var entries: [Entry] { report.value.entries }

  /// The photos that no server has yet, oldest first.
  var unsent: [Entry] { entries.filter { !$0.isSent }.reversed() }

  /// The bytes of a photo.
  ///
  /// - Throws: That there is no such file, also for an id that isn't one of the timeline's.
  func photo(_ id: String) throws -> Data {
    guard entries.contains(where: { $0.id == id }) else {
      throw CocoaError(.fileNoSuchFile)
    }
    let name = "\(id).jpg"
    do {
      return try Data(contentsOf: outbox.appending(component: name))
    } catch CocoaError.fileReadNoSuchFile {
      // A server has taken it, maybe at this moment.
      return try Data(contentsOf: sent.appending(component: name))
    }
  }

  /// A photo as large as the page shows it: what is decoded is scaled at the same time.
  func smallPhoto(_ id: String) throws -> Data {
    try PixelBuffer(decoding: photo(id), fitting: Self.box).jpegData(quality: 0.8)
  }

  /// Keeps a photo: when this returns it is on the disk.
  ///
  /// Where it can't be written, on a full disk say, the page tells why, and it is tried again until it can.
  func keep(_ photo: PickedPhoto) async {
    let stamp = Int(Date().timeIntervalSince1970 * 1000)
    let id = "\(stamp)-\(UUID().uuidString.prefix(8).lowercased())"
    while !Task.isCancelled {
      do {
        try await photo.write(to: outbox.appending(component: "\(id).jpg"), as: .compatible)
        return report.change { report in
          report.problem = nil
          report.entries.insert(Entry(id: id, isSent: false, progress: 0), at: 0)
        }
      } catch {
        report.change { $0.problem = ErrorWords(error) }
        try? await Task.sleep(for: .seconds(5))
      }
    }
  }

  /// Notes how far an upload is.
  func note(_ id: String, progress: Double, problem: ErrorWords? = nil) {
    report.change { report in
      guard let place = report.entries.firstIndex(where: { $0.id == id }) else { return }
      (report.entries[place].progress, report.entries[place].problem) = (progress, problem)
    }
  }

  /// Notes that the server has a photo.
  func didSend(_ id: String) throws {
    let name = "\(id).jpg"
    try FileManager.default.moveItem(
      at: outbox.appending(component: name), to: sent.appending(component: name))
    report.change { report in
      guard let place = report.entries.firstIndex(where: { $0.id == id }) else { return }
      report.entries[place] = Entry(id: id, isSent: true, progress: 1)
    }
  }

  /// The photos now and after each change, until the reader ends it.
  func watch() -> (values: AsyncStream<Report>, end: @Sendable () -> Void) { report.watch() }
}
