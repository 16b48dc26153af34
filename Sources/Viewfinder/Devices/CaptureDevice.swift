import Foundation

/// A camera; Apple's `AVCaptureDevice`.
///
/// Find one with ``default(for:)`` or ``DiscoverySession``, or make a ``SimulatedCamera``. Reading
/// formats and controls doesn't take the camera away from others.
///
/// A camera is one object in a process: ``DiscoverySession``, ``default(for:)``, ``named(_:)`` and
/// ``changes`` give the same one, so its lock, its active format and its control values are those
/// of the device in a session's input. It stays the same when the camera is unplugged and comes
/// back, even under another node. An object lives as long as somebody holds it; once locked for
/// configuration, it lives as long as the process. Each ``SimulatedCamera`` has a device of its
/// own.
///
/// A call that looks for cameras, or that reads or sets formats and controls, asks the driver while
/// the caller waits: usually some milliseconds, and at most 10 seconds for a driver that hangs. It
/// then throws ``CaptureError/stalled(device:seconds:)``; searches find nothing, and properties
/// have the value for what isn't there. In async code, ``perform(_:)`` and
/// ``DiscoverySession/search(deviceTypes:mediaType:position:)`` wait without blocking a thread.
///
/// Where Apple's class has settable properties, this one has throwing methods, because a camera may
/// refuse a value or be unplugged meanwhile: `try device.setFocusMode(.locked)`. They need
/// ``lockForConfiguration()``.
public final class CaptureDevice: Sendable {
  /// Identifies the camera across replugging and rebooting: it comes from the port, not from
  /// `/dev/videoN`.
  public let uniqueID: String
  /// The camera's name for people.
  public let localizedName: String
  /// Vendor and product, as in "046d:0825"; the driver's card name for cameras that aren't on USB.
  public let modelID: String
  /// The maker's name, or an empty string.
  public let manufacturer: String
  /// What kind of camera this is.
  public let deviceType: DeviceType
  /// The device node, such as "/dev/video0".
  ///
  /// It may change when somebody plugs the camera in again; Viewfinder finds the new node when it
  /// opens the camera.
  public var path: String { state.withLock { $0.address.path } }

  /// The layout to stream in while a preset decides and nothing else is asked for; `nil` for the
  /// grabber's choice.
  let preferredPixelFormat: PixelFormat?

  /// Knows where the camera is; `nil` for those that live in the process.
  weak let registry: CameraRegistry?

  let state: Mutex<State>

  struct State {
    var address: CameraAddress
    var lockCount = 0
    /// Open for controls, from first use until the camera goes away.
    var controlGrabber: Grabber?
    var modes: ModeTable?
    var controls: [CaptureControl]?
    /// What the program set, to be set again when the camera comes back.
    var wantedControls: [(id: UInt32, value: Int64)] = []
    var activeFormat: Format?
    var frameDurations = FrameDurations()
    /// Sessions with the camera in their input.
    var users: [WeakUser] = []
  }

  init(
    address: CameraAddress, uniqueID: String, localizedName: String, modelID: String,
    manufacturer: String, deviceType: DeviceType, preferredPixelFormat: PixelFormat? = nil,
    registry: CameraRegistry? = nil
  ) {
    self.uniqueID = uniqueID
    self.localizedName = localizedName
    self.modelID = modelID
    self.manufacturer = manufacturer
    self.deviceType = deviceType
    self.preferredPixelFormat = preferredPixelFormat
    self.registry = registry
    state = Mutex(State(address: address))
  }

  /// Whether the camera delivers a kind of media.
  ///
  /// Cameras deliver ``MediaType/video``.
  public func hasMediaType(_ mediaType: MediaType) -> Bool { mediaType == .video }

  /// Whether this process can open the camera at this moment.
  public var isConnected: Bool {
    (try? bounded { [self] () throws(CaptureError) in try openGrabber() }) != nil
  }

  // MARK: Configuration lock

  /// Allows this program to change the camera's settings until ``unlockForConfiguration()``.
  ///
  /// Locks nest.
  ///
  /// - Throws: Why the camera doesn't open.
  public func lockForConfiguration() throws(CaptureError) {
    try withControls { _ in }
    state.withLock { $0.lockCount += 1 }
    registry?.keep(self)
  }

  /// Ends what ``lockForConfiguration()`` began.
  public func unlockForConfiguration() {
    state.withLock { $0.lockCount = max($0.lockCount - 1, 0) }
  }

  /// Runs `body` between ``lockForConfiguration()`` and ``unlockForConfiguration()``.
  public func configure<R>(_ body: (CaptureDevice) throws(CaptureError) -> R)
    throws(CaptureError) -> R
  {
    try lockForConfiguration()
    defer { unlockForConfiguration() }
    return try body(self)
  }

  func requireLock() throws(CaptureError) {
    guard state.withLock({ $0.lockCount > 0 }) else {
      throw .invalidSettings(
        reason: "\(localizedName) isn't locked. Call lockForConfiguration() before changing it.")
    }
  }

  // MARK: Formats

  /// What the camera offers, in its own order; empty when the camera doesn't answer.
  ///
  /// ``supportedFormats()`` says why.
  public var formats: [Format] { (try? supportedFormats()) ?? [] }

  /// What the camera offers, in its own order.
  public func supportedFormats() throws(CaptureError) -> [Format] { try modes().formats }

