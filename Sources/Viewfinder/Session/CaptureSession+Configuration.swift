extension CaptureSession {
  struct Configuration {
    var input: CaptureDeviceInput?
    var outputs: [CaptureOutput] = []
    var preset = Preset.high
  }

  /// The inputs: none or one.
  public var inputs: [CaptureDeviceInput] {
    state.withLock { $0.configuration.input.map { [$0] } ?? [] }
  }

  /// The outputs.
  public var outputs: [CaptureOutput] { state.withLock { $0.configuration.outputs } }

  /// The size and rate by name.
  ///
  /// The default is ``Preset/high``.
  ///
  /// ``Preset/inputPriority`` while the device has an active format of its own.
  public var sessionPreset: Preset {
    let (preset, input) = state.withLock { ($0.configuration.preset, $0.configuration.input) }
    return input?.device.activeFormat == nil ? preset : .inputPriority
  }

  /// Chooses the size and rate by name, and resets the device's active format and frame durations.
  ///
  /// Apple's `sessionPreset` ends the program where this throws. A running session takes the preset
  /// up at once, or at its commit when its configuration is open.
  ///
  /// - Throws: ``CaptureError/unsupportedFormat(device:requested:nearest:)`` when the session's
  ///   camera lacks the size, ``CaptureError/invalidSettings(reason:)`` for an unknown name. The
  ///   session then goes on as before.
  public func setSessionPreset(_ preset: Preset) throws(CaptureError) {
    guard Preset.all.contains(preset) else {
      let names = Preset.all.map(\.rawValue).joined(separator: ", ")
      throw .invalidSettings(
        reason: "There is no session preset “\(preset.rawValue)”. There are: \(names).")
    }
    let device = inputs.first?.device
    if preset.isExact, let device {
      let wanted = StreamFormat(dimensions: preset.dimensions)
      guard try device.choose(wanted).satisfies(wanted) else {
        throw device.unsupportedFormat(wanted)
      }
    }
    if preset != .inputPriority { device?.forgetActiveFormat() }
    change { $0.preset = preset }
  }

  /// Whether the preset is known, and the session's camera has the size that it names.
  ///
  /// A preset that names no size always works.
  public func canSetSessionPreset(_ preset: Preset) -> Bool {
    guard Preset.all.contains(preset) else { return false }
    guard preset.isExact, let input = inputs.first else { return true }
    let wanted = StreamFormat(dimensions: preset.dimensions)
    return (try? input.device.choose(wanted))?.satisfies(wanted) ?? false
  }

  /// Whether ``addInput(_:)`` would take an input: a session has one at most.
  public func canAddInput(_ input: CaptureDeviceInput) -> Bool { inputs.isEmpty }

  /// Adds the camera.
  ///
  /// - Throws: ``CaptureError/invalidSettings(reason:)`` when the session already has an input.
  public func addInput(_ input: CaptureDeviceInput) throws(CaptureError) {
    let other = change { configuration -> CaptureDeviceInput? in
      guard configuration.input == nil else { return configuration.input }
      configuration.input = input
      return nil
    }
    guard let other else { return }
    throw .invalidSettings(
      reason: "The session has a camera already (\(other.device.localizedName)). "
        + "Remove that input first, or use a second session.")
  }

  /// Removes the camera.
  ///
  /// It ends a start that is under way, and interrupts a running session until that gets another
  /// camera.
  public func removeInput(_ input: CaptureDeviceInput) {
    change { configuration in
      if configuration.input === input { configuration.input = nil }
    }
  }

  /// Whether ``addOutput(_:)`` would take an output: one that belongs to no session.
  public func canAddOutput(_ output: CaptureOutput) -> Bool { output.session == nil }

  /// Adds an output and connects it to the camera.
  ///
  /// - Throws: ``CaptureError/invalidSettings(reason:)`` when the output already belongs to a
  ///   session.
  public func addOutput(_ output: CaptureOutput) throws(CaptureError) {
    guard output.attach(to: self) else {
      throw .invalidSettings(
        reason: "The output belongs to a session already. Remove it there first.")
    }
    change { $0.outputs.append(output) }
  }

  /// Removes an output.
  ///
  /// Its unfinished work ends with an error.
  public func removeOutput(_ output: CaptureOutput) {
    guard outputs.contains(where: { $0 === output }) else { return }
    change { $0.outputs.removeAll { $0 === output } }
    output.detach()
  }

  /// Begins changes that take effect together at ``commitConfiguration()``.
  ///
  /// Calls nest.
  public func beginConfiguration() {
    state.withLock { $0.openConfigurations += 1 }
  }

  /// Ends what ``beginConfiguration()`` began and applies the changes; a running stream restarts
  /// once if it must.
  ///
  /// It doesn't wait for that: ``Event/didChangeFormat(_:)`` tells when frames flow again.
  public func commitConfiguration() {
    handle { state in
      state.openConfigurations = max(state.openConfigurations - 1, 0)
      return state.changes()
    }
  }

  /// Changes the configuration as a whole: all of `body`'s changes, or none if it throws.
  public func configure<R>(_ body: () throws -> R) throws -> R {
    let before = state.withLock { $0.configuration }
    beginConfiguration()
    do {
      let result = try body()
      commitConfiguration()
      return result
    } catch {
      restore(before)
      commitConfiguration()
      throw error
    }
  }

  private func restore(_ configuration: Configuration) {
    for output in outputs where !configuration.outputs.contains(where: { $0 === output }) {
      output.detach()
    }
    for output in configuration.outputs { _ = output.attach(to: self) }
    change { $0 = configuration }
  }

  /// Changes the configuration, connects outputs to the camera that there is then, and has a running
  /// stream follow unless that waits for a commit.
  private func change<R: Sendable>(_ body: (inout Configuration) -> R) -> R {
    let (result, before, input, outputs) = state.withLock { state in
      let before = state.configuration.input
      let result = body(&state.configuration)
      return (result, before, state.configuration.input, state.configuration.outputs)
    }
    if before !== input {
      before?.device.removeUser(self)
      input?.device.addUser(self)
    }
    for output in outputs { output.connect(to: input) }
    handle { $0.changes() }
    return result
  }
}

extension CaptureSession: CaptureDeviceUser {
  var preset: Preset { state.withLock { $0.configuration.preset } }

  func deviceDidChange() { handle { $0.changes() } }
}
