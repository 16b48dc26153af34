import CViewfinder
import FaultInjection
import Foundation
import Testing

extension TestTable {
  /// Describes a node by `vf_device_describe`.
  func describe(_ path: String, root: String = "") throws -> vf_device {
    var device = vf_device(), failure = vf_failure()
    return try withExtendedLifetime(owner) {
      guard vf_device_describe(pointer, root, path, &device, &failure) == 0 else {
        throw Failed(failure)
      }
      return device
    }
  }
}

/// An open grabber, closed when it goes away.
final class TestGrabber: @unchecked Sendable {
  let handle: OpaquePointer
  private let system: TestTable

  init(_ system: TestTable, _ path: String) throws {
    var failure = vf_failure()
    guard let handle = vf_grabber_open(system.pointer, path, &failure) else {
      throw Failed(failure)
    }
    self.system = system
    self.handle = handle
  }

  deinit { vf_grabber_close(handle) }

  var statistics: vf_statistics { vf_grabber_statistics(handle) }

  func modes() throws -> [vf_mode] {
    var rows: UnsafeMutablePointer<vf_mode>?, failure = vf_failure()
    let count = vf_grabber_modes(handle, &rows, &failure)
    defer { free(rows) }
    guard count >= 0 else { throw Failed(failure) }
    return Array(UnsafeBufferPointer(start: rows, count: Int(count)))
  }

  func controls() throws -> [vf_control] {
    var rows: UnsafeMutablePointer<vf_control>?, failure = vf_failure()
    let count = vf_grabber_controls(handle, &rows, &failure)
    defer { free(rows) }
    guard count >= 0 else { throw Failed(failure) }
    return Array(UnsafeBufferPointer(start: rows, count: Int(count)))
  }

  func menu(of control: vf_control) throws -> [vf_menu_item] {
    var control = control
    var rows: UnsafeMutablePointer<vf_menu_item>?, failure = vf_failure()
    let count = vf_grabber_menu(handle, &control, &rows, &failure)
    defer { free(rows) }
    guard count >= 0 else { throw Failed(failure) }
    return Array(UnsafeBufferPointer(start: rows, count: Int(count)))
  }

  func value(of id: UInt32) throws -> Int64 {
    var value: Int64 = 0, failure = vf_failure()
    guard vf_grabber_get_control(handle, id, &value, &failure) == 0 else { throw Failed(failure) }
    return value
  }

  @discardableResult func set(_ id: UInt32, to value: Int64) throws -> Int64 {
    var value = value, failure = vf_failure()
    guard vf_grabber_set_control(handle, id, &value, &failure) == 0 else { throw Failed(failure) }
    return value
  }

  /// Chooses a format as users do, and starts.
  @discardableResult
  func start(
    _ wanted: vf_format = wish(640, 480), options: vf_stream_options = vf_stream_options()
  ) throws -> vf_format {
    try startExactly(choose(modes(), wanted), options: options)
  }

  @discardableResult
  func startExactly(
    _ format: vf_format, options: vf_stream_options = vf_stream_options()
  ) throws -> vf_format {
    var format = format, options = options, failure = vf_failure()
    guard vf_grabber_start(handle, &format, &options, &failure) == 0 else { throw Failed(failure) }
    return format
  }

  func stop() { vf_grabber_stop(handle) }

  /// The next frame, or nil after the time-out or an interruption.
  func next(timeout: Int32 = 10_000) throws -> UnsafeMutablePointer<vf_frame>? {
    var frame: UnsafeMutablePointer<vf_frame>?, failure = vf_failure()
    guard vf_grabber_next(handle, timeout, &frame, &failure) >= 0 else { throw Failed(failure) }
    return frame
  }

  /// Looks at frames one after the other.
  func look(at count: Int, _ body: (vf_frame) throws -> Void = { _ in }) throws {
    for _ in 0..<count {
      guard let frame = try next() else { throw Failed(code: ETIMEDOUT) }
      defer { vf_frame_release(frame) }
      try body(frame.pointee)
    }
  }
}

/// A camera to test with: the simulated one, or a kernel driver's node through one of the tables.
struct TestCamera: CustomTestStringConvertible, Sendable {
  enum Source {
    case simulated
    case node(String, libv4l2: Bool)
  }

  var source: Source

  static let simulated = TestCamera(source: .simulated)

  /// All that this machine has.
  ///
  /// Nodes are used only where they are known to be virtual ones.
  static let all = [simulated] + nodes

  static let nodes: [TestCamera] = {
    guard isEmulatedMachine else { return [] }
    return (0..<8).map { "/dev/video\($0)" }.filter(isCamera).flatMap { path in
      [false, true].map { TestCamera(source: .node(path, libv4l2: $0)) }
    }
  }()

  /// Whether this is the emulated machine that Scripts/test-vm boots for these tests.
  static let isEmulatedMachine =
    ProcessInfo.processInfo.environment["VIEWFINDER_MACHINE"] == "grabber"

  private static func isCamera(_ path: String) -> Bool {
    (try? linux.describe(path))?.kind == VF_DEVICE_CAPTURE
  }

  static let linux = TestTable(pointer: vf_system_linux_table())
  static let libv4l2 = TestTable(pointer: vf_system_libv4l2_table())

  var testDescription: String {
    switch source {
    case .simulated: "simulated"
    case .node(let path, let libv4l2): "\(path) by \(libv4l2 ? "libv4l2" : "the kernel")"
    }
  }

  /// Plugs the camera in and lends its table and path.
  func use(
    faults: String = "", fullSpeed: Bool = false,
    _ body: (TestTable, String) throws -> Void
  ) throws {
    switch source {
    case .simulated:
      try SimulatedCamera(faults: faults, fullSpeed: fullSpeed).use { try body($0.system, $0.path) }
    case .node(let path, let libv4l2): try body(libv4l2 ? Self.libv4l2 : Self.linux, path)
    }
  }
}

/// The camera that lives in the process.
final class SimulatedCamera {
  let handle: OpaquePointer
  let path = VF_SIMULATOR_PATH

  init(faults: String = "", fullSpeed: Bool = true) throws {
    var failure = vf_failure()
    let handle = "steady".withCString { scene in
      faults.withCString { faults in
        var options = vf_simulator_options()
        options.scene = scene
        options.faults = faults
        options.full_speed = fullSpeed ? 1 : 0
        return vf_simulator_create(&options, &failure)
      }
    }
    guard let handle else { throw Failed(failure) }
    self.handle = handle
  }

  deinit { vf_simulator_destroy(handle) }

  var system: TestTable { TestTable(pointer: vf_simulator_system(handle), owner: self) }

  /// Keeps the camera alive for the time of `body`.
  func use(_ body: (SimulatedCamera) throws -> Void) rethrows {
    try withExtendedLifetime(self) { try body(self) }
  }

  /// Mapped buffers and open descriptors.
  var leaks: Leaks {
    var leaks = Leaks()
    vf_simulator_leaks(handle, &leaks.mapped, &leaks.open)
    return leaks
  }

  struct Leaks: Equatable {
    var mapped: UInt32 = 0, open: UInt32 = 0
  }
}