  /// The format that comes closest to what you ask for, ready for ``setActiveFormat(_:)``.
  ///
  /// Look at the result where the size or the layout must match.
  ///
  /// - Parameters:
  ///   - pixelFormat: The layout; `nil`, the default, takes the one that costs least at the rate.
  ///   - dimensions: The size, or the next larger one; `nil`, the default, asks for the largest.
  ///   - frameRate: Frames a second; `nil`, the default, asks for up to 30.
  /// - Returns: One of ``formats``, or a size within one's ``Format/dimensionRange``.
  /// - Throws: ``CaptureError/unsupportedFormat(device:requested:nearest:)`` when the camera has no
  ///   format that Viewfinder reads.
  public func bestFormat(
    _ pixelFormat: PixelFormat? = nil, dimensions: Dimensions? = nil, frameRate: Double? = nil
  ) throws(CaptureError) -> Format {
    let interval = FrameInterval(frameRate: frameRate ?? 30)
    let wanted = StreamFormat(
      pixelFormat: pixelFormat, dimensions: dimensions, interval: interval)
    guard let match = try modes().format(of: choose(wanted)) else {
      throw unsupportedFormat(wanted)
    }
    return match
  }

  /// The format that ``setActiveFormat(_:)`` chose, or `nil` while the session's preset decides.
  public var activeFormat: Format? { state.withLock { $0.activeFormat } }

  /// Makes the camera deliver one of its ``formats``, whatever the session's preset says; `nil`
  /// gives the choice back to the preset.
  ///
  /// A running session takes it up at once, or at its commit when its configuration is open. The frame
  /// durations go back to their defaults.
  public func setActiveFormat(_ format: Format?) throws(CaptureError) {
    try requireLock()
    if let format {
      guard try supportedFormats().contains(where: { $0.covers(format) }) else {
        throw unsupportedFormat(format.pixelFormat, dimensions: format.dimensions)
      }
    }
    state.withLock {
      $0.activeFormat = format
      $0.frameDurations = FrameDurations()
    }
    tellUsers()
  }

  /// Gives the choice of format and rate back to the session.
  func forgetActiveFormat() {
    state.withLock {
      $0.activeFormat = nil
      $0.frameDurations = FrameDurations()
    }
  }

  /// The limits of a frame's time that the program set.
  var frameDurations: FrameDurations {
    get { state.withLock { $0.frameDurations } }
    set { state.withLock { $0.frameDurations = newValue } }
  }

  // MARK: Users

  /// Tells a session from now on what is set on the camera.
  func addUser(_ user: any CaptureDeviceUser) {
    state.withLock { $0.users.append(WeakUser(user: user)) }
  }

  /// Ends what ``addUser(_:)`` began.
  func removeUser(_ user: any CaptureDeviceUser) {
    state.withLock { $0.users.removeAll { $0.user == nil || $0.user === user } }
  }

  var users: [any CaptureDeviceUser] { state.withLock { $0.users }.compactMap(\.user) }

  func tellUsers() {
    for user in users { user.deviceDidChange() }
  }

  func modes() throws(CaptureError) -> ModeTable {
    if let modes = state.withLock({ $0.modes }) { return modes }
    return try bounded { [self] () throws(CaptureError) in
      // A grabber of its own: enumerating must not overlap with another thread's calls.
      let modes = try ModeTable(try openGrabber())
      state.withLock { $0.modes = modes }
      return modes
    }
  }

  /// Forgets the formats, for a grabber whose source changed.
  func forgetModes() { state.withLock { $0.modes = nil } }

  // MARK: Grabbers

  /// Whether the camera is one of the machine's, which come and go with its device nodes.
  var isOnThisMachine: Bool { deviceType != .simulated }

  /// Reopens the camera, wherever it is now.
  func openGrabber() throws(CaptureError) -> Grabber {
    if let node = try currentNode() { move(to: node.path) }
    return try Grabber(state.withLock { $0.address }, deviceName: localizedName)
  }

  /// Takes note of where the camera is now.
  func move(to path: String) {
    let hasMoved = state.withLock { state in
      defer { state.address = CameraAddress(backend: state.address.backend, path: path) }
      return state.address.path != path
    }
    if hasMoved { forgetConnection() }
  }

  /// Whether a node is of this camera's make, as far as it tells.
  func isModel(of node: DeviceNode) -> Bool {
    modelID == node.modelID && localizedName == node.name
  }

  /// The camera's node, asked now; `nil` for those that live in the process.
  func currentNode() throws(CaptureError) -> DeviceNode? {
    guard let registry else { return nil }
    guard let node = registry.node(of: uniqueID, lastSeenAt: path) else {
      throw .disconnected(device: localizedName)
    }
    return node
  }

  /// Forgets what belonged to a camera that went away.
  ///
  /// Its descriptor must be closed: until then the kernel gives the node's number to no other.
  func forgetConnection() {
    let grabber = state.withLock { state in
      defer {
        state.controlGrabber = nil
        state.controls = nil
        state.modes = nil
      }
      return state.controlGrabber
    }
    // Closed here, when the lock is free.
    _ = grabber
  }
}

extension CaptureDevice: Hashable {
  /// Two objects are the same camera when their ``uniqueID`` is.
  public static func == (a: CaptureDevice, b: CaptureDevice) -> Bool { a.uniqueID == b.uniqueID }

  /// Feeds ``uniqueID`` to the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(uniqueID) }
}
