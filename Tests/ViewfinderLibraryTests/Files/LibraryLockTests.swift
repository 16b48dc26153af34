import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

@Suite struct LibraryLockTests {
  @Test func whoWaitsInVainIsToldWhoHasTheLock() throws {
    let folder = try ScratchFolder()
    let path = folder.path.appending(".lock")
    let lock = try LibraryLock(path)
    #expect {
      _ = try LibraryLock(path, waitingFor: .zero)
    } throws: { error in
      guard case PhotoLibraryError.inUse(_, "this program") = error else { return false }
      return "\(error)".contains("is in use by this program")
    }
    lock.release()
    _ = try LibraryLock(path, waitingFor: .zero)
  }

  @Test func anotherProcessIsNamedAndItsDeathFreesTheLock() throws {
    let folder = try ScratchFolder()
    let path = try folder.write(".lock", "")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "flock", path.description, "sh", "-c", "echo $$ > \"$0\"; echo; exec sleep 1000",
      path.description,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    _ = try pipe.fileHandleForReading.read(upToCount: 1)
    let holder = try #require(path.text?.split(separator: "\n").first.map(String.init))
    #expect {
      _ = try LibraryLock(path, waitingFor: .milliseconds(1))
    } throws: { error in
      guard case PhotoLibraryError.inUse = error else { return false }
      return "\(error)".contains("in use by process \(holder).")
    }
    kill(try #require(Int32(holder)), SIGKILL)
    process.waitUntilExit()
    _ = try LibraryLock(path)
  }

  @Test func changesByManyThreadsAreAllThere() async throws {
    let folder = try ScratchFolder()
    let path = folder.path
    try folder.write("count", "0")
    _ = try await onThreads(8) { _ in
      for _ in 0..<25 {
        let lock = try LibraryLock(path.appending(".lock"), waitingFor: .seconds(600))
        let count = Int(path.appending("count").text ?? "") ?? -1_000_000
        try FileDraft.replace(path.appending("count"), with: Data("\(count + 1)".utf8))
        lock.release()
      }
    }
    #expect(path.appending("count").text == "200")
  }

  @Test func aFolderThatIsMissingIsAnError() throws {
    let folder = try ScratchFolder()
    let path = folder.path.appending("nowhere/.lock")
    #expect(throws: PhotoLibraryError.cannotWrite(path: path.description, code: ENOENT)) {
      _ = try LibraryLock(path)
    }
  }
}
