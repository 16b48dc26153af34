import Foundation
import Testing
import Viewfinder

/// What a run of the tool gave.
struct ToolRun {
  /// The exit code, or minus the signal that ended the process.
  var status: Int32
  var output: Data
  var errors: String

  /// The output as JSON.
  var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: output)) as? [String: Any] ?? [:]
  }
}

/// Where the test bundle lies, and the executables beside it.
private let executables = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
  .deletingLastPathComponent()

/// Lets a few processes run at a time: simulated cameras must keep their rate.
private actor Gate {
  static let shared = Gate()
  private var free = 3
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}

/// Runs the tool to its end, or kills it after a minute.
///
/// - Parameters:
///   - arguments: The arguments.
///   - name: Another executable of the package than the tool.
///   - runner: A command, with its arguments, that runs the tool.
///   - folder: The current folder.
///   - output: A file or device for stdout, instead of ``ToolRun/output``.
///   - whileRunning: Called again and again until the process ends.
/// - Returns: What came of it.
/// - Throws: When the process can't be started.
@discardableResult
func tool(
  _ arguments: [String], name: String = "viewfinder", by runner: [String] = [], in folder: Folder,
  output: FileHandle? = nil, whileRunning: (Process) -> Void = { _ in }
) async throws -> ToolRun {
  await Gate.shared.enter()
  let id = UUID().uuidString
  let (out, err) = (folder.aside.appending("out-\(id)"), folder.aside.appending("err-\(id)"))
  for url in [out, err] { try Data().write(to: url) }
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = runner + [executables.appending(name).path] + arguments
  process.currentDirectoryURL = folder.url
  // The user's own trash and index are none of a test's.
  process.environment = ProcessInfo.processInfo.environment.merging(
    ["XDG_DATA_HOME": folder.data.path]) { $1 }
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = try output ?? FileHandle(forWritingTo: out)
  process.standardError = try FileHandle(forWritingTo: err)
  try process.run()
  let limit = ContinuousClock.now + .seconds(60)
  while process.isRunning, ContinuousClock.now < limit, !Task.isCancelled {
    whileRunning(process)
    try? await Task.sleep(for: .milliseconds(5))
  }
  if Task.isCancelled {
    kill(process.processIdentifier, SIGKILL)
  } else if process.isRunning {
    Issue.record("The tool didn't end: \(arguments)")
    kill(process.processIdentifier, SIGKILL)
  }
  process.waitUntilExit()
  await Gate.shared.leave()
  let status = process.terminationStatus
  return ToolRun(
    status: process.terminationReason == .exit ? status : -status,
    output: try Data(contentsOf: out), errors: try String(contentsOf: err, encoding: .utf8))
}

/// A folder for one test, removed with the object.
final class Folder: Sendable {
  let url: URL
  /// Beside it, for what isn't the tool's.
  let aside: URL

  init() throws {
    let root = FileManager.default.temporaryDirectory.appending("viewfinder-tool-\(UUID())")
    url = root.appending("work")
    aside = root.appending("aside")
    for folder in [url, aside] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
  }

  deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }

  /// What the tool takes for the user's data, the trash among them.
  var data: URL { aside.appending("data") }

  /// The names of all files, hidden ones too.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }

  func data(_ name: String) throws -> Data { try Data(contentsOf: url.appending(name)) }

  func picture(_ name: String) throws -> PixelBuffer { try PixelBuffer(decoding: data(name)) }
}

extension URL {
  func appending(_ name: String) -> URL { appendingPathComponent(name) }
}

extension PixelBuffer {
  /// Red, green, blue and coverage of a pixel.
  func color(x: Int, y: Int) throws -> [Int] {
    let picture = try converted(to: .rgba32)
    let stride = picture.bytesPerRow()
    let bytes = picture.bytes()
    return (0..<4).map { Int(bytes[y * stride + 4 * x + $0]) }
  }
}

/// A small simulated camera, cheap to draw.
let smallCamera = ["--simulate=steady", "--size", "640x480", "--format", "YUYV"]

/// Real photos and damaged files, where a checkout has them beside it.
let testData: URL? = {
  let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  let candidates = [
    ProcessInfo.processInfo.environment["VIEWFINDER_TEST_DATA"].map { URL(fileURLWithPath: $0) },
    package.deletingLastPathComponent().appending("shared/data"),
  ]
  return candidates.compactMap { $0 }.first {
    FileManager.default.fileExists(atPath: $0.appending("jpeg/manifest.json").path)
  }
}()
