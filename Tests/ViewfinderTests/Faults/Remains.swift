import Foundation

@testable import Viewfinder

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
