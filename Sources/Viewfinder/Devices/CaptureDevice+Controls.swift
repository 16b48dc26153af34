import Foundation

extension CaptureDevice {
  // MARK: Waiting

  /// How long a call waits for a driver that hangs, in seconds.
  static let callLimit = 10.0

  /// Runs work that opens, reads or sets this camera without blocking a thread of Swift's pool.
  ///
  /// ```swift
  /// let formats = try await camera.perform { (camera) throws(CaptureError) in
  ///   try camera.supportedFormats()
  /// }
  /// ```
  ///
  /// - Parameter work: Runs at once on a thread of the library.
  /// - Returns: What `work` returns.
  /// - Throws: What `work` throws.
  public func perform<R: Sendable>(
    _ work: @escaping @Sendable (CaptureDevice) throws(CaptureError) -> R
  ) async throws(CaptureError) -> R {
    try await Blocking.run { [self] () throws(CaptureError) in try work(self) }
  }

  /// Runs what asks the driver on a thread of its own, and waits for it up to the limit.
  ///
  /// A thread that hangs in the driver is left to end by itself; what it finds is let go of then.
  func bounded<R: Sendable>(
    _ work: @escaping @Sendable () throws(CaptureError) -> R
  ) throws(CaptureError) -> R {
    try Self.bounded(localizedName, work)
  }

  /// The same for what isn't about one camera.
  static func bounded<R: Sendable>(
    _ subject: String, limit: Double = callLimit,
    _ work: @escaping @Sendable () throws(CaptureError) -> R
  ) throws(CaptureError) -> R {
    let outcome = Outcome<R>()
    DriverThreads.shared.run {
      let result = Result { () throws(CaptureError) in try work() }
      return { outcome.resolve(result) }
    }
    guard let result = outcome.wait(limit) else { throw .stalled(device: subject, seconds: limit) }
    return try result.get()
  }

  // MARK: Descriptor

  /// Uses the descriptor for controls, which is opened at first use; once more with a new one when the
  /// camera was away meanwhile.
  func withControls<R: Sendable>(
    _ body: @escaping @Sendable (Grabber) throws(CaptureError) -> R
  ) throws(CaptureError) -> R {
    try bounded { [self] () throws(CaptureError) in
      if let known = state.withLock({ $0.controlGrabber }) {
        do throws(CaptureError) {
          return try body(known)
        } catch {
          guard case .disconnected = error else { throw error }
          close(known)
          guard let opened = try? controlGrabber() else { throw error }
          return try body(opened)
        }
      }
      return try body(controlGrabber())
    }
  }

  private func controlGrabber() throws(CaptureError) -> Grabber {
    let opened = try openGrabber()
    return state.withLock { state in
      if let grabber = state.controlGrabber { return grabber }
      state.controlGrabber = opened
      return opened
    }
  }

  private func close(_ grabber: Grabber) {
    state.withLock { state in
      if state.controlGrabber === grabber { state.controlGrabber = nil }
    }
  }

  // MARK: Controls

  /// All controls of the camera, read now.
  public func controls() throws(CaptureError) -> [CaptureControl] {
    let controls = try withControls { (grabber) throws(CaptureError) in
      try grabber.captureControls()
    }
    state.withLock { $0.controls = controls }
    return controls
  }

  /// The control with a V4L2 name such as "brightness", read now, or `nil` when the camera has
  /// none.
  public func control(named identifier: String) throws(CaptureError) -> CaptureControl? {
    try controls().first { $0.identifier == identifier }
  }

  /// Sets a control by its V4L2 name.
  ///
  /// The device remembers the value and sets it again when the camera comes back. Needs
  /// ``lockForConfiguration()``.
  ///
  /// - Parameters:
  ///   - identifier: The name that ``CaptureControl/identifier`` and `v4l2-ctl` show.
  ///   - value: The value; for a menu, the item's.
  /// - Returns: What the driver made of the value.
  /// - Throws: ``CaptureError/valueOutOfRange(name:value:accepted:)``, or
  ///   ``CaptureError/unsupportedControl(name:device:reason:)`` with the reason.
  @discardableResult
  public func setControl(_ identifier: String, to value: Int64) throws(CaptureError) -> Int64 {
    guard let control = try control(named: identifier) else {
      throw .unsupportedControl(
        name: identifier, device: localizedName,
        reason: "it has no such control. It has: "
          + (try controls().map(\.identifier).joined(separator: ", ")) + ".")
    }
    return try set(control, to: value)
  }

