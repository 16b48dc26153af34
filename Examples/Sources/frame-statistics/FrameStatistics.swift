// Watches a camera for some seconds and prints what became of its frames.
//
// usage: frame-statistics [--simulate] [SECONDS]
import Foundation
import Viewfinder

@main struct FrameStatistics {
  static func main() async throws {
    let simulates = CommandLine.arguments.contains("--simulate")
    let seconds = CommandLine.arguments.dropFirst().compactMap { Int($0) }.first ?? 5

    guard let camera = simulates ? try SimulatedCamera().device : .default(for: .video) else {
      let denial = CaptureDevice.authorizationDenial()?.description
      fail(denial ?? "No camera is connected. Plug one in, or try --simulate.")
    }
    let session = CaptureSession()
    let output = CaptureVideoDataOutput()
    do {
      try session.configure {
        try session.addInput(CaptureDeviceInput(device: camera))
        try session.addOutput(output)
      }
      try await session.startRunning()
    } catch {
      fail("\(error)")
    }
    print("\(camera.localizedName): \(session.activeVideoFormat.map { "\($0)" } ?? "")")

    let start = ContinuousClock.now
    var second = 1
    var bytes = 0
    // A frame goes back to the camera when its last copy is gone: here, at the end of each round.
    for await frame in output.frames {
      bytes += frame.bytes.count
      guard ContinuousClock.now >= start + .seconds(second) else { continue }
      show(session.statistics, bytes: bytes)
      if second >= seconds { break }
      second += 1
      bytes = 0
    }
    await session.stopRunning()
  }

  static func show(_ statistics: CaptureStatistics, bytes: Int) {
    let rate = statistics.measuredFrameRate.formatted(.number.precision(.fractionLength(1)))
    print(
      "\(rate) frames/s, \(bytes / 1_000_000) MB/s; \(statistics.deliveredFrames) delivered, "
        + "\(statistics.lostFrames) lost, \(statistics.lateFrames) late, "
        + "\(statistics.corruptFrames) damaged, \(statistics.starvedFrames) without a buffer")
  }

  static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(1)
  }
}
