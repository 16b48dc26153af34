import Foundation
import Testing
import Viewfinder

extension VividTests {
  @Suite("Pictures") struct Pictures {
    private let vivid: Vivid

    init() throws { vivid = try Vivid() }

    @Test(
      "Every layout that both sides know shows the kernel's own colour bars", arguments: [0, 1])
    func colourBars(index: Int) async throws {
      let device = vivid.devices[index]
      try device.configure { device throws(CaptureError) in
        // 100 % colour bars without text.
        try device.setControl("test_pattern", to: 1)
        try device.setControl("osd_text_mode", to: 2)
      }
      let known: [PixelFormat] = [
        .yuyv, .uyvy, .nv12, .nv21, .i420, .yv12, .rgb24, .bgr24, .rgba32, .bgra32, .grey,
      ]
      let offered = Set(device.formats.map(\.pixelFormat))
      let layouts = known.filter(offered.contains)
      #expect(layouts == known)
      for layout in layouts {
        let run = try await CameraRun(device, layout, Vivid.size)
        try await run.waitForFrames(1)
        _ = await run.stop()
        let frame = try #require(run.frames.all.first)
        try expectBars(frame, isGrey: layout == .grey)
      }
      print("\(device.path): \(layouts.count) layouts: \(layouts)")
    }

    private static let bars: [[Double]] = [
      [255, 255, 255], [255, 255, 0], [0, 255, 255], [0, 255, 0], [255, 0, 255], [255, 0, 0],
      [0, 0, 255], [0, 0, 0],
    ]

    private func expectBars(_ frame: FrameLog.Frame, isGrey: Bool) throws {
      let picture = try PixelBuffer(
        pixelFormat: frame.format.pixelFormat, dimensions: frame.format.dimensions, data: frame.data
      )
      let rgb = try picture.converted(to: .rgb24)
      let stride = rgb.bytesPerRow()
      for (index, bar) in Self.bars.enumerated() {
        let x = (2 * index + 1) * Vivid.size.width / 16
        let start = Vivid.size.height / 2 * stride + 3 * x
        let bytes = rgb.bytes()
        let seen = (0..<3).map { Double(bytes[start + $0]) }
        // vivid's grey is BT.709's luma.
        let luma = 0.2126 * bar[0] + 0.7152 * bar[1] + 0.0722 * bar[2]
        let wanted = isGrey ? [luma, luma, luma] : bar
        let distance = zip(seen, wanted).map { abs($0 - $1) }.max() ?? 0
        #expect(distance <= 24, "\(frame.format.pixelFormat), bar \(index): \(seen), not \(wanted)")
      }
    }

    @Test("Frame intervals are granted, and kept") func intervals() async throws {
      let format = try #require(
        vivid.webcam.formats.first { $0.pixelFormat == .yuyv && $0.dimensions == Vivid.size })
      let durations = Set(format.videoSupportedFrameRateRanges.map(\.minFrameDuration))
      for duration in durations.filter({ 5...15 ~= $0.frameRate }) {
        let run = try await CameraRun(vivid.webcam, .yuyv, Vivid.size, duration: duration)
        #expect(run.session.activeVideoFormat?.frameInterval == duration)
        try await run.waitForFrames(8)
        _ = await run.stop()
        let pairs = await run.streams().flatMap { zip($0, $0.dropFirst()) }
        let steps = pairs.map {
          ($1.timestamp - $0.timestamp) / .seconds(1) / Double($1.sequence - $0.sequence)
        }
        let median = steps.sorted()[steps.count / 2]
        #expect(median > 0.5 * duration.seconds && median < 2 * duration.seconds)
        print("\(duration.frameRate) frames/s: \(1 / median) measured")
      }
    }
  }
}