  /// Sets a control and remembers the value.
  func set(_ control: CaptureControl, to value: Int64) throws(CaptureError) -> Int64 {
    try requireLock()
    let granted = try withControls { [self] (grabber) throws(CaptureError) in
      switch grabber.setControl(control.id, to: value) {
      case .success(let granted): return granted
      case .failure(let error): throw refusal(of: control, value: value, code: error.code)
      }
    }
    state.withLock { state in
      state.wantedControls.removeAll { $0.id == control.id }
      if control.kind != .button { state.wantedControls.append((control.id, value)) }
    }
    return granted
  }

  /// Sets a control if the camera takes the value, without the lock and without remembering.
  func setControlForNow(_ id: UInt32, to value: Int64) {
    _ = try? withControls { grabber in _ = grabber.setControl(id, to: value) }
  }

  private func refusal(of control: CaptureControl, value: Int64, code: Int32) -> CaptureError {
    switch code {
    case ERANGE, EINVAL:
      return .valueOutOfRange(
        name: control.identifier, value: String(value), accepted: control.acceptedValues)
    case ENOTSUP:
      return .unsupportedControl(
        name: control.identifier, device: localizedName, reason: "it holds no single number.")
    case EACCES where control.isReadOnly:
      return .unsupportedControl(
        name: control.identifier, device: localizedName, reason: "it can only be read.")
    case EACCES, EIO, EILSEQ:
      return .unsupportedControl(
        name: control.identifier, device: localizedName,
        reason: "an automatic governs it now; switch that to manual first.")
    case EBUSY:
      return .unsupportedControl(
        name: control.identifier, device: localizedName, reason: "it can't change while streaming.")
    case ENODEV:
      return .disconnected(device: localizedName)
    default:
      return .system(call: "VIDIOC_S_EXT_CTRLS", code: code, subject: control.identifier)
    }
  }

  /// Sets again what the program set, automatics first; for a camera that came back.
  func restoreControls(on grabber: Grabber) {
    let wanted = state.withLock { $0.wantedControls }
    let ordered =
      wanted.filter { ControlID.automatics.contains($0.id) }
      + wanted.filter { !ControlID.automatics.contains($0.id) }
    for (id, value) in ordered {
      // Some cameras need a moment after an automatic goes off: once more is enough.
      guard case .success(let granted) = grabber.setControl(id, to: value),
        [granted, nil].contains(grabber.value(ofControl: id))
      else {
        _ = grabber.setControl(id, to: value)
        continue
      }
    }
  }

  /// A control as it was when the list was last read; reads the list at first use.
  func knownControl(_ id: UInt32) -> CaptureControl? {
    let known = state.withLock { $0.controls } ?? (try? controls()) ?? []
    return known.first { $0.id == id }
  }

  /// A control's value at this moment.
  func currentValue(_ id: UInt32) -> Int64? { currentValues([id])[id] }

  /// The values at this moment of those controls that the camera has, all asked for in one go.
  func currentValues(_ ids: [UInt32]) -> [UInt32: Int64] {
    let known = ids.filter { knownControl($0) != nil }
    guard !known.isEmpty else { return [:] }
    let values = try? withControls { [self] (grabber) throws(CaptureError) in
      let values = known.compactMap { id in grabber.value(ofControl: id).map { (id, $0) } }
      // Perhaps the camera was away: then it is asked once more.
      if values.isEmpty { throw .disconnected(device: localizedName) }
      return Dictionary(uniqueKeysWithValues: values)
    }
    return values ?? [:]
  }

  /// Sets a control that the camera must have for `purpose`.
  func setControl(_ id: UInt32, to value: Int64, for purpose: String) throws(CaptureError) {
    guard let control = knownControl(id) else {
      throw .unsupportedControl(
        name: purpose, device: localizedName, reason: "the camera has no control for it.")
    }
    _ = try set(control, to: value)
  }
}

/// What a thread finds out for another one.
private final class Outcome<R: Sendable>: Sendable {
  private let result = Mutex<Result<R, CaptureError>?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  func resolve(_ value: Result<R, CaptureError>) {
    result.withLock { $0 = value }
    semaphore.signal()
  }

  /// The outcome, or `nil` when it takes longer.
  func wait(_ seconds: Double) -> Result<R, CaptureError>? {
    _ = semaphore.wait(timeout: .now() + seconds)
    return result.withLock { result in
      defer { result = nil }
      return result
    }
  }
}
