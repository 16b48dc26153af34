import CViewfinder
import Foundation

@testable import Viewfinder

/// A machine whose "/dev" is a folder, and whose nodes are what a test says.
struct FakeMachine: ~Copyable {
  let registry: CameraRegistry
  let monitor: DeviceMonitor
  private let root: URL
  private let nodes: Shared<[String: vf_device]>

  init() throws {
    root = FileManager.default.temporaryDirectory.appendingPathComponent(
      "viewfinder-machine-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: root.appendingPathComponent("dev"), withIntermediateDirectories: true)
    let nodes = Shared<[String: vf_device]>([:])
    registry = CameraRegistry(
      list: { () throws(CaptureError) in nodes.value.values.map(DeviceNode.init) },
      node: { path throws(CaptureError) in
        guard let node = nodes.value["\(path.dropFirst(5))"] else {
          throw .deviceNotFound(name: path, available: [])
        }
        return DeviceNode(node)
      })
    monitor = DeviceMonitor(root: root.path, registry: registry) {
      nodes.value.values.map(DeviceNode.init)
    }
    self.nodes = nodes
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  /// The node of a name, as a search finds it.
  func node(_ name: String) throws -> DeviceNode {
    guard let node = nodes.value[name] else { throw CocoaError(.fileNoSuchFile) }
    return DeviceNode(node)
  }

  func plugIn(
    _ name: String, id: String, model: String = "Camera", busInfo: String = "",
    kind: UInt32 = UInt32(VF_DEVICE_CAPTURE)
  ) throws {
    var device = vf_device()
    device.kind = kind
    copy("/dev/\(name)", to: &device.path)
    copy(id, to: &device.unique_id)
    copy(model, to: &device.name)
    copy(busInfo, to: &device.bus_info)
    nodes.withLock { $0[name] = device }
    let url = root.appendingPathComponent("dev/\(name)")
    try Data().write(to: url)
    // As udev does once it knows the device.
    unsafe chmod(url.path, 0o660)
  }

  func unplug(_ name: String) throws {
    nodes.withLock { $0[name] = nil }
    try FileManager.default.removeItem(at: root.appendingPathComponent("dev/\(name)"))
  }

  private func copy<Characters>(_ text: String, to characters: inout Characters) {
    unsafe withUnsafeMutableBytes(of: &characters) { bytes in
      unsafe bytes.copyBytes(from: text.utf8)
    }
  }
}
