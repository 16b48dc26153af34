import Foundation
import ServerSupport
import Testing

@testable import PhotoStream

@Suite("Signals", .serialized)
struct SignalTests {
  private let scratch: Scratch
  private let device: Device

  init() async throws {
    scratch = try Scratch()
    device = try await Device("phone", in: scratch, "http://127.0.0.1:9", token: "nobody")
    try device.settings.keep(in: device.folder.appending(component: "stream"))
  }

  private func watch() throws -> Process {
    let process = Process()
    process.executableURL = ServerProcess.folder.appending(component: "photo-stream")
    process.arguments = [
      "watch", "--root", device.pictures.path,
      "--data", device.folder.appending(component: "stream").path,
      "--index", device.folder.appending(component: "index").path,
    ]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Waits until it ends; if it doesn't, it is killed.
  private func awaitEnd(of process: Process, _ words: String) async throws {
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    try await wait("its end, \(words)") { !process.isRunning }
  }

  @Test(
    "A signal ends the work cleanly, whichever thread of the program gets it",
    arguments: [SIGTERM, SIGINT])
  func threads(signal: Int32) async throws {
    var number = 0
    while true {
      let process = try watch()
      try await ProgramThreads.handle(signal, in: process.processIdentifier)
      // It has come to rest.
      try await Task.sleep(for: .milliseconds(500))
      let threads = try ProgramThreads.open(to: signal, in: process.processIdentifier)
      try #require(!threads.isEmpty)
      guard number < threads.count else {
        kill(process.processIdentifier, SIGKILL)
        break
      }
      ProgramThreads.send(signal, to: threads[number], of: process.processIdentifier)
      try await awaitEnd(of: process, "thread \(number) of \(threads.count)")
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
      number += 1
    }
    #expect(number > 0)
  }

  @Test("A signal ends the program at any moment of its start")
  func start() async throws {
    for pause in stride(from: 0, to: 120, by: 6) {
      let process = try watch()
      try await Task.sleep(for: .milliseconds(pause))
      kill(process.processIdentifier, SIGTERM)
      try await awaitEnd(of: process, "after \(pause) ms")
    }
  }
}
