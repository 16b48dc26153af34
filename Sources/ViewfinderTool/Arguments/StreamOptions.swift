import ArgumentParser
import Foundation
import Viewfinder

/// What the camera delivers, and how to set it.
struct StreamOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The size of the camera's picture, in pixels.", valueName: "WxH"),
    transform: Value.size)
  var size: Dimensions?

  @Option(
    help: ArgumentHelp("Frames a second, such as 30 or 29.97.", valueName: "n"),
    transform: Value.rate)
  var rate: Double?

  @Option(
    help: ArgumentHelp(
      "The layout of the camera's frames, such as MJPG, YUYV or NV12.", valueName: "fourcc"),
    transform: Value.pixelFormat)
  var format: PixelFormat?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Set a control first, such as brightness=10; repeatable.", valueName: "name=value"),
    transform: ControlSetting.init)
  var settings: [ControlSetting] = []

  @Option(
    help: ArgumentHelp(
      "How to turn the camera's picture upright, in Exif's terms.",
      discussion: """
        1 or up, 3 or down, 6 or right (a quarter turn clockwise), 8 or left; or mirrored: \
        2 upMirrored, 4 downMirrored, 5 leftMirrored, 7 rightMirrored.
        """, valueName: "orientation"),
    transform: Value.orientation)
  var orientation: ImageOrientation?

  /// Makes a session of the camera deliver what the options say.
  ///
  /// - Parameters:
  ///   - session: Not running yet, with its input.
  ///   - camera: The session's camera.
  ///   - preset: What decides where the options are silent.
  /// - Throws: What the camera refuses.
  func configure(
    _ session: CaptureSession, _ camera: DeviceOptions.Camera, preset: CaptureSession.Preset
  ) throws(CaptureError) {
    try session.setSessionPreset(preset)
    let format = format ?? camera.preferredFormat
    try camera.device.configure { (device) throws(CaptureError) in
      for setting in settings { _ = try setting.apply(to: device) }
      if size != nil || format != nil {
        let chosen = try chosenFormat(format, of: device, preset: preset)
        try device.setActiveFormat(chosen)
        // Faster than 30 costs light, and is wanted by those who say so.
        try device.setActiveVideoFrameDuration(
          chosen.videoSupportedFrameRateRanges.last { $0.maxFrameRate < 30.5 }?.minFrameDuration)
      }
      if let rate { try device.setActiveVideoFrameDuration(FrameInterval(frameRate: rate)) }
    }
  }

  private func chosenFormat(
    _ format: PixelFormat?, of device: CaptureDevice, preset: CaptureSession.Preset
  ) throws(CaptureError) -> CaptureDevice.Format {
    let usual = preset == .photo ? nil : Dimensions(width: 1920, height: 1080)
    let best = try device.bestFormat(format, dimensions: size ?? usual, frameRate: rate)
    guard size == nil || size == best.dimensions, format == nil || format == best.pixelFormat
    else { throw device.unsupportedFormat(format, dimensions: size) }
    return best
  }

  /// Says so when the driver granted another rate than the one asked for.
  func warnIfRateDiffers(_ granted: VideoFormat?) {
    guard let rate, let interval = granted?.frameInterval,
      abs(interval.frameRate - rate) > rate * 0.01
    else { return }
    Terminal.warn(
      "The camera delivers \(Terminal.number(interval.frameRate)) frames/s, not "
        + "\(Terminal.number(rate)).")
  }
}
