import Foundation
import Testing

/// The command `viewfinder`, at work beside a test.
final class Tool: @unchecked Sendable {
  private let process = Process()
  private let folder: URL

  /// Starts it.
  ///
  /// - Parameter arguments: Its arguments.
  /// - Throws: When it can't be started.
  init(_ arguments: String...) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("tool-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let files = ["output", "errors"].map { folder.appendingPathComponent($0) }
    for file in files { try Data().write(to: file) }
    // It lies beside the test bundle.
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("viewfinder")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.run()
  }

  /// What it has written so far to its standard output, and for people.
  var output: Data { file("output") }
  var errors: String { String(decoding: file("errors"), as: UTF8.self) }

  /// The output as JSON.
  var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: output)) as? [String: Any] ?? [:]
  }

  /// A file that it made, in its own folder; empty if there is none.
  func file(_ name: String) -> Data {
    (try? Data(contentsOf: folder.appendingPathComponent(name))) ?? Data()
  }

  /// Waits for its end.
  ///
  /// - Returns: The exit code, or minus the signal that ended it.
  func status(sourceLocation: SourceLocation = #_sourceLocation) async -> Int32 {
    let ended = await eventually(seconds: 120) { !process.isRunning }
    #expect(ended, "The tool didn't end: \(errors)", sourceLocation: sourceLocation)
    return end()
  }

  /// Asks it to end, as Control-C does, and waits for that.
  @discardableResult
  func interrupt() async -> Int32 {
    if process.isRunning { process.interrupt() }
    return await status()
  }

  /// Makes it stand still for a time.
  func pause(for duration: Duration) async throws {
    _ = process.suspend()
    defer { _ = process.resume() }
    try await Task.sleep(for: duration)
  }

  /// Ends it, whatever it thinks of that.
  @discardableResult
  func end() -> Int32 {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    let status = process.terminationStatus
    return process.terminationReason == .exit ? status : -status
  }

  deinit {
    end()
    try? FileManager.default.removeItem(at: folder)
  }
}
