import ArgumentParser
import Foundation
import Viewfinder

/// Which camera to use.
struct DeviceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The camera: its node (/dev/video2 or 2), its ID, or part of its name.",
      discussion: "The default is the first camera.", valueName: "name"))
  var device: String?

  @Option(
    defaultAsFlag: SimulatedCamera.Scene.card.rawValue,
    help: ArgumentHelp(
      "Use a simulated camera that shows card, steady (without shake and noise), bars or grey.",
      valueName: "scene"),
    completion: .list(SimulatedCamera.Scene.allCases.map(\.rawValue)))
  var simulate: String?

  @Option(
    help: ArgumentHelp(
      "Use a simulated camera that shows a JPEG or PNG, a folder of them, or an .mjpeg or .y4m "
        + "file.", valueName: "path"))
  var replay: Path?

  @Option(
    help: ArgumentHelp(
      "Faults of the simulated camera by frame number.",
      discussion: """
        KIND@FIRST[-LAST][/EVERY][:SECONDS], separated by “;”. Kinds: unplug, stall, eio, error, \
        truncate, corrupt, drop, format, black. Example: error@10;stall@50:2
        """, valueName: "script"))
  var faults: String?

  @Flag(help: "Go through libv4l2, which converts formats that Viewfinder doesn't read.")
  var libv4l2 = false

  func validate() throws {
    // Not read as a scene by the parser, which takes a wrong value for a missing one.
    do {
      _ = try simulate.map(Value.scene)
    } catch {
      throw ValidationError("--simulate \(simulate ?? ""): \(error)")
    }
    let sources = [
      device.map { _ in "--device" }, simulate.map { _ in "--simulate" },
      replay.map { _ in "--replay" },
    ].compactMap { $0 }
    if sources.count > 1 {
      throw ValidationError("\(sources.joined(separator: " and ")) exclude each other.")
    }
    if faults != nil, simulate == nil, replay == nil {
      throw ValidationError("--faults needs --simulate or --replay: real cameras have their own.")
    }
  }

  /// A camera that was opened, and its simulator if it is one.
  struct Camera {
    var device: CaptureDevice
    var simulated: SimulatedCamera?
    var preferredFormat: PixelFormat?
  }

  var isSimulated: Bool { simulate != nil || replay != nil }

  /// The layout to take where nobody asks for another.
  ///
  /// Replayed JPEGs keep their Exif orientation only as they are; raw frames have none.
  var preferredFormat: PixelFormat? {
    guard let replay else { return nil }
    let isRaw = ["y4m", "png"].contains(
      String(decoding: replay.nameParts.ending, as: UTF8.self).lowercased())
    return isRaw ? nil : .mjpeg
  }

  /// Finds or makes the camera.
  ///
  /// - Parameter rate: Frames a second of a replay.
  /// - Returns: The camera, not streaming yet.
  /// - Throws: Why there is none.
  func open(rate: Double? = nil) throws -> Camera {
    if isSimulated { return try simulated(rate: rate) }
    let found: CaptureDevice
    if let device {
      let isBytes = ArgumentText.isBytes(device)
      found = try CaptureDevice.named(
        isBytes ? Path(argument: device)?.textualPath ?? device : device)
    } else {
      found = try Self.first()
    }
    return Camera(device: libv4l2 ? try found.usingLibv4l2() : found)
  }

  /// Makes the simulated camera.
  func simulated(rate: Double? = nil) throws -> Camera {
    var configuration = SimulatedCamera.Configuration()
    let scene = try simulate.map(Value.scene) ?? .card
    configuration.source = replay.map { .replay(path: $0.textualPath) } ?? .scene(scene)
    configuration.replayRate = rate
    configuration.faults = faults
    let camera = try SimulatedCamera(configuration)
    return Camera(
      device: camera.device, simulated: camera, preferredFormat: preferredFormat)
  }

  private static func first() throws -> CaptureDevice {
    let search = CaptureDevice.DiscoverySession()
    if let device = search.devices.first { return device }
    if let problem = search.unusableDevices.first { throw problem }
    throw ToolError(
      message: "No camera is connected. Plug one in, or try a simulated one with --simulate.",
      exitStatus: EX_NOINPUT)
  }
}
