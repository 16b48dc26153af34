import FeedClient
import Foundation
import ServerSupport
import Testing

@testable import PhotoStream

extension Device {
  /// An export of its library, which doesn't wait for long after failures.
  func export(to service: any ExportService, in scratch: Scratch) throws -> PhotoExport {
    var export = try PhotoExport(
      library, to: service, folder: scratch.url.appending(component: "exports"))
    export.firstPause = .milliseconds(1)
    return export
  }

  /// Exports again and again, as a person would.
  func exportUntilDone(to service: any ExportService, in scratch: Scratch) async throws {
    for _ in 0..<40 {
      do {
        let status = try await export(to: service, in: scratch).run()
        if status.problems.isEmpty { return }
      } catch is FeedError {} catch is ExportError {}
    }
    Issue.record("the export came to no end")
  }

  /// Puts pictures where the library finds them.
  func add(_ count: Int) async throws -> Set<Data> {
    var photos: Set<Data> = []
    for number in 0..<count { photos.insert(try await add("\(number)")) }
    return photos
  }
}
