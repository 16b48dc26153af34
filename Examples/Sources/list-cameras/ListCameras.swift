// Lists the cameras with what they offer, and those that can't be used, with the reason.
//
// usage: list-cameras [--simulate]
import Viewfinder

@main struct ListCameras {
  static func main() throws {
    // A simulated camera is never found: a program that wants one makes it.
    if CommandLine.arguments.contains("--simulate") {
      return show(try SimulatedCamera().device)
    }

    let search = CaptureDevice.DiscoverySession()
    search.devices.forEach(show)
    for reason in search.unusableDevices { print("Can't be used: \(reason)") }
    if search.devices.isEmpty && search.unusableDevices.isEmpty {
      print("No camera is connected. Plug one in, or try --simulate.")
    }
  }

  static func show(_ camera: CaptureDevice) {
    print("\(camera.localizedName) (\(camera.path), id \(camera.uniqueID))")
    let sizes = Dictionary(grouping: camera.formats, by: \.dimensions)
    for (size, formats) in sizes.sorted(by: { $0.key.width > $1.key.width }) {
      let layouts = formats.map(\.pixelFormat.description).joined(separator: " ")
      let rate = formats.flatMap(\.videoSupportedFrameRateRanges).map(\.maxFrameRate).max() ?? 0
      print("  \(size), up to \(rate) frames/s: \(layouts)")
    }
  }
}
