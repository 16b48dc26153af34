import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// A library on disks that are full or may only be read: the program `LibraryWorker` sees them, nobody else.
@Suite(.enabled(if: TestDisk.canMount, "needs to mount a disk, as root"))
struct FullDiskTests {
  private static let fill =
    "run dd if=/dev/zero of=DISK/fill bs=4k; dd if=/dev/zero of=DISK/rest bs=1"
  private static let free = "run rm DISK/fill DISK/rest"
  /// Thumbnails are written after the answer: waits until one is there, whole, and nothing else.
  private static let isKept =
    "run timeout 60 sh -c 'until test -n \"$(find DISK -name \"*.png\")\""
    + " && test -z \"$(find DISK -type f ! -name \"*.png\")\"; do sleep 0.1; done'"
  private static let isFull = "No space left on device. Free some space and try again."
  private static let isReadOnly = "Read-only file system. Choose a folder that you may write to."

  /// What the worker answers when one of its folders is a disk of its own with the pictures `p0.jpg` to `p7.jpg`.
  private func answers(on disk: String, size: String = "1m", to commands: [String]) throws
    -> [String]
  {
    let folder = try ScratchFolder()
    try WorkerProcess.prepare(folder.path)
    let script = """
      cd "$1" && touch -d @1600000000 Pictures/* && cp -a Pictures Prepared && mkdir -p \(disk) \
      && mount -t tmpfs -o size=\(size) x \(disk) && cp -a Prepared/. Pictures/ && exec "$0" "$1" answer 0 0
      """
    let input = commands.map { $0.replacing("DISK", with: disk) + "\n" }.joined()
    let text = try output(
      "/usr/bin/unshare",
      ["--mount", "sh", "-c", script, WorkerProcess.program.path, folder.path.description],
      input: Data(input.utf8))
    let lines = text.split(separator: "\n").map(String.init)
    try #require(lines.first == "ready" && lines.count == commands.count + 1, "\(lines)")
    return Array(lines.dropFirst())
  }

  @Test(
    "On a full disk for the index photos are saved all the same, and it has all when there is room")
  func index() throws {
    let saves = (0..<30).map { "save \($0)" }
    let commands = ["open", "update", Self.fill] + saves + ["list", Self.free, "update", "list"]
    let found = try answers(on: "index", to: commands)
    #expect(found[...1] == ["opened", "updated 8"])
    let saved = found[3..<33]
    #expect(saved.allSatisfy { $0.hasPrefix("saved VWF_") }, "\(found)")
    #expect(Set(saved).count == 30)
    // What it knew it shows.
    #expect(found[33].hasPrefix("listed "))
    // The photos themselves were saved.
    #expect(found[35...] == ["updated 38", "listed 38"])
  }

  @Test("A library whose index finds no room can't be opened, says so, and can when there is")
  func newIndex() throws {
    let found = try answers(
      on: "index", to: [Self.fill, "open", Self.free, "open", "update", "list"])
    #expect(found[1].hasPrefix("error ") && found[1].hasSuffix(Self.isFull), "\(found)")
    #expect(found[3...] == ["opened", "updated 8", "listed 8"])
  }

  @Test("An index on a full disk is kept: the library opens with what it knows, or says what to do")
  func keptIndex() throws {
    let found = try answers(
      on: "index",
      to: ["open", "update", Self.fill, "open", "list", Self.free, "open", "list"])
    #expect(
      found[3...4] == ["opened", "listed 8"] || found[3].hasSuffix(Self.isFull), "\(found)")
    // Nothing was read again: it is the same index.
    #expect(found[6...] == ["opened", "listed 8"])
  }

  @Test("On a full disk photos and albums are errors that say so, and nothing is lost or left")
  func pictures() throws {
    let found = try answers(
      on: "Pictures",
      to: [
        "open", "update", "add p0.jpg", "save 0", Self.fill, "save 1", "add p1.jpg", "album",
        "list",
        // The photos, an album, the lock, and two files that fill it.
        "run test $(find DISK -type f | wc -l) = 13",
        Self.free, "album", "save 1", "add p1.jpg", "album", "list",
      ])
    #expect(found[2...3] == ["added", "saved VWF_0001.JPG"])
    for answer in found[5...6] {
      #expect(answer.hasPrefix("error ") && answer.hasSuffix(Self.isFull), "\(found)")
    }
    #expect(found[7...9] == ["has p0.jpg", "listed 9", "ran 0"])
    #expect(
      found[11...] == [
        "has p0.jpg", "saved VWF_0002.JPG", "added", "has p0.jpg,p1.jpg", "listed 10",
      ])
  }

  @Test("Where the cache is on a full disk, thumbnails are shown all the same and kept later")
  func thumbnails() throws {
    let found = try answers(
      on: "thumbnails",
      to: [
        "open", "update", Self.fill, "thumbnail p0.jpg",
        "run test -z \"$(find DISK -name '*.png')\"",
        Self.free, "thumbnail p1.jpg", Self.isKept,
      ])
    #expect(found[3...4] == ["shows 16x8", "ran 0"], "\(found)")
    #expect(found[6...7] == ["shows 16x8", "ran 0"], "\(found)")
  }

  @Test("Folders that may only be read are listed and shown; saving and albums say what to do")
  func readOnly() throws {
    let found = try answers(
      on: "Pictures",
      to: [
        "open", "update", "add p0.jpg", "run mount -o remount,ro DISK", "status", "open", "update",
        "list", "show p1.jpg", "thumbnail p1.jpg", "album", "save 1", "add p1.jpg", "album",
        "run mount -o remount,rw DISK", "add p1.jpg", "album",
      ])
    #expect(found[3] == "ran 0")
    #expect(found[4].contains("read-only file system. Choose another folder for new photos."))
    #expect(
      found[5...10] == [
        "opened", "updated 8", "listed 8", "shows 16x8", "shows 16x8", "has p0.jpg",
      ])
    for answer in found[11...12] { #expect(answer.hasSuffix(Self.isReadOnly), "\(found)") }
    #expect(found[13...] == ["has p0.jpg", "ran 0", "added", "has p0.jpg,p1.jpg"])
  }
}
