/// Focus, exposure, white balance, zoom and light: Apple's names over V4L2's controls.
///
/// Most USB cameras have some of these. What a camera lacks answers "unsupported" and throws
/// ``CaptureError/unsupportedControl(name:device:reason:)`` when set.
extension CaptureDevice {
  /// How the camera focuses.
  public enum FocusMode: Int, Hashable, Sendable {
    /// The lens stays where it is.
    case locked = 0
    /// The camera focuses once, then locks (`V4L2_CID_AUTO_FOCUS_START`).
    case autoFocus = 1
    /// The camera keeps focusing (`V4L2_CID_FOCUS_AUTO`).
    case continuousAutoFocus = 2
  }

  /// How the camera exposes.
  public enum ExposureMode: Int, Hashable, Sendable {
    /// The exposure stays as it is (`V4L2_EXPOSURE_MANUAL`).
    case locked = 0
    /// The camera adjusts the exposure once. No V4L2 control does that, so no camera supports it.
    case autoExpose = 1
    /// The camera keeps adjusting the exposure (`V4L2_EXPOSURE_AUTO`,
    /// `V4L2_EXPOSURE_APERTURE_PRIORITY`).
    case continuousAutoExposure = 2
    /// The program sets the exposure time and gain.
    case custom = 3
  }

  /// How the camera balances colours.
  public enum WhiteBalanceMode: Int, Hashable, Sendable {
    /// The balance stays as it is.
    case locked = 0
    /// The camera balances once (`V4L2_CID_DO_WHITE_BALANCE`).
    case autoWhiteBalance = 1
    /// The camera keeps balancing (`V4L2_CID_AUTO_WHITE_BALANCE`).
    case continuousAutoWhiteBalance = 2
  }

  /// Whether the camera's lamp is on.
  public enum TorchMode: Int, Hashable, Sendable {
    /// Off.
    case off = 0
    /// On.
    case on = 1
  }

  /// Which way the camera looks (`V4L2_CID_CAMERA_ORIENTATION`).
  public var position: Position {
    switch currentValue(ControlID.cameraOrientation) {
    case 0: .front
    case 1: .back
    default: .unspecified
    }
  }

  // MARK: Focus

  /// How the camera focuses now.
  public var focusMode: FocusMode {
    currentValue(ControlID.focusAuto) == 1 ? .continuousAutoFocus : .locked
  }

  /// Whether the camera can focus in a mode.
  public func isFocusModeSupported(_ mode: FocusMode) -> Bool {
    switch mode {
    case .locked:
      knownControl(ControlID.focusAbsolute) != nil || knownControl(ControlID.focusAuto) != nil
    case .autoFocus: knownControl(ControlID.autoFocusStart) != nil
    case .continuousAutoFocus: knownControl(ControlID.focusAuto) != nil
    }
  }

  /// Changes how the camera focuses.
  public func setFocusMode(_ mode: FocusMode) throws(CaptureError) {
    try requireLock()
    switch mode {
    case .continuousAutoFocus:
      try setControl(ControlID.focusAuto, to: 1, for: "continuous autofocus")
    case .autoFocus: try setControl(ControlID.autoFocusStart, to: 1, for: "autofocus")
    case .locked:
      guard knownControl(ControlID.focusAuto) != nil else { return }
      try setControl(ControlID.focusAuto, to: 0, for: "focus")
    }
  }

  /// The lens position, from 0 to 1 of `V4L2_CID_FOCUS_ABSOLUTE`'s range; `nil` without that
  /// control.
  public var lensPosition: Double? { fraction(of: ControlID.focusAbsolute) }

  /// Locks the focus at a lens position from 0 to 1; values outside are clamped.
  public func setFocusModeLocked(lensPosition: Double) throws(CaptureError) {
    try setFocusMode(.locked)
    try setFraction(of: ControlID.focusAbsolute, to: lensPosition, for: "lens position")
  }

  // MARK: Exposure

  /// How the camera exposes now.
  public var exposureMode: ExposureMode {
    switch currentValue(ControlID.exposureAuto) {
    case 1: .custom
    case nil: .locked
    default: .continuousAutoExposure
    }
  }

