import Foundation
import Testing
import Viewfinder

/// The machine's simulated USB camera: `uvcsim`, on the kernel's own virtual controller.
final class USBCamera {
  static let isochronous = "-i"

  private let options: String
  private var program: Program?

  /// Plugs a camera in.
  ///
  /// - Parameters:
  ///   - options: Those of `uvcsim`.
  ///   - nodrop: What the driver does with frames that it knows to be damaged, for this camera:
  ///     whether it hands them out, flagged.
  /// - Throws: What kept the simulated camera from starting.
  init(_ options: String = USBCamera.isochronous, nodrop: Bool = false) throws {
    self.options = options
    try Data((nodrop ? "1" : "0").utf8).write(
      to: URL(fileURLWithPath: "/sys/module/uvcvideo/parameters/nodrop"))
    try plugIn()
  }

  /// The camera, once the driver knows it.
  func device() async throws -> CaptureDevice {
    try #require(await Driver.uvcvideo.firstDevice(), "the driver took no camera up")
  }

  func plugIn() throws {
    let folder = try CameraPictures.shared.get().folder.path
    program = try Program("sh", "-c", "exec uvcsim \(options) \(folder)/*/*.jpg")
  }

  /// Pulls the plug, and waits until the driver has noticed.
  func unplug() {
    guard let program else { return }
    kill(program.processID, SIGKILL)
    program.end()
    self.program = nil
    for _ in 0..<100 where !Driver.uvcvideo.devices.isEmpty { usleep(100_000) }
  }

  /// Makes the camera hang, like one whose firmware crashed.
  func hang() { signal(SIGSTOP) }

  /// Makes it go on.
  func goOn() { signal(SIGCONT) }

  private func signal(_ number: Int32) {
    if let program { kill(program.processID, number) }
  }

  deinit { unplug() }
}
