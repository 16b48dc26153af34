import Foundation

/// A camera that lives in the process, for demos, tests and machines without one.
///
/// It goes through the same code as a real camera: a V4L2 device answers the grabber's calls.
/// ``CaptureDevice/DiscoverySession`` never finds it; a program that wants one makes one.
///
/// ```swift
/// let camera = try SimulatedCamera()
/// try session.addInput(CaptureDeviceInput(device: camera.device))
/// ```
public final class SimulatedCamera: Sendable {
  /// What the camera shows.
  public enum Scene: String, Hashable, Sendable, CaseIterable {
    /// A loyalty card on a table, with light, noise and a slight hand shake.
    case card
    /// The same without noise and shake: frames cost next to nothing.
    case steady
    /// Colour bars.
    case bars
    /// Mid-grey.
    case grey
  }

  /// Where the pictures come from.
  public enum Source: Hashable, Sendable {
    /// A drawn scene.
    case scene(Scene)
    /// A folder of JPEGs and PNGs, one such picture, an `.mjpeg` file or a Y4M file.
    case replay(path: String)
  }

  /// What a simulated camera shows, and how.
  public struct Configuration: Hashable, Sendable {
    /// Where the pictures come from.
    ///
    /// The default is the card scene.
    public var source = Source.scene(.card)
    /// Frames a second of a replay; `nil` takes the file's own rate, or 30.
    public var replayRate: Double?
    /// Whether a replay starts over at its end.
    ///
    /// The default is `true`; otherwise the camera falls silent.
    public var loops = true
    /// Whether frames come as fast as the program takes them instead of at the frame rate.
    ///
    /// The default is `false`.
    public var runsAtFullSpeed = false
    /// The seed of noise and shake: the same seed gives the same frames.
    ///
    /// The default is 1.
    public var seed: UInt32 = 1
    /// Faults by frame number, as ``SimulatedCamera/inject(_:)`` takes them.
    public var faults: String?

    /// Creates a configuration that shows the card scene.
    public init() {}
  }

  let simulator: Simulator

  /// The camera as a session uses it.
  public let device: CaptureDevice

  /// Creates a camera.
  ///
  /// - Throws: ``CaptureError/cannotRead(path:code:)`` or
  ///   ``CaptureError/badImageData(what:reason:)`` for a replay that it can't show,
  ///   ``CaptureError/invalidSettings(reason:)`` for faults that it doesn't understand.
  public init(_ configuration: Configuration = Configuration()) throws(CaptureError) {
    simulator = try Simulator(configuration)
    let address = CameraAddress(backend: .simulated(simulator), path: Simulator.path)
    let name =
      switch configuration.source {
      case .scene: "Simulated camera"
      case .replay(let path): "Replay of \(URL(fileURLWithPath: path).lastPathComponent)"
      }
    device = CaptureDevice(
      address: address, uniqueID: "simulated:\(UUID().uuidString)", localizedName: name,
      modelID: "simulated", manufacturer: "Viewfinder", deviceType: .simulated,
      preferredPixelFormat: configuration.source.preferredPixelFormat)
  }

  /// Creates a camera that shows files instead of a scene.
  public convenience init(replaying path: String) throws(CaptureError) {
    var configuration = Configuration()
    configuration.source = .replay(path: path)
    try self.init(configuration)
  }

  /// Adds faults by frame number of the current stream, or of the next one.
  ///
  /// Separated by ";": `KIND@FIRST[-LAST][/EVERY][:SECONDS]`, with the kinds `unplug` (back after
  /// SECONDS), `stall`, `eio`, `error` (flagged by the driver), `truncate`, `corrupt`, `drop`,
  /// `format` and `black`. For example `error@10;stall@50:2;truncate@100-200/10`.
  public func inject(_ faults: String) throws(CaptureError) {
    try simulator.inject(faults)
  }

  /// Pulls the plug: the device is gone until ``plugIn()``.
  public func unplug() { simulator.setPlugged(false) }

  /// Puts the plug back in.
  public func plugIn() { simulator.setPlugged(true) }

  /// Where the card's straight edges would meet in a frame, in units of the picture; `nil` when the
  /// scene shows no card.
  ///
  /// - Parameters:
  ///   - sequenceNumber: The frame's ``VideoFrame/sequenceNumber``.
  ///   - size: The frame's size.
  /// - Returns: The corners, clockwise from the top left.
  public func cardCorners(inFrame sequenceNumber: Int, size: Dimensions) -> Quadrilateral? {
    simulator.cardCorners(sequence: sequenceNumber, in: size)
  }
}

extension SimulatedCamera.Source {
  /// Replayed JPEGs come as they are: raw frames would lose their bytes and their Exif orientation.
  fileprivate var preferredPixelFormat: PixelFormat? {
    guard case .replay(let path) = self else { return nil }
    let isRaw = ["y4m", "png"].contains(URL(fileURLWithPath: path).pathExtension.lowercased())
    return isRaw ? nil : .mjpeg
  }
}
