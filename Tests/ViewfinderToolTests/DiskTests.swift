import Foundation
import Testing
import Viewfinder

/// What is on the disk after a kill, and when the disk is full or may not be written to.
@Suite struct DiskTests {
  // MARK: Killed

  @Test(
    "After kill -9 at any of 300 moments all files are whole, and all that were told of are there",
    arguments: [1, 1_000_000])
  func killedWriter(keeping: Int) async throws {
    let told = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<3 {
        group.addTask {
          var told = 0
          for _ in 0..<50 { told += try await killWriter(keeping: keeping) }
          return told
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(told > 150)
  }

  /// Kills a writer, looks at its files, and returns how many it told of.
  private func killWriter(keeping: Int) async throws -> Int {
    let folder = try Folder()
    var moment: ContinuousClock.Instant?
    let run = try await tool(["./", "\(keeping)"], name: "PhotoWriter", in: folder) { process in
      if moment == nil, !folder.names.isEmpty { moment = .now + .milliseconds(.random(in: 0..<30)) }
      guard let moment, moment <= .now else { return }
      usleep(.random(in: 0..<5000))
      kill(process.processIdentifier, SIGKILL)
    }
    #expect(run.status == -SIGKILL)
    let numbers = String(decoding: run.output, as: UTF8.self).split(separator: "\n").compactMap {
      Int($0)
    }
    var lowBytes: [Int: UInt8] = [:]
    for name in folder.names where !name.hasPrefix(".") {
      let data = try folder.data(name)
      let first = try #require(data.first, "\(name) is empty")
      #expect(data == Data(repeating: first, count: 1 << 20), "\(name) is not whole")
      lowBytes[try #require(Int(name.dropLast(4)))] = first
    }
    if keeping == 1 {
      // The last that was told of, or the one after it.
      let last = numbers.last ?? 0
      #expect([last, last + 1].map { UInt8(truncatingIfNeeded: $0) }.contains(lowBytes[0]))
      #expect(folder.names.count <= 2)
    } else {
      for number in numbers { #expect(lowBytes[number] == UInt8(truncatingIfNeeded: number)) }
      #expect(lowBytes.count <= numbers.count + 1)
      // Files have no name until they are whole, where the file system can do that.
      #expect(folder.names.count == lowBytes.count)
    }
    return numbers.count
  }

  @Test("A series that is killed leaves whole photos only, and all that it told of")
  func killedSeries() async throws {
    for _ in 0..<20 {
      let folder = try Folder()
      let moment = ContinuousClock.now + .milliseconds(.random(in: 100..<600))
      let run = try await tool(
        ["photo"] + smallCamera + ["--count", "1000", "--interval", "0"], in: folder
      ) { process in
        if moment <= .now { kill(process.processIdentifier, SIGKILL) }
      }
      #expect(run.status == -SIGKILL)
      let names = folder.names
      for name in names {
        #expect(try folder.picture(name).dimensions == Dimensions(width: 640, height: 480))
      }
      let told = String(decoding: run.output, as: UTF8.self).split(separator: "\n")
      #expect(told.allSatisfy { names.contains(String($0.prefix { $0 != " " })) })
      // At once, all but the one that was just being saved.
      #expect(told.count >= names.count - 1)
    }
  }

  // MARK: Full, and not to be written to

  /// Runs a command with a small disk of its own as `disk`; what is on it in the end is in `kept`.
  private static func withDisk(_ size: String, remountedWith options: String = "rw") -> [String] {
    [
      "unshare", "--mount", "--map-root-user", "sh", "-c",
      """
      mkdir disk kept && mount -t tmpfs -o size=\(size) tmpfs disk && mount -o remount,\(options) disk || exit 99
      "$@"; status=$?
      cp -a disk/. kept/; exit $status
      """, "sh",
    ]
  }

  private static let canMount: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "unshare", "--mount", "--map-root-user", "mount", "-t", "tmpfs", "x", "/mnt",
    ]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  @Test(
    "A series ends when the disk is full, says so, and has saved all that it lists",
    .enabled(if: canMount, "needs to mount a disk, as root or in a user namespace"),
    arguments: [[], ["-o", "disk/a.png"]])
  func fullDisk(options: [String]) async throws {
    let folder = try Folder()
    let run = try await tool(
      ["photo", "--simulate", "--size", "320x240", "--count", "1000", "--interval", "0", "--json"]
        + (options.isEmpty ? ["-o", "disk/"] : options), by: Self.withDisk("1m"), in: folder)
    #expect(run.status == 74)
    #expect(run.errors.contains("No space left on device. Free some space and try again."))
    let photos = try #require(run.json["photos"] as? [[String: Any]])
    #expect(photos.count > 3)
    let listed = photos.compactMap { ($0["path"] as? String)?.dropFirst("disk/".count) }.map(
      String.init)
    let kept = folder.url.appending("kept")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: kept.path).sorted() == listed.sorted())
    for name in listed {
      let picture = try PixelBuffer(decoding: try Data(contentsOf: kept.appending(name)))
      #expect(picture.dimensions == Dimensions(width: 320, height: 240))
    }
  }

  @Test(
    "A photo that doesn't fit leaves the one that it was to replace",
    .enabled(if: canMount, "needs to mount a disk, as root or in a user namespace"))
  func keptPhoto() async throws {
    let folder = try Folder()
    let take = "photo --simulate=steady --size"
    let script = """
      "$0" \(take) 320x240 -o disk/a.jpg && "$0" \(take) 1920x1080 -o disk/a.jpg
      """
    let run = try await tool([], by: Self.withDisk("100k") + ["sh", "-c", script], in: folder)
    #expect(run.status == 74)
    #expect(run.errors.contains("No space left on device"))
    #expect(try folder.picture("kept/a.jpg").dimensions == Dimensions(width: 320, height: 240))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path + "/kept") == ["a.jpg"])
  }

  @Test(
    "A disk that may only be read is an error that says to choose another folder",
    .enabled(if: canMount, "needs to mount a disk, as root or in a user namespace"),
    arguments: [["photo", "-o", "disk/"], ["photo", "-o", "disk/a.jpg"]])
  func readOnlyDisk(arguments: [String]) async throws {
    let folder = try Folder()
    let run = try await tool(
      arguments + smallCamera, by: Self.withDisk("1m", remountedWith: "ro"), in: folder)
    #expect(run.status == 74)
    #expect(run.errors.contains("Read-only file system. Choose a folder that you may write to."))
  }

  @Test("A folder that may not be written to is an error that says to choose another")
  func closedFolder() async throws {
    let folder = try Folder()
    let closed = folder.url.appending("closed").path
    try FileManager.default.createDirectory(atPath: closed, withIntermediateDirectories: false)
    #expect(chmod(closed, 0o555) == 0)
    // Nothing is closed to the administrator, but for one without these powers.
    let runner =
      geteuid() == 0 ? ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] : []
    let run = try await tool(["photo", "-o", "closed/"] + smallCamera, by: runner, in: folder)
    #expect(run.status == 77)
    #expect(run.errors.contains("Permission denied. Choose a folder that you may write to."))
  }

  @Test(
    "A stream into a file on a full disk says so",
    .enabled(if: canMount, "needs to mount a disk, as root or in a user namespace"),
    arguments: ["mjpeg", "y4m"])
  func fullDiskOfStream(type: String) async throws {
    let folder = try Folder()
    let script = "\"$0\" stream \(smallCamera.joined(separator: " ")) --type \(type) > disk/stream"
    let run = try await tool([], by: Self.withDisk("1m") + ["sh", "-c", script], in: folder)
    #expect(run.status == 74)
    #expect(run.errors.contains("No space left on device. Free some space and try again."))
  }
}
