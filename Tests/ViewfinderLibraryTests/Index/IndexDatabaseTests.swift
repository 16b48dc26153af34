import Foundation
import Testing

@testable import ViewfinderLibrary

@Suite struct IndexDatabaseTests {
  @Test("An index that somebody writes to for long is not taken for a damaged one")
  func busyIndex() async throws {
    let folder = try ScratchFolder()
    let index = try IndexDatabase(folder: folder.path)
    try index.writeNow { db in
      try ChangeLog.append(.inserted, UUID(), in: db)
      let error = #expect(throws: PhotoLibraryError.self) {
        _ = try IndexDatabase(folder: folder.path, patience: 0.05)
      }
      #expect(error?.description.contains("another program is writing to it") == true)
    }
    let other = try IndexDatabase(folder: folder.path)
    #expect(try other.readNow { db in try ChangeLog.version(in: db) } == 1)
  }
}
