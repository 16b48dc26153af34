import ArgumentParser
import Foundation
import Viewfinder

/// Lists the cameras.
struct DevicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List the cameras.",
    discussion: """
      JSON: {"devices": [{"id", "name", "path", "model", "manufacturer", "position", \
      "simulated"}], "unusable": [{"problem", "exitCode"}]}
      """)

  @OptionGroup(title: "Camera options") var camera: DeviceOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    var devices: [CaptureDevice] = []
    var problems: [CaptureError] = []
    if camera.isSimulated || camera.device != nil {
      devices = [try camera.open().device]
    } else {
      let search = CaptureDevice.DiscoverySession()
      (devices, problems) = (search.devices, search.unusableDevices)
    }
    if json {
      try JSON.print(
        Report(devices: devices.map(DeviceReport.init), unusable: problems.map(Unusable.init)))
      return
    }
    if devices.isEmpty, problems.isEmpty {
      Terminal.warn(
        "No camera is connected. Plug one in, or try a simulated one with --simulate.")
    }
    for problem in problems { Terminal.warn(problem) }
    guard !devices.isEmpty else { return }
    Terminal.table(
      [["NODE", "NAME", "MODEL", "ID"]]
        + devices.map { [$0.path, $0.localizedName, $0.modelID, $0.uniqueID] })
  }

  struct Report: Encodable {
    var devices: [DeviceReport]
    var unusable: [Unusable]
  }

  struct Unusable: Encodable {
    var problem: String
    var exitCode: Int32

    init(_ error: CaptureError) {
      (problem, exitCode) = (error.description, error.exitStatus)
    }
  }
}

/// A camera in JSON.
struct DeviceReport: Encodable {
  var id: String
  var name: String
  var path: String
  var model: String
  var manufacturer: String
  var position: String
  var simulated: Bool

  init(_ device: CaptureDevice) {
    id = device.uniqueID
    name = device.localizedName
    path = device.path
    model = device.modelID
    manufacturer = device.manufacturer
    position = "\(device.position)"
    simulated = device.deviceType == .simulated
  }
}
