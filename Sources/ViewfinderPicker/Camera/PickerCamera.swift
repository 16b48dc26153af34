import Viewfinder

/// A picker's session: started and stopped one after the other, whoever asks.
actor PickerCamera {
  nonisolated let photoOutput = CapturePhotoOutput()
  nonisolated let previewOutput = CaptureVideoDataOutput()
  nonisolated let metadataOutput = CaptureMetadataOutput()
  private var session: CaptureSession?
  /// Starts and stops wait for the one before.
  private var last: Task<Void, Never>?
  /// The start that may be under way: whatever comes next gives it up.
  private var starting: Task<CaptureSession, any Error>?

  /// Starts with a camera, after stopping with another one.
  ///
  /// - Returns: The session, which runs.
  /// - Throws: What kept the camera from delivering; ``CaptureError/cancelled(reason:)`` or
  ///   `CancellationError` when another start or a stop came meanwhile.
  func start(_ device: CaptureDevice, _ configuration: ImagePicker.Configuration) async throws
    -> CaptureSession
  {
    starting?.cancel()
    let before = last
    let task = Task { () throws -> CaptureSession in
      await before?.value
      await self.stopSession()
      try Task.checkCancellation()
      return try await self.startSession(device, configuration)
    }
    starting = task
    last = Task { _ = await task.result }
    return try await task.value
  }

  /// Gives the camera back.
  func stop() async {
    starting?.cancel()
    let before = last
    let task = Task {
      await before?.value
      await self.stopSession()
    }
    last = task
    await task.value
  }

  private func startSession(_ device: CaptureDevice, _ configuration: ImagePicker.Configuration)
    async throws -> CaptureSession
  {
    let session = CaptureSession()
    try session.configure {
      try session.setSessionPreset(configuration.sessionPreset)
      try session.addInput(CaptureDeviceInput(device: device))
      try session.addOutput(photoOutput)
      try session.addOutput(previewOutput)
      metadataOutput.metadataObjectTypes = configuration.metadataObjectTypes
      if !configuration.metadataObjectTypes.isEmpty { try session.addOutput(metadataOutput) }
    }
    for output in session.outputs {
      output.connection(with: .video)?.videoRotationAngle = Double(configuration.videoRotationAngle)
    }
    self.session = session
    do {
      try await session.startRunning()
    } catch {
      await stopSession()
      throw error
    }
    return session
  }

  private func stopSession() async {
    guard let session else { return }
    self.session = nil
    await session.stopRunning()
    for output in session.outputs { session.removeOutput(output) }
  }

  // MARK: Cameras

  /// The cameras to choose among, the rear one first.
  static func devices(of cameras: [CaptureDevice]?) -> [CaptureDevice] {
    if let cameras { return cameras }
    let found = CaptureDevice.DiscoverySession().devices
    return found.filter { $0.position != .front } + found.filter { $0.position == .front }
  }

  /// The rear or front camera; one camera is the rear one, wherever it looks.
  static func device(_ wanted: ImagePicker.CameraDevice, of cameras: [CaptureDevice]?)
    -> CaptureDevice?
  {
    let devices = devices(of: cameras)
    guard wanted == .front else { return devices.first }
    return devices.dropFirst().first { $0.position == .front } ?? devices.dropFirst().first
  }

  /// Why none of the cameras can be used, and what to do.
  static func problem(with cameras: [CaptureDevice]?) -> PickerError? {
    guard devices(of: cameras).isEmpty else { return nil }
    let problem = cameras == nil ? CaptureDevice.DiscoverySession().unusableDevices.first : nil
    return problem.map(PickerError.camera) ?? .noCamera
  }
}
