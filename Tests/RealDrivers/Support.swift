import Foundation
import Testing
import Viewfinder

/// A driver that the emulated machine has; see the README beside.
enum Driver: String {
  case vivid, uvcvideo, v4l2loopback

  /// Whether this is the machine that `Scripts/test-vm` boots for the driver.
  ///
  /// Suites go by this rather than by what nodes there are: where the driver should be and its
  /// nodes are not, tests must fail.
  var isHere: Bool {
    ProcessInfo.processInfo.environment["VIEWFINDER_MACHINE"] == rawValue
  }

  static let comment: Comment = "needs the emulated machine of Scripts/test-vm"

  /// The driver's cameras, in order of their nodes' numbers.
  var devices: [CaptureDevice] {
    CaptureDevice.DiscoverySession().devices.filter { Self.name(at: $0.path) == rawValue }
  }

  /// The name of the driver behind a node: that of the module, or of the kernel's own device.
  private static func name(at path: String) -> String? {
    let node = "/sys/class/video4linux/\((path as NSString).lastPathComponent)"
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(node)/device/driver")
    // Of a device that the driver made itself, such as v4l2loopback's.
    return (link as NSString?)?.lastPathComponent ?? "v4l2loopback"
  }
}

extension Driver {
  /// The driver's first camera, or `nil` when none appears within ten seconds.
  func firstDevice() async -> CaptureDevice? {
    for _ in 0..<100 {
      if let device = devices.first { return device }
      try? await Task.sleep(for: .milliseconds(100))
    }
    return nil
  }
}

extension CaptureDevice {
  /// Copies of the first frames of a stream, less than `count` when no more come within ten seconds.
  func frames(_ count: Int, preset: CaptureSession.Preset = .low) async throws -> [VideoFrame] {
    let session = CaptureSession(), output = CaptureVideoDataOutput()
    try session.setSessionPreset(preset)
    try session.configure {
      try session.addInput(CaptureDeviceInput(device: self))
      try session.addOutput(output)
    }
    let frames = output.frames
    try await session.startRunning()
    let result = await collect(frames, count)
    await session.stopRunning()
    return result
  }
}

/// The next elements of a sequence, less than `count` when no more come within ten seconds.
func collect<Elements: AsyncSequence & Sendable>(_ elements: Elements, _ count: Int) async
  -> [Elements.Element] where Elements.Element: Sendable, Elements.Failure == Never
{
  let collected = Log<Elements.Element>()
  let task = Task {
    for await element in elements {
      collected.append(element)
      if collected.all.count == count { break }
    }
  }
  let limit = Task {
    try? await Task.sleep(for: .seconds(10))
    task.cancel()
  }
  await task.value
  limit.cancel()
  return collected.all
}

/// Collects values from any thread.
final class Log<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  func append(_ value: Value) { values.withLock { $0.append(value) } }

  var all: [Value] { values.withLock { $0 } }
}

/// A program that runs beside a test.
final class Program: @unchecked Sendable {
  private let process = Process()

  var processID: Int32 { process.processIdentifier }

  init(_ name: String, _ arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    // What it has to say stands among the tests' own lines.
    process.standardError = FileHandle.standardError
    try process.run()
  }

  convenience init(_ name: String, _ arguments: String...) throws {
    try self.init(name, arguments)
  }

  /// Waits for the program's end and returns its exit code.
  func status() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Ends the program, whatever it thinks of that, and waits for its end.
  func end() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  deinit { end() }
}
