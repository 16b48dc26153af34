/// The cameras of a machine, one object each in a process.
///
/// An object is kept as long as somebody holds it, and as long as the process lives once it was
/// locked for configuration: what a program set through one search's object must be there in the
/// next one's. The others are let go of, and their descriptors with them.
final class CameraRegistry: Sendable {
  /// The registry of this machine's cameras.
  static let shared = CameraRegistry()

  /// One object for each of these.
  ///
  /// Seen through libv4l2 a camera has other formats, and is another object.
  fileprivate struct Key: Hashable {
    let uniqueID: String
    let isThroughLibv4l2: Bool
  }

  private struct Entry {
    weak var device: CaptureDevice?
    /// The same, once it has something to remember.
    var kept: CaptureDevice?
  }

  private let cameras = Mutex<[Key: Entry]>([:])
  /// All video nodes of the machine.
  private let list: @Sendable () throws(CaptureError) -> [DeviceNode]
  /// The node at a path, whatever it is.
  private let node: @Sendable (String) throws(CaptureError) -> DeviceNode

  /// - Parameters:
  ///   - list: All video nodes at this moment.
  ///   - node: The node at a path; throws where there is none.
  init(
    list: @escaping @Sendable () throws(CaptureError) -> [DeviceNode] = { () throws(CaptureError) in
      try DeviceNode.all()
    },
    node: @escaping @Sendable (String) throws(CaptureError) -> DeviceNode = {
      path throws(CaptureError) in try DeviceNode.at(path)
    }
  ) {
    self.list = list
    self.node = node
  }

  /// The camera at a node: the object that there is already, or a new one.
  ///
  /// An object whose camera came back under another node moves there. Another model in the same
  /// port is another camera. The registry looks again at what the camera can do: a loopback node
  /// has the formats of its writer.
  func camera(at node: DeviceNode, through backend: CameraAddress.Backend = .linux)
    -> CaptureDevice
  {
    let device = object(for: node, through: backend)
    device.move(to: node.path)
    device.forgetModes()
    return device
  }

  /// The camera that was at a node and is gone.
  func formerCamera(at node: DeviceNode) -> CaptureDevice {
    let device = object(for: node, through: .linux)
    device.forgetConnection()
    return device
  }

  private func object(for node: DeviceNode, through backend: CameraAddress.Backend)
    -> CaptureDevice
  {
    let key = Key(node, backend)
    return cameras.withLock { cameras in
      if let known = cameras[key]?.device, known.isModel(of: node) { return known }
      let device = CaptureDevice(node, backend: backend, registry: self)
      cameras[key] = Entry(device: device)
      return device
    }
  }

  /// Keeps an object for the life of the process.
  func keep(_ device: CaptureDevice) {
    cameras.withLock { cameras in
      for (key, entry) in cameras where entry.device === device { cameras[key]?.kept = device }
    }
  }

  /// Lets go of every object that was kept, for tests.
  func forgetAll() { cameras.withLock { $0 = [:] } }

  /// Where a camera is now.
  ///
  /// - Parameters:
  ///   - uniqueID: The camera's.
  ///   - path: Where it was last, which is looked at first.
  /// - Returns: `nil` when it isn't there.
  func node(of uniqueID: String, lastSeenAt path: String) -> DeviceNode? {
    if let there = try? node(path) {
      // Without udev's link, a node that can't be opened can't say whose it is: opening it will tell.
      if there.answers(to: uniqueID) || there.kind == .unreadable { return there }
    }
    return (try? list())?.first { $0.answers(to: uniqueID) }
  }
}

extension CameraRegistry.Key {
  fileprivate init(_ node: DeviceNode, _ backend: CameraAddress.Backend) {
    uniqueID = node.uniqueID
    isThroughLibv4l2 = if case .libv4l2 = backend { true } else { false }
  }
}

extension DeviceNode {
  /// Whether this is the camera of an id, which may be from before udev named its port.
  fileprivate func answers(to id: String) -> Bool {
    id == uniqueID || id == busID || id == path
  }
}
