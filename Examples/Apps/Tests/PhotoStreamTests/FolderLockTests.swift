import Foundation
import ServerSupport
import Testing

@testable import PhotoStream

@Suite("Locks of folders")
struct FolderLockTests {
  @Test(
    "A lock that was given back is free, though a process that is being started has its descriptor")
  func copied() throws {
    let scratch = try Scratch()
    let lock = try FolderLock(in: scratch.url, named: "work", taken: "It is taken.")
    #expect(throws: FolderLock.Taken.self) {
      try FolderLock(in: scratch.url, named: "work", taken: "It is taken.")
    }
    let path = scratch.url.appending(component: "work.lock").resolvingSymlinksInPath().path
    let own = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").first {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
    }
    let copy = dup(try #require(own.flatMap { Int32($0) }))
    defer { close(copy) }
    lock.release()
    try FolderLock(in: scratch.url, named: "work", taken: "It is taken.").release()
  }
}
