import CViewfinder
import Foundation

/// A video node of the machine, as the C core describes it.
struct DeviceNode: Sendable {
  enum Kind: Sendable { case capture, csi, converter, metadata, output, other, unreadable }

  let path: String
  let uniqueID: String
  /// The id that the node has as long as udev doesn't name its port; empty when nothing tells it.
  let busID: String
  let name: String
  let driver: String
  let busInfo: String
  let manufacturer: String
  let modelID: String
  let kind: Kind
  let accessError: Int32

  init(_ device: vf_device) {
    path = text(of: device.path)
    uniqueID = text(of: device.unique_id)
    driver = text(of: device.driver)
    let bus = text(of: device.bus_info)
    busInfo = bus
    let link = text(of: device.by_path)
    let index = link.range(of: "-video-index").map { link[$0.upperBound...] } ?? "0"
    busID = bus.isEmpty || index == "0" ? bus : "\(bus):\(index)"
    manufacturer = text(of: device.manufacturer)
    let card = text(of: device.name)
    name = card.isEmpty ? text(of: device.path) : card
    modelID =
      device.usb_vendor == 0
      ? card : String(format: "%04x:%04x", device.usb_vendor, device.usb_product)
    kind =
      switch device.kind {
      case UInt32(VF_DEVICE_CAPTURE): .capture
      case UInt32(VF_DEVICE_CSI): .csi
      case UInt32(VF_DEVICE_CONVERTER): .converter
      case UInt32(VF_DEVICE_METADATA): .metadata
      case UInt32(VF_DEVICE_OUTPUT): .output
      case UInt32(VF_DEVICE_UNREADABLE): .unreadable
      default: .other
      }
    accessError = device.access_error
  }

  /// What the node is for, in words that follow "is".
  var purpose: String {
    let name = name.isEmpty ? path : name
    return switch kind {
    case .capture: "the camera \(name)"
    case .csi: "a CSI camera behind an image processor (\(driver))"
    case .converter: "a memory-to-memory converter or codec (\(name))"
    case .metadata: "the metadata node of \(name)"
    case .output: "a video output (\(name))"
    case .other, .unreadable: "no video capture device (\(name))"
    }
  }

  /// All video nodes, cameras or not, in order of their numbers.
  static func all(_ backend: CameraAddress.Backend = .linux) throws(CaptureError) -> [DeviceNode] {
    var failure = unsafe vf_failure()
    var rows: UnsafeMutablePointer<vf_device>?
    let address = CameraAddress(backend: backend, path: "")
    let count = unsafe vf_devices_list(address.system, "", &rows, &failure)
    guard count >= 0 else {
      throw unsafe CaptureError(failure, path: "/sys/class/video4linux", device: "video devices")
    }
    defer { unsafe free(rows) }
    return unsafe UnsafeBufferPointer(start: rows, count: Int(count)).map { DeviceNode($0) }
  }

  /// The node at a path, whatever it is.
  static func at(_ path: String, _ backend: CameraAddress.Backend = .linux)
    throws(CaptureError) -> DeviceNode
  {
    var failure = unsafe vf_failure()
    var device = vf_device()
    let address = CameraAddress(backend: backend, path: path)
    guard unsafe vf_device_describe(address.system, "", path, &device, &failure) == 0 else {
      throw unsafe CaptureError(failure, path: path, device: path)
    }
    return DeviceNode(device)
  }

  /// The programs, other than this one, that have a node open, as far as this user may know.
  static func holders(of path: String) -> [DeviceHolder] {
    var holders = [vf_holder](repeating: vf_holder(), count: 16)
    let count = unsafe holders.withUnsafeMutableBufferPointer {
      unsafe vf_device_holders(path, $0.baseAddress!, $0.count)
    }
    return holders.prefix(min(count, 16)).map {
      DeviceHolder(processID: $0.pid, name: text(of: $0.name))
    }
  }
}

/// The text in a C character array that Swift imported as a tuple.
func text<Characters>(of characters: Characters) -> String {
  unsafe withUnsafeBytes(of: characters) { bytes in
    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