  /// Whether the camera can expose in a mode.
  public func isExposureModeSupported(_ mode: ExposureMode) -> Bool {
    let values = knownControl(ControlID.exposureAuto)?.menuItems.map(\.value) ?? []
    return switch mode {
    case .locked: values.contains(1)
    case .custom: values.contains(1) && knownControl(ControlID.exposureAbsolute) != nil
    case .autoExpose: false
    case .continuousAutoExposure: values.contains { $0 != 1 }
    }
  }

  /// Changes how the camera exposes.
  public func setExposureMode(_ mode: ExposureMode) throws(CaptureError) {
    try requireLock()
    guard isExposureModeSupported(mode) else {
      throw .unsupportedControl(
        name: "exposure mode \(mode)", device: localizedName,
        reason: "the camera has no control for it.")
    }
    guard mode == .continuousAutoExposure else {
      return try setControl(ControlID.exposureAuto, to: 1, for: "exposure")
    }
    // Cameras have full automatic (0), aperture priority (3), or both: webcams usually the latter.
    let values = knownControl(ControlID.exposureAuto)?.menuItems.map(\.value) ?? []
    let automatic: Int64 = values.contains(3) ? 3 : values.contains(0) ? 0 : 2
    try setControl(ControlID.exposureAuto, to: automatic, for: "exposure")
  }

  /// The exposure time, in seconds (`V4L2_CID_EXPOSURE_ABSOLUTE`, which counts 100 µs); `nil`
  /// without that control.
  public var exposureDuration: Double? {
    currentValue(ControlID.exposureAbsolute).map(Self.seconds(ofExposure:))
  }

  /// What a value of `V4L2_CID_EXPOSURE_ABSOLUTE`, which counts 100 µs, is in seconds.
  static func seconds(ofExposure value: Int64) -> Double { Double(value) / 10_000 }

  /// Sets the exposure time by hand.
  ///
  /// - Parameters:
  ///   - duration: The exposure time, in seconds. Clamped to the control's range.
  ///   - gain: `V4L2_CID_GAIN`'s value; `nil` leaves it.
  /// - Throws: ``CaptureError/unsupportedControl(name:device:reason:)`` without these controls.
  public func setExposureModeCustom(duration: Double, gain: Int64? = nil) throws(CaptureError) {
    try setExposureMode(.custom)
    guard let control = knownControl(ControlID.exposureAbsolute), duration.isFinite else {
      throw .valueOutOfRange(
        name: "exposure duration", value: "\(duration)", accepted: "a number of seconds")
    }
    let value = min(max(duration * 10_000, Double(control.minimum)), Double(control.maximum))
    try setControl(ControlID.exposureAbsolute, to: Int64(value.rounded()), for: "exposure duration")
    if let gain { try setControl(ControlID.gain, to: gain, for: "gain") }
  }

  // MARK: White balance

  /// How the camera balances colours now.
  public var whiteBalanceMode: WhiteBalanceMode {
    currentValue(ControlID.autoWhiteBalance) == 1 ? .continuousAutoWhiteBalance : .locked
  }

  /// Whether the camera can balance colours in a mode.
  public func isWhiteBalanceModeSupported(_ mode: WhiteBalanceMode) -> Bool {
    switch mode {
    case .autoWhiteBalance: knownControl(ControlID.doWhiteBalance) != nil
    case .locked, .continuousAutoWhiteBalance: knownControl(ControlID.autoWhiteBalance) != nil
    }
  }

  /// Changes how the camera balances colours.
  public func setWhiteBalanceMode(_ mode: WhiteBalanceMode) throws(CaptureError) {
    try requireLock()
    switch mode {
    case .locked: try setControl(ControlID.autoWhiteBalance, to: 0, for: "white balance")
    case .autoWhiteBalance:
      try setControl(ControlID.doWhiteBalance, to: 1, for: "one-time white balance")
    case .continuousAutoWhiteBalance:
      try setControl(ControlID.autoWhiteBalance, to: 1, for: "white balance")
    }
  }

  /// The colour temperature, in kelvins (`V4L2_CID_WHITE_BALANCE_TEMPERATURE`); `nil` without that
  /// control.
  public var whiteBalanceTemperature: Int? {
    currentValue(ControlID.whiteBalanceTemperature).map(Int.init)
  }

