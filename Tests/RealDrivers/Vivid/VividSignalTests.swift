import Foundation
import Testing
import Viewfinder

extension VividTests {
  @Suite("Signal") struct Signal {
    private let vivid: Vivid

    init() throws { vivid = try Vivid() }

    @Test("A lost signal interrupts the session until it is back") func noSignal() async throws {
      let run = try await CameraRun(vivid.hdmi, .yuyv)
      try await run.waitForFrames(2)
      let events = run.session.events
      try vivid.set("dv_timings_signal_mode", 1, on: vivid.hdmi)
      #expect(await eventually(seconds: 10) { run.session.isInterrupted })
      try vivid.set("dv_timings_signal_mode", 0, on: vivid.hdmi)
      await expectInterruption(events) { reason in
        switch reason {
        case .sourceChanged, .noSignal: true
        default: false
        }
      }
      try await run.waitForFrames(2)
      _ = await run.stop()
      try vivid.set("dv_timings_signal_mode", 1, on: vivid.hdmi)
      defer { try? vivid.set("dv_timings_signal_mode", 0, on: vivid.hdmi) }
      await #expect(throws: CaptureError.noSignal(device: vivid.hdmi.localizedName)) {
        _ = try await CameraRun(vivid.hdmi, .yuyv)
      }
    }

    @Test("A source that changes its size is taken up in the new one") func sourceChange()
      async throws
    {
      let run = try await CameraRun(vivid.hdmi, .yuyv)
      try await run.waitForFrames(2)
      let before = run.session.activeVideoFormat?.dimensions
      let events = run.session.events
      // Other timings than the present ones, then the signal that has them.
      let menu = try #require(try vivid.hdmi.control(named: "dv_timings"))
      try vivid.set("dv_timings", menu.value == 4 ? 5 : 4, on: vivid.hdmi)
      try vivid.set("dv_timings_signal_mode", 4, on: vivid.hdmi)
      defer { try? vivid.set("dv_timings_signal_mode", 0, on: vivid.hdmi) }
      await expectInterruption(events) { if case .sourceChanged = $0 { true } else { false } }
      try await run.waitForFrames(2)
      #expect(run.session.activeVideoFormat?.dimensions != before)
      _ = await run.stop()
    }
  }
}
