import ArgumentParser
import Foundation
import Viewfinder
import WebServing

/// Which camera a program uses, and how.
public struct CameraOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "The camera: its node (/dev/video2 or 2), its ID, or part of its name.",
      discussion: "The default is the first that there is.", valueName: "name"))
  var device: String?

  @Option(
    defaultAsFlag: SimulatedCamera.Scene.card.rawValue,
    help: ArgumentHelp(
      "Use a simulated camera that shows card, steady (without shake and noise), bars or grey.",
      valueName: "scene"))
  var simulate: String?

  @Option(
    help: ArgumentHelp(
      "Use a simulated camera that shows a JPEG or PNG, a folder of them, or an .mjpeg or .y4m "
        + "file.", valueName: "path"))
  var replay: String?

  @Option(
    help: ArgumentHelp(
      "Faults of the simulated camera by frame number, such as unplug@200:5.", valueName: "script"))
  var faults: String?

  @Option(help: ArgumentHelp("The size of the camera's picture, in pixels.", valueName: "WxH"))
  var size: Dimensions?

  @Option(help: ArgumentHelp("Frames a second, such as 30 or 29.97.", valueName: "n"))
  var rate: Double?

  @Option(
    help: ArgumentHelp(
      "How far the picture is turned to be upright: 0, 90, 180 or 270 degrees clockwise.",
      valueName: "degrees"))
  var rotate = 0

  @Option(
    help: ArgumentHelp(
      "The JPEG quality of the live picture, from 1 to 100; a camera's own JPEGs stay as they are.",
      valueName: "n"))
  var quality = 80

  /// Creates options for the parser to fill.
  public init() {}

  /// Refuses what can't be.
  public func validate() throws {
    let sources = [
      device.map { _ in "--device" }, simulate.map { _ in "--simulate" },
      replay.map { _ in "--replay" },
    ].compactMap { $0 }
    if sources.count > 1 {
      throw ValidationError("\(sources.joined(separator: " and ")) exclude each other.")
    }
    if let simulate, SimulatedCamera.Scene(rawValue: simulate) == nil {
      throw ValidationError("--simulate \(simulate): the scenes are card, steady, bars and grey.")
    }
    if faults != nil, simulate == nil, replay == nil {
      throw ValidationError("--faults needs --simulate or --replay: real cameras have their own.")
    }
    if let rate, !(rate > 0 && rate <= 10_000) {
      throw ValidationError("--rate is a number of frames a second, such as 30 or 29.97.")
    }
    guard [0, 90, 180, 270].contains(rotate) else {
      throw ValidationError("--rotate is 0, 90, 180 or 270.")
    }
    guard (1...100).contains(quality) else {
      throw ValidationError("--quality is a number from 1 to 100.")
    }
  }

  /// The camera, for a ``WebServer`` to run.
  ///
  /// - Returns: A camera that is opened when it runs.
  /// - Throws: Why there is no simulated camera: a replay that can't be read, faults that aren't
  ///   understood.
  public func makeCamera() throws -> LiveCamera {
    let simulated = try simulatedCamera()
    let options = self
    return LiveCamera(rotation: rotate, quality: Double(quality) / 100) {
      let device = try simulated?.device ?? options.findDevice()
      try options.setFormat(of: device)
      return device
    }
  }

  /// The cameras that a picker may use.
  ///
  /// - Returns: The one that is named or simulated; `nil` for all that are connected.
  /// - Throws: Why there is no such camera.
  func devices() throws -> [CaptureDevice]? {
    let simulated = try simulatedCamera()?.device
    guard let device = try simulated ?? self.device.map({ try CaptureDevice.named($0) }) else {
      return nil
    }
    try setFormat(of: device)
    return [device]
  }

  private func simulatedCamera() throws(CaptureError) -> SimulatedCamera? {
    guard simulate != nil || replay != nil else { return nil }
    var configuration = SimulatedCamera.Configuration()
    let scene = simulate.flatMap(SimulatedCamera.Scene.init)
    configuration.source = replay.map { .replay(path: $0) } ?? .scene(scene ?? .card)
    configuration.replayRate = rate
    configuration.faults = faults
    return try SimulatedCamera(configuration)
  }

  private func findDevice() throws -> CaptureDevice {
    if let device { return try .named(device) }
    let search = CaptureDevice.DiscoverySession()
    if let device = search.devices.first { return device }
    if let problem = search.unusableDevices.first { throw problem }
    throw WebError(
      .serviceUnavailable, "No camera is connected. Plug one in.", code: "noCamera")
  }

  private func setFormat(of device: CaptureDevice) throws(CaptureError) {
    try device.configure { (device) throws(CaptureError) in
      if let size {
        let best = try device.bestFormat(dimensions: size, frameRate: rate)
        guard best.dimensions == size else {
          throw device.unsupportedFormat(nil, dimensions: size)
        }
        try device.setActiveFormat(best)
        // Faster than 30 costs light, and is wanted by those who say so.
        try device.setActiveVideoFrameDuration(
          best.videoSupportedFrameRateRanges.last { $0.maxFrameRate < 30.5 }?.minFrameDuration)
      }
      if let rate { try device.setActiveVideoFrameDuration(FrameInterval(frameRate: rate)) }
    }
  }
}

extension Dimensions: @retroactive ExpressibleByArgument {
  /// Reads WIDTHxHEIGHT.
  public init?(argument: String) { self.init(argument) }
}
