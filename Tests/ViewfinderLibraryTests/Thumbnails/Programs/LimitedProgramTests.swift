import Foundation
import Testing

@testable import ViewfinderLibrary

@Suite struct LimitedProgramTests {
  private func run(
    _ script: String, time: Duration = .seconds(60), limit: Int = 1 << 20,
    isCancelled: () -> Bool = { false }
  ) -> LimitedProgram.Outcome {
    LimitedProgram.run(
      ["/bin/sh", "-c", FilePath(script)], time: time, outputLimit: limit, isCancelled: isCancelled)
  }

  @Test("Output, errors and the exit status come back")
  func ending() {
    #expect(run("echo out; echo error >&2; exit 7") == .ended(Data("out\nerror\n".utf8), status: 7))
    #expect(run("kill -9 $$") == .ended(Data(), status: -1))
    #expect(
      LimitedProgram.run(["/no/program"], time: .seconds(60), outputLimit: 9) { false }
        == .notStarted(ENOENT))
  }

  @Test("A program has no descriptors of this process, and nothing to read")
  func descriptors() throws {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/dev/null"))
    let copy = fcntl(file.fileDescriptor, F_DUPFD, 50)
    defer { close(copy) }
    #expect(copy >= 50)
    let outcome = run("cat; ls /proc/$$/fd")
    guard case .ended(let data, status: 0) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let numbers = String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap {
      Int($0)
    }
    #expect(numbers == [0, 1, 2])
  }

  @Test("What takes too long or writes too much is killed, with what it started")
  func killing() async throws {
    let marker = "1000.\(Int.random(in: 1_000_000..<9_999_999))"
    let script = "sleep \(marker) & sleep \(marker)"
    #expect(run(script, time: .milliseconds(300)) == .killed(reason: "it took too long"))
    #expect(run("yes & yes", limit: 1 << 16) == .killed(reason: "it wrote too much"))
    var calls = 0
    let outcome = run(script) {
      calls += 1
      return calls > 2
    }
    #expect(outcome == .cancelled)
    #expect(try await eventually { !isRunning(marker) })
  }
}

/// Whether a process runs that has this among its arguments.
func isRunning(_ marker: String) -> Bool {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
  return names.contains { name in
    guard Int(name) != nil,
      let words = FileManager.default.contents(atPath: "/proc/\(name)/cmdline")
    else { return false }
    return String(decoding: words, as: UTF8.self).contains(marker)
  }
}
