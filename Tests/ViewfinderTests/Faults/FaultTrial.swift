import FaultInjection
import Foundation
import Testing

@testable import Viewfinder

/// A life under a fault, and what must hold after it.
struct FaultTrial: Sendable {
  /// What came of a fault.
  enum Outcome: Sendable {
    /// Nobody noticed.
    case absorbed
    /// It was told, by its name.
    case told
    /// What must hold doesn't.
    case broken(String)
  }

  let fault: FaultCase

  /// Nothing a machine under load does may look like a fault; what is silent shall be noticed soon.
  static func limits(noticingSilence isImpatient: Bool) -> CaptureLimits {
    var limits = CaptureLimits()
    limits.firstFrame = isImpatient ? 0.5 : 10
    limits.stall = isImpatient ? 0.3 : 5
    limits.still = isImpatient ? 1 : 10
    limits.start = 20
    limits.busy = 0.1
    limits.retry = 0.05
    return limits
  }

  /// Runs the life; a life that doesn't end is reported and left alone.
  func run() async -> Outcome {
    let (results, continuation) = AsyncStream.makeStream(of: Outcome.self)
    let life = Task { _ = continuation.yield(await live()) }
    let watchdog = Task {
      try await Task.sleep(for: .seconds(200))
      continuation.yield(.broken("It hangs."))
    }
    defer { watchdog.cancel() }
    for await result in results { return result }
    await life.value
    return .broken("It was cancelled.")
  }

  private func live() async -> Outcome {
    let injector = FaultInjector(fault)
    let remains = Remains()
    let journal: Journal
    let problem: String?
    do {
      let life = try FaultLife(limits: Self.limits(noticingSilence: fault.isSilence))
      injector.attach(to: life.rig.calls)
      journal = life.journal
      remains.watch(life)
      await life.run()
      injector.lift()
      problem = await life.recovers()
    } catch {
      return .broken("There is no camera: \(error)")
    }
    if let problem { return .broken(problem + " \(await journal.entries)") }
    if let left = await remains.leaks() { return .broken(left) }
    return judge(await journal.entries, strikes: injector.strikes)
  }

  private func judge(_ entries: [Journal.Entry], strikes: Int) -> Outcome {
    guard strikes > 0 else { return .broken("It never struck.") }
    let errors = entries.filter { !$0.error.isPassing }
    guard !errors.isEmpty else {
      return fault.mayPassUnnoticed ? .absorbed : .broken("Nobody was told.")
    }
    guard errors.contains(where: { fault.isNamed(by: $0.error) }) else {
      return .broken("It wasn't named: \(errors)")
    }
    let strange = errors.filter { !fault.isNamed(by: $0.error) && !$0.isConsequence }
    return strange.isEmpty ? .told : .broken("Something else was told: \(strange)")
  }
}

extension Journal.Entry {
  /// Whether it follows from another error.
  fileprivate var isConsequence: Bool {
    switch error {
    case .cancelled, .sessionNotRunning, .takingStill: true
    // A frame of a stream that has ended meanwhile.
    case .system("VIDIOC_EXPBUF", EINVAL, _): true
    default: false
    }
  }
}

/// What must be gone after a life.
final class Remains: Sendable {
  private struct State {
    weak var camera: SimulatedCamera?
    weak var session: CaptureSession?
    weak var device: CaptureDevice?
    weak var photos: CapturePhotoOutput?
    weak var taster: Taster?
    var simulator: Simulator?
  }

  private let state = Mutex(State())

  func watch(_ life: FaultLife) {
    let (camera, session, device) = (life.rig.camera, life.rig.session, life.rig.device)
    let (photos, taster) = (life.photos, life.taster)
    state.withLock { state in
      state.simulator = camera.simulator
      state.camera = camera
      state.session = session
      state.device = device
      state.photos = photos
      state.taster = taster
    }
  }

  /// What is left, if it doesn't go away soon.
  func leaks() async -> String? {
    guard let simulator = state.withLock({ $0.simulator }) else { return "There was no camera." }
    _ = await eventually({ simulator.leaks == (0, 0) && objects.isEmpty }, within: .seconds(60))
    guard simulator.leaks == (0, 0) else {
      return "Left open: \(simulator.leaks)"
    }
    return objects.isEmpty ? nil : "Left alive: \(objects.joined(separator: ", "))"
  }

  private var objects: [String] {
    state.withLock { state in
      [
        state.camera.map { _ in "camera" }, state.session.map { _ in "session" },
        state.device.map { _ in "device" }, state.photos.map { _ in "photo output" },
        state.taster.map { _ in "output" },
      ].compactMap { $0 }
    }
  }
}
