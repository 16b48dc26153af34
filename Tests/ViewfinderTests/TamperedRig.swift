import CViewfinder
import FaultInjection
import Foundation

@testable import Viewfinder

/// A session over a simulated camera whose system calls can be tampered with.
struct TamperedRig: ~Copyable {
  let camera: SimulatedCamera
  let calls: TamperedSystem
  let device: CaptureDevice
  let session: CaptureSession

  /// Short where a test waits for them to pass, and otherwise patient.
  static let limits: CaptureLimits = {
    var limits = Rig.patience
    limits.busy = 0.2
    limits.stop = 0.5
    limits.retry = 0.1
    return limits
  }()

  init(
    limits: CaptureLimits = limits,
    _ change: (inout SimulatedCamera.Configuration) -> Void = { _ in }
  ) throws {
    var configuration = SimulatedCamera.Configuration()
    configuration.source = .scene(.steady)
    change(&configuration)
    let session = try CaptureSession(limits: limits, preset: .low)
    camera = try SimulatedCamera(configuration)
    calls = unsafe TamperedSystem(
      TestTable(pointer: camera.simulator.system, owner: camera.simulator), path: Simulator.path)
    device = CaptureDevice(
      address: CameraAddress(
        backend: .simulated(TamperedTable(calls.system)), path: Simulator.path),
      uniqueID: "tampered:\(UUID().uuidString)", localizedName: "Tampered camera",
      modelID: "tampered", manufacturer: "", deviceType: .simulated)
    self.session = session
  }

  /// Connects the camera with outputs and starts.
  func start(_ outputs: CaptureOutput...) async throws {
    try connect(outputs)
    try await session.startRunning()
  }

  /// Sees each system call before it is made; returns an `errno` to fail with.
  func onCall(_ body: @escaping (TamperedSystem.Call) -> Int32) {
    unsafe calls.before = { call, _ in body(call) }
  }

  /// Sees the bytes of each frame's size that the driver grants.
  func onImageSize(_ body: @escaping (Int) -> Void) {
    unsafe calls.after = { call, argument in
      guard call == .setFormat, let argument = unsafe argument else { return }
      body(
        Int(unsafe argument.load(fromByteOffset: TamperedSystem.Offset.imageSize, as: UInt32.self)))
    }
  }

  /// Makes the driver hang in a call; returns how often it did.
  @discardableResult
  func hang(in wanted: TamperedSystem.Call, while isHanging: Shared<Bool>)
    -> Shared<Int>
  {
    let hangs = Shared(0)
    onCall { call in
      guard call == wanted, isHanging.value else { return 0 }
      hangs.next()
      while isHanging.value { usleep(1000) }
      return 0
    }
    return hangs
  }

  /// Connects the camera with outputs.
  func connect(_ outputs: CaptureOutput...) throws { try connect(outputs) }

  private func connect(_ outputs: [CaptureOutput]) throws {
    try session.configure {
      try session.addInput(CaptureDeviceInput(device: device))
      for output in outputs { try session.addOutput(output) }
    }
  }

  /// Notes the session's events.
  func follow(_ log: Log<CaptureSession.Event>) -> Task<Void, Never> {
    let events = session.events
    return Task { for await event in events { log.append(event) } }
  }

  /// Starts a session that is expected not to, and returns why it didn't.
  func failureToStart() async -> CaptureError? {
    do {
      try await start()
      return nil
    } catch {
      return error as? CaptureError
    }
  }

  deinit { session.stopRunningAndWait() }
}

/// Keeps a tampered table alive for those who use it.
@safe final class TamperedTable: SystemTable, @unchecked Sendable {
  private let table: TestTable

  init(_ table: TestTable) { self.table = table }

  var system: UnsafePointer<vf_system> { unsafe table.pointer }
}
