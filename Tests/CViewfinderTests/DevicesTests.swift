import CViewfinder
import FaultInjection
import Foundation
import Testing

@Suite("Finding devices") struct DevicesTests {
  @Test("Nodes are listed by number, other entries are not")
  func order() throws {
    let tree = try DeviceTree()
    let names = ["video10", "video2", "video0", "v4l-subdev0", "vbi0", "videox"]
    for (index, name) in names.enumerated() { try tree.addNode(name, number: "81:\(index)") }
    #expect(
      try tree.list().map { text($0.path) } == ["/dev/video0", "/dev/video2", "/dev/video10"])
  }

  @Test("A machine without video nodes has no devices")
  func none() throws {
    #expect(try DeviceTree().list().isEmpty)
  }

  @Test("Two nodes of one device number are one device")
  func duplicates() throws {
    let tree = try DeviceTree()
    try tree.addNode("video0", number: "81:0")
    try tree.addNode("video5", number: "81:0")
    try tree.addNode("video6", number: "81:6")
    #expect(try tree.list().map { text($0.path) } == ["/dev/video0", "/dev/video6"])
  }

  @Test("The id is the port's, whatever the node's number and its aliases")
  func uniqueID() throws {
    let tree = try DeviceTree()
    try tree.addNode("video4", number: "81:4")
    try tree.addNode("video5", number: "81:5")
    let port = "pci-0000:00:14.0-usb"
    try tree.addLink("by-path/\(port)v2-0:3:1.0-video-index0", to: "video4")
    try tree.addLink("by-path/\(port)-0:3:1.0-video-index0", to: "video4")
    try tree.addLink("by-path/\(port)-0:3:1.0-video-index1", to: "video5")
    try tree.addLink("by-id/usb-Maker_Cam_123-video-index0", to: "video4")
    let devices = try tree.list()
    #expect(devices.map { text($0.unique_id) } == ["\(port)-0:3:1.0", "\(port)-0:3:1.0:1"])
    #expect(text(devices[0].by_path) == "\(port)-0:3:1.0-video-index0")
    #expect(text(devices[0].by_id) == "usb-Maker_Cam_123-video-index0")
    #expect(text(devices[1].by_id) == "")
  }

  @Test("Without links the id is the path")
  func pathAsID() throws {
    let tree = try DeviceTree()
    try tree.addNode("video3", number: "81:3")
    #expect(try text(tree.list()[0].unique_id) == "/dev/video3")
  }

  @Test("Nodes of one bus are told apart by their index, and by their path where nothing tells it")
  func idsOfOneBus() throws {
    let tree = try DeviceTree()
    for (node, index) in [("video0", "0"), ("video1", "1"), ("video2", nil), ("video3", nil)] {
      try tree.addNode(node, number: "81:\(node.last!)", parent: "devices/\(node)")
      if let index { try tree.write(index, to: "sys/devices/\(node)/video4linux/\(node)/index") }
    }
    let camera = try SimulatedCamera()
    let system = TamperedSystem(camera.system, path: camera.path)
    let bus = try text(system.system.describe("any").bus_info)
    #expect(!bus.isEmpty)
    #expect(
      try tree.list(system.system).map { text($0.unique_id) }
        == [bus, "\(bus):1", "/dev/video2", "/dev/video3"])
  }

  @Test("USB descriptors are found above the interface")
  func usbDescriptors() throws {
    let tree = try DeviceTree()
    try tree.addNode("video0", number: "81:0", parent: "devices/pci0/usb1/1-2/1-2:1.0")
    for (name, words) in [
      ("idVendor", "046d\n"), ("idProduct", "082d\n"), ("manufacturer", "Maker\n"),
      ("product", "HD Cam\n"), ("serial", "A1B2\n"),
    ] {
      try tree.write(words, to: "sys/devices/pci0/usb1/1-2/\(name)")
    }
    let device = try #require(try tree.list().first)
    #expect(device.usb_vendor == 0x046d && device.usb_product == 0x082d)
    #expect(text(device.manufacturer) == "Maker")
    #expect(text(device.product) == "HD Cam")
    #expect(text(device.serial) == "A1B2")
  }

  @Test("A node that can't be opened is listed with the reason and the kernel's name for it")
  func unreadable() throws {
    let tree = try DeviceTree()
    try tree.addNode("video0", number: "81:0", name: "HD Cam: HD Cam", exists: false)
    try tree.addNode("video1", number: "81:1")
    let devices = try tree.list()
    #expect(devices.map(\.kind) == [VF_DEVICE_UNREADABLE, VF_DEVICE_UNREADABLE])
    // The first isn't there; the second is an ordinary file.
    #expect(devices.map(\.access_error) == [ENOENT, ENOTTY])
    #expect(text(devices[0].name) == "HD Cam: HD Cam")
    #expect(devices.map(\.number) == [81 << 20, 81 << 20 | 1])
  }

  @Test("Describing a node that doesn't exist fails, by any name")
  func missing() throws {
    let tree = try DeviceTree()
    #expect(throws: Failed(code: ENOENT)) { try tree.describe("/dev/video9") }
    #expect(throws: Failed(code: ENAMETOOLONG)) {
      try tree.describe("/" + String(repeating: "x", count: 300))
    }
  }

  @Test("A link is described as the node that it leads to")
  func describedByLink() throws {
    let tree = try DeviceTree()
    try tree.addNode("video7", number: "81:7")
    let link = "by-id/usb-" + String(repeating: "Long_Name_", count: 12) + "-video-index0"
    try tree.addLink(link, to: "video7")
    let device = try tree.describe("/dev/v4l/\(link)")
    #expect(text(device.path) == "/dev/video7")
    #expect(device.number == 81 << 20 | 7)
  }

  @Test(
    "What a node is comes from its own capabilities and its driver",
    arguments: [
      (NodeCapabilities([.capture, .streaming]), "uvcvideo", VF_DEVICE_CAPTURE),
      (NodeCapabilities([.captureMultiplanar, .streaming]), "cap", VF_DEVICE_CAPTURE),
      (NodeCapabilities([.capture]), "old", VF_DEVICE_OTHER),
      (
        NodeCapabilities([.metadata, .streaming], ofDevice: [.capture, .streaming]), "uvcvideo",
        VF_DEVICE_METADATA
      ),
      (NodeCapabilities([.output, .streaming]), "vivid", VF_DEVICE_OUTPUT),
      (NodeCapabilities([.memoryToMemory, .capture, .streaming]), "codec", VF_DEVICE_CONVERTER),
      (NodeCapabilities([.capture, .streaming, .mediaController]), "any", VF_DEVICE_CSI),
      (NodeCapabilities([.capture, .streaming]), "unicam", VF_DEVICE_CSI),
      (NodeCapabilities([.capture, .streaming]), "rp1-cfe", VF_DEVICE_CSI),
      (NodeCapabilities([.captureMultiplanar, .streaming]), "bcm2835-isp", VF_DEVICE_CSI),
      (NodeCapabilities([.capture, .streaming]), "bm2835 mmal", VF_DEVICE_CAPTURE),
    ])
  func kinds(capabilities: NodeCapabilities, driver: String, kind: UInt32) throws {
    let camera = try SimulatedCamera()
    let system = TamperedSystem(camera.system, path: camera.path)
    system.after = { call, argument in
      guard call == TamperedSystem.Call.queryCapabilities, let argument else { return }
      argument.storeBytes(
        of: capabilities.device | 0x8000_0000, toByteOffset: TamperedSystem.Offset.capabilities,
        as: UInt32.self)
      argument.storeBytes(
        of: capabilities.node, toByteOffset: TamperedSystem.Offset.deviceCapabilities,
        as: UInt32.self)
      for (index, byte) in (Array(driver.utf8) + [0]).enumerated() {
        argument.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      }
    }
    // The simulated camera's formats are single-planar ones.
    system.before = { call, argument in
      if call == .ioctl(2) { argument?.storeBytes(of: 1, toByteOffset: 4, as: UInt32.self) }
      return 0
    }
    let device = try system.system.describe("camera")
    #expect(device.kind == kind)
    #expect(device.capabilities == capabilities.node)
    #expect(text(device.driver) == driver)
    #expect(camera.leaks.open == 0)
  }

  @Test("A node without a format is no camera")
  func noFormats() throws {
    let camera = try SimulatedCamera()
    let system = TamperedSystem(camera.system, path: camera.path)
    system.before = { call, _ in call == .ioctl(2) ? EINVAL : 0 }
    let device = try system.system.describe("camera")
    #expect(device.kind == VF_DEVICE_OTHER)
  }

  @Test("The process that holds a node is named")
  func holders() throws {
    let tree = try DeviceTree()
    try tree.addNode("video0", number: "81:0")
    let path = tree.root + "/dev/video0"
    var nobody = vf_holder()
    #expect(vf_device_holders(path, &nobody, 0) == 0)

    // Not Foundation's Process, which the leak check takes for a leak.
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, path, O_RDONLY, 0)
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("60"), nil]
    defer { arguments.forEach { free($0) } }
    var process = pid_t()
    try #require(posix_spawn(&process, "/bin/sleep", &actions, nil, &arguments, nil) == 0)
    defer {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    // Between fork and exec the child still bears this process's name and descriptors.
    var found = vf_holder()
    repeat {
      var holders = [vf_holder](repeating: vf_holder(), count: 4)
      let count = vf_device_holders(path, &holders, holders.count)
      #expect(count <= 1)
      found = holders[0]
    } while kill(process, 0) == 0 && text(found.name) != "sleep"
    #expect(found.pid == process)
  }
}