  /// Locks the white balance at a colour temperature, in kelvins.
  public func setWhiteBalanceModeLocked(temperature: Int) throws(CaptureError) {
    try setWhiteBalanceMode(.locked)
    try setControl(
      ControlID.whiteBalanceTemperature, to: Int64(temperature), for: "white balance temperature")
  }

  // MARK: Zoom

  /// The zoom, from 1 to ``maxAvailableVideoZoomFactor`` (`V4L2_CID_ZOOM_ABSOLUTE`).
  ///
  /// 1 without that control.
  public var videoZoomFactor: Double {
    guard let control = knownControl(ControlID.zoomAbsolute),
      let value = currentValue(ControlID.zoomAbsolute)
    else { return 1 }
    return control.zoomFactor(for: value)
  }

  /// The greatest zoom; 1 when the camera has none.
  public var maxAvailableVideoZoomFactor: Double {
    knownControl(ControlID.zoomAbsolute).map { $0.zoomFactor(for: $0.maximum) } ?? 1
  }

  /// Sets the zoom; values outside 1…``maxAvailableVideoZoomFactor`` are clamped.
  public func setVideoZoomFactor(_ factor: Double) throws(CaptureError) {
    guard let control = knownControl(ControlID.zoomAbsolute) else {
      if factor == 1 { return }
      throw .unsupportedControl(
        name: "zoom", device: localizedName, reason: "the camera has no control for it.")
    }
    guard factor.isFinite else {
      throw .valueOutOfRange(
        name: "zoom factor", value: "\(factor)",
        accepted: "1 to \(formattedRate(maxAvailableVideoZoomFactor))")
    }
    let value = control.zoomValue(for: min(max(factor, 1), maxAvailableVideoZoomFactor))
    try setControl(ControlID.zoomAbsolute, to: value, for: "zoom")
  }

  // MARK: Light

  /// Whether the camera has a lamp that can stay on (`V4L2_CID_FLASH_LED_MODE` with torch).
  public var hasTorch: Bool { flashLEDModes.contains(2) }

  /// Whether the camera has a flash (`V4L2_CID_FLASH_LED_MODE` with flash).
  public var hasFlash: Bool { flashLEDModes.contains(1) }

  /// Whether the lamp is on.
  public var torchMode: TorchMode { currentValue(ControlID.flashLEDMode) == 2 ? .on : .off }

  /// Turns the lamp on or off.
  ///
  /// Every camera accepts off.
  public func setTorchMode(_ mode: TorchMode) throws(CaptureError) {
    if mode == .off, !hasTorch { return }
    try setControl(ControlID.flashLEDMode, to: mode == .on ? 2 : 0, for: "torch")
  }

  private var flashLEDModes: [Int64] {
    knownControl(ControlID.flashLEDMode)?.menuItems.map(\.value) ?? []
  }

  // MARK: Ranges

  private func fraction(of id: UInt32) -> Double? {
    guard let control = knownControl(id), let value = currentValue(id),
      control.maximum > control.minimum
    else { return nil }
    return Double(value - control.minimum) / Double(control.maximum - control.minimum)
  }

  private func setFraction(of id: UInt32, to fraction: Double, for purpose: String)
    throws(CaptureError)
  {
    guard let control = knownControl(id), fraction.isFinite else {
      throw .unsupportedControl(
        name: purpose, device: localizedName, reason: "the camera has no control for it.")
    }
    let span = Double(control.maximum - control.minimum)
    let steps = (min(max(fraction, 0), 1) * span / Double(control.step)).rounded()
    try setControl(id, to: control.minimum + Int64(steps) * control.step, for: purpose)
  }
}

extension CaptureControl {
  /// Cameras count zoom in units of their own, with the least value for no zoom: 100 is usual, then
  /// 200 is twofold.
  fileprivate func zoomFactor(for value: Int64) -> Double {
    minimum > 0 ? Double(value) / Double(minimum) : 1 + Double(value - minimum) / 100
  }

  fileprivate func zoomValue(for factor: Double) -> Int64 {
    let value = minimum > 0 ? factor * Double(minimum) : Double(minimum) + (factor - 1) * 100
    let steps = ((value - Double(minimum)) / Double(step)).rounded()
    return min(minimum + Int64(steps) * step, maximum)
  }
}
