import Foundation

extension CaptureDevice {
  /// A search for cameras; Apple's `AVCaptureDevice.DiscoverySession`.
  ///
  /// Finds the video nodes that stream pictures. Metadata nodes and the like aren't cameras,
  /// cameras behind an image processor need libcamera (see ``unusableDevices``), and a
  /// ``SimulatedCamera`` is never found. The search opens all nodes, one after the other, and takes
  /// at most 10 seconds: ``unusableDevices`` says when a driver took longer. A search for one side
  /// then asks each camera for its own, which takes at most as long for each.
  public struct DiscoverySession: Sendable {
    /// The cameras, in order of their nodes' numbers.
    public let devices: [CaptureDevice]

    /// Cameras that are there but can't be used, with the reason: no permission, or a CSI camera
    /// that needs libcamera.
    public let unusableDevices: [CaptureError]

    /// Notifications of cameras that come and go are posted while it lives.
    private let notifier: Notifier?

    /// Searches for cameras.
    ///
    /// - Parameters:
    ///   - deviceTypes: The kinds to find. Every V4L2 camera counts as built in and as external.
    ///   - mediaType: ``MediaType/video`` or `nil`; the search finds nothing for others.
    ///   - position: The side to find. Most cameras don't tell theirs; these match any side.
    public init(
      deviceTypes: [DeviceType] = [.builtInWideAngleCamera, .external],
      mediaType: MediaType? = .video, position: Position = .unspecified
    ) {
      let nodes: [DeviceNode]
      var problems: [CaptureError] = []
      do throws(CaptureError) {
        (notifier, nodes) = try CaptureDevice.bounded("The search for cameras") { Notifier.join() }
      } catch {
        (notifier, nodes) = (nil, [])
        problems.append(error)
      }
      let real = [.builtInWideAngleCamera, .external].contains(where: deviceTypes.contains)
      let wanted = real && (mediaType ?? .video) == .video
      devices =
        !wanted
        ? []
        : nodes.filter { $0.kind == .capture }.map { CameraRegistry.shared.camera(at: $0) }
          .filter { device in
            position == .unspecified || device.position == .unspecified
              || device.position == position
          }
      problems += nodes.compactMap { node in
        switch node.kind {
        case .csi: .needsLibcamera(device: node.path, driver: node.driver)
        case .unreadable: CaptureError(opening: node)
        case .capture, .converter, .metadata, .output, .other: nil
        }
      }
      unusableDevices = problems
    }

    /// Searches for cameras without blocking a thread of Swift's pool.
    ///
    /// - Parameters:
    ///   - deviceTypes: The kinds to find, as in the initializer.
    ///   - mediaType: ``MediaType/video`` or `nil`; the search finds nothing for others.
    ///   - position: The side to find, as in the initializer.
    /// - Returns: What the search found.
    public static func search(
      deviceTypes: [DeviceType] = [.builtInWideAngleCamera, .external],
      mediaType: MediaType? = .video, position: Position = .unspecified
    ) async -> DiscoverySession {
      await Blocking.run {
        DiscoverySession(deviceTypes: deviceTypes, mediaType: mediaType, position: position)
      }
    }
  }

  /// The first camera, or `nil` when there is none.
  ///
  /// Searches as ``DiscoverySession`` does, and blocks as long.
  public static func `default`(for mediaType: MediaType) -> CaptureDevice? {
    DiscoverySession(mediaType: mediaType).devices.first
  }

  /// The first camera of a kind and side, or `nil` when there is none.
  ///
  /// Searches as ``DiscoverySession`` does, and blocks as long.
  public static func `default`(
    _ deviceType: DeviceType, for mediaType: MediaType?, position: Position
  ) -> CaptureDevice? {
    DiscoverySession(deviceTypes: [deviceType], mediaType: mediaType, position: position)
      .devices.first
  }

  /// The camera that a person or a program named: by ``uniqueID``, node ("/dev/video2", or just
  /// "2"), or part of its name.
  ///
  /// Asks the node, or searches as ``DiscoverySession`` does, and blocks as long.
  ///
  /// - Throws: ``CaptureError/deviceNotFound(name:available:)`` with the cameras that there are, or
  ///   what is wrong with the one named.
  public static func named(_ name: String) throws(CaptureError) -> CaptureDevice {
    let path = Int(name).map { "/dev/video\($0)" } ?? name
    if path.hasPrefix("/") {
      let node = try bounded(path) { () throws(CaptureError) in try DeviceNode.at(path) }
      if node.kind == .csi { throw .needsLibcamera(device: path, driver: node.driver) }
      if node.kind == .unreadable { throw CaptureError(opening: node) }
      guard node.kind == .capture else {
        throw .notACamera(device: path, what: node.purpose, available: list())
      }
      return CameraRegistry.shared.camera(at: node)
    }
    let devices = DiscoverySession().devices
    let match =
      devices.first { $0.uniqueID == name }
      ?? devices.first { $0.localizedName.localizedCaseInsensitiveContains(name) }
    guard let match else { throw .deviceNotFound(name: name, available: list()) }
    return match
  }

  /// All video nodes, as far as they answer.
  static func nodes() -> [DeviceNode] {
    let nodes = try? bounded("The search for cameras") { () throws(CaptureError) in
      try DeviceNode.all()
    }
    return nodes ?? []
  }

  private static func list() -> [String] {
    nodes().filter { $0.kind == .capture }
      .map { "\($0.name) (\($0.path))" }
  }

  /// The camera at a node.
  ///
  /// The registry alone makes these, one for each camera.
  convenience init(
    _ node: DeviceNode, backend: CameraAddress.Backend, registry: CameraRegistry
  ) {
    self.init(
      address: CameraAddress(backend: backend, path: node.path), uniqueID: node.uniqueID,
      localizedName: node.name, modelID: node.modelID, manufacturer: node.manufacturer,
      deviceType: .external, registry: registry)
  }

  /// The same camera through libv4l2, which adds emulated RGB and 4:2:0 formats for cameras whose
  /// own formats aren't read here.
  ///
  /// It is a separate object, with its own formats, lock and settings, and also one in a process. A
  /// simulated camera returns itself.
  public func usingLibv4l2() throws(CaptureError) -> CaptureDevice {
    let node = try bounded { [self] () throws(CaptureError) in try currentNode() }
    guard let registry, let node else { return self }
    return registry.camera(at: node, through: .libv4l2)
  }
}

extension CaptureError {
  /// Why a node couldn't be opened.
  init(opening node: DeviceNode) {
    switch node.accessError {
    case EACCES, EPERM:
      self = .permissionDenied(device: node.path, advice: NodePermission(of: node.path).advice)
    case ENODEV, ENXIO:
      self = .disconnected(device: node.path)
    case EBUSY:
      self = .deviceInUse(device: node.path, holders: DeviceNode.holders(of: node.path))
    case ENOENT:
      self = .permissionDenied(device: node.path, advice: NodePermission(of: node.path).advice)
    case ENOTTY:
      self = .notACamera(device: node.path, what: "no video device", available: [])
    default:
      self = .system(call: "open", code: node.accessError, subject: node.path)
    }
  }
}