/// What VIDIOC_QUERYCAP says of a node and of its device.
struct NodeCapabilities: Sendable, CustomTestStringConvertible {
  enum Capability: UInt32 {
    case capture = 0x1, output = 0x2, captureMultiplanar = 0x1000, memoryToMemory = 0x8000
    case metadata = 0x80_0000, streaming = 0x400_0000, mediaController = 0x2000_0000
  }

  var node: UInt32, device: UInt32
  var testDescription: String { String(node, radix: 16) }

  init(_ node: [Capability], ofDevice device: [Capability] = []) {
    self.node = node.reduce(0) { $0 | $1.rawValue }
    self.device = device.reduce(self.node) { $0 | $1.rawValue }
  }
}

/// A folder that looks like a machine's /sys and /dev.
final class DeviceTree {
  let root: String
  private let files = FileManager.default

  init() throws {
    root = NSTemporaryDirectory() + "viewfinder-devices-\(UUID().uuidString)"
    for folder in ["sys/class/video4linux", "dev/v4l/by-path", "dev/v4l/by-id"] {
      try files.createDirectory(
        atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
    }
  }

  deinit { try? files.removeItem(atPath: root) }

  func write(_ words: String, to path: String) throws {
    try words.write(toFile: "\(root)/\(path)", atomically: false, encoding: .utf8)
  }

  func addNode(
    _ node: String, number: String, name: String = "Camera", parent: String = "devices/any",
    exists: Bool = true
  ) throws {
    let folder = "sys/\(parent)/video4linux/\(node)"
    try files.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
    try write(number + "\n", to: "\(folder)/dev")
    try write(name + "\n", to: "\(folder)/name")
    try files.createSymbolicLink(
      atPath: "\(root)/\(folder)/device", withDestinationPath: "\(root)/sys/\(parent)")
    try files.createSymbolicLink(
      atPath: "\(root)/sys/class/video4linux/\(node)", withDestinationPath: "\(root)/\(folder)")
    if exists { try write("", to: "dev/\(node)") }
  }

  func addLink(_ link: String, to node: String) throws {
    try files.createSymbolicLink(
      atPath: "\(root)/dev/v4l/\(link)", withDestinationPath: "../../\(node)")
  }

  func list(_ system: TestTable = TestCamera.linux) throws -> [vf_device] {
    var devices: UnsafeMutablePointer<vf_device>?, failure = vf_failure()
    let count = vf_devices_list(system.pointer, root, &devices, &failure)
    defer { free(devices) }
    guard count >= 0 else { throw Failed(failure) }
    return Array(UnsafeBufferPointer(start: devices, count: Int(count)))
  }

  @discardableResult func describe(_ path: String) throws -> vf_device {
    try TestCamera.linux.describe(path, root: root)
  }
}

/// The characters of a C array, up to the NUL.
func text<Characters>(_ characters: Characters) -> String {
  withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
