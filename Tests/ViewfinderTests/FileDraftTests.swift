import Foundation
import Testing

@testable import Viewfinder

/// Both ways of writing a file: without a name until it is whole, and with a hidden one.
@Suite struct FileDraftTests {
  private func write(_ bytes: [UInt8], to url: URL, isHidden: Bool, replacesExisting: Bool)
    throws -> Int32
  {
    var draft = try FileDraft(for: url.path.utf8, isHidden: isHidden)
    let code = draft.write(Data(bytes))
    return code == 0 ? draft.publish(replacesExisting: replacesExisting) : code
  }

  @Test(arguments: [false, true])
  func aFileHasItsNameOnlyWhenItIsWhole(isHidden: Bool) throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("a.jpg")
    var draft = try FileDraft(for: url.path.utf8, isHidden: isHidden)
    #expect(draft.write(Data([1, 2, 3])) == 0)
    #expect(folder.contents.count == (isHidden ? 1 : 0) && !folder.contents.contains("a.jpg"))
    #expect(draft.publish(replacesExisting: false) == 0)
    #expect(folder.contents == ["a.jpg"])
    #expect(try Data(contentsOf: url) == Data([1, 2, 3]))
  }

  @Test(arguments: [false, true])
  func aTakenNameIsTakenOverOnlyWhenThatIsAllowed(isHidden: Bool) throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("a.jpg")
    try Data([1]).write(to: url)
    #expect(try write([2], to: url, isHidden: isHidden, replacesExisting: false) == EEXIST)
    #expect(try Data(contentsOf: url) == Data([1]))
    #expect(try write([3], to: url, isHidden: isHidden, replacesExisting: true) == 0)
    #expect(try Data(contentsOf: url) == Data([3]))
    #expect(folder.contents == ["a.jpg"])
  }

  @Test(arguments: [false, true])
  func aNameMayBeAnyBytesAndIsChosenInTheEnd(isHidden: Bool) throws {
    let folder = try TemporaryFolder()
    let path = Array(folder.url.path.utf8) + Array("/".utf8)
    let name: [UInt8] = [0xff, 0x0a, 0x80]
    try Data([1]).write(to: folder.url.appendingPathComponent("taken.jpg"))
    var draft = try FileDraft(for: path + name, isHidden: isHidden)
    #expect(draft.write(Data([2])) == 0)
    let taken = path + Array("taken.jpg".utf8)
    #expect(draft.publish(at: taken, replacesExisting: false) == EEXIST)
    #expect(draft.publish(at: path + name + [0x31], replacesExisting: false) == 0)
    #expect(folder.contents.count == 2)
    var status = stat()
    let code = unsafe (path + name + [0x31, 0]).map { CChar(bitPattern: $0) }
      .withUnsafeBufferPointer { unsafe stat($0.baseAddress!, &status) }
    #expect(code == 0 && status.st_size == 1)
  }

  @Test(arguments: [false, true])
  func anAbandonedDraftLeavesNothing(isHidden: Bool) throws {
    let folder = try TemporaryFolder()
    do {
      let draft = try FileDraft(
        for: folder.url.appendingPathComponent("a.jpg").path.utf8, isHidden: isHidden)
      #expect(draft.write(Data([1])) == 0)
    }
    #expect(folder.contents.isEmpty)
  }

  @Test func aWholeFileIsWrittenWithItsModeAndReplacesOnlyWhatItMay() throws {
    let folder = try TemporaryFolder()
    let path = Array(folder.url.appendingPathComponent("a.txt").path.utf8)
    try FileDraft.write(Data([1, 2]), to: path, mode: 0o640, replacesExisting: false)
    var status = stat()
    #expect(unsafe stat(String(decoding: path, as: UTF8.self), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o640 && status.st_size == 2)
    let refusal = #expect(throws: FileFailure.self) {
      try FileDraft.write(Data([3]), to: path, replacesExisting: false)
    }
    #expect(refusal?.code == EEXIST)
    try FileDraft.write(Data([4, 5, 6]), to: path, replacesExisting: true)
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("a.txt")) == Data([4, 5, 6]))
    #expect(folder.contents == ["a.txt"])
  }
}
