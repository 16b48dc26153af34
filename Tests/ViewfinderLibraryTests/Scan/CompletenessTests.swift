import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// Files that somebody is still writing.
@Suite struct CompletenessTests {
  private static let whole = LibraryFolder.jpeg(seed: 77)
  private static let cut = whole.prefix(whole.count * 2 / 3)

  private static func id(of data: Data) throws -> UUID {
    let folder = try ScratchFolder()
    let path = folder.path.appending("x")
    try data.write(to: path.url)
    return try ContentID(of: FileReader(path)).fileID(copy: 0)
  }

  @Test(
    "A file that is still being written isn't announced, and then under the identifier of the whole"
  )
  func slowCopy() async throws {
    let rig = try await LibraryRig(watches: true)
    try await rig.library.waitForFirstScan()
    let changes = rig.library.changes
    let path = rig.root.appending("slow.jpg")
    try Data().write(to: path.url)
    let handle = try FileHandle(forWritingTo: path.url)
    try handle.write(contentsOf: Self.cut)
    // On a thread of its own: beside many tests a task may go on so late that nobody seems to write any more.
    let isPartial = Mutex(true)
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 1.2)
      isPartial.withLock { $0 = false }
      do {
        try handle.write(contentsOf: Self.whole.dropFirst(Self.cut.count))
        try handle.close()
      } catch {
        Issue.record(error)
      }
    }
    // Longer than a file must be quiet.
    try await Task.sleep(for: .milliseconds(600))
    let listed = try await rig.all()
    #expect(listed.isEmpty || !isPartial.withLock { $0 })
    for await change in changes {
      #expect(change.inserted == [try Self.id(of: Self.whole)])
      break
    }
    #expect(try await rig.all().map(\.isIncomplete) == [false])
  }

  @Test(
    "One that stays as it is becomes an item that is marked, and gets its own identifier when it is whole"
  )
  func abandoned() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", Data(Self.cut)) }
    #expect(try await rig.asset("a.jpg").isIncomplete)
    try rig.folder.write("a.jpg", Self.whole)
    try await rig.library.update()
    let asset = try await rig.asset("a.jpg")
    #expect(!asset.isIncomplete)
    #expect(asset.id == (try Self.id(of: Self.whole)))
    #expect(try await rig.all().count == 1)
  }

  @Test("A part of a file that somebody put into an album stays what the album has")
  func inAlbum() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", Data(Self.cut)) }
    let before = try await rig.asset("a.jpg")
    try await rig.library.setFavorite(true, [before])
    try rig.folder.write("a.jpg", Self.whole)
    try await rig.library.update()
    let asset = try await rig.asset("a.jpg")
    #expect(asset.id == before.id && asset.isFavorite && !asset.isIncomplete)
  }

  private static let media = LibraryCorpus.data.appending("media/files")

  @Test(
    "Whole files of many makers are complete, and none is without its end",
    .enabled(if: CompletenessTests.media.exists, "needs the files in ../shared/data"))
  func kinds() throws {
    let folder = try ScratchFolder()
    var (complete, undetected): ([FilePath], [FilePath]) = ([], [])
    for name in try Self.media.names().sorted() where !Self.isDamaged(name) {
      let data = try Data(contentsOf: Self.media.appending(name).url)
      func completeness(_ data: Data) throws -> Completeness? {
        let path = folder.path.appending("x")
        try data.write(to: path.url)
        let file = try FileReader(path)
        let info = try MediaReader.read(file)
        return info.type == nil ? nil : Completeness(of: file, info, try FileEnds(file))
      }
      let found = try completeness(data)
      #expect(found != .incomplete, "\(name)")
      guard found == .complete else { continue }
      complete.append(name)
      if try completeness(data.prefix(data.count * 2 / 3)) == .complete { undetected.append(name) }
    }
    #expect(complete.count > 50)
    // Some have much behind their end that isn't of the picture.
    #expect(undetected.count <= complete.count / 15, "\(undetected)")
  }

  /// Test suites' files are damaged on purpose.
  private static func isDamaged(_ name: FilePath) -> Bool {
    ["ImageTestSuite", "Exception", "Error"].contains { name.description.contains($0) }
  }
}
