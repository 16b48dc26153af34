import Foundation
import Testing
import Viewfinder

extension VividTests {
  @Suite("Replug") struct Replug {
    private let vivid: Vivid

    init() throws { vivid = try Vivid() }

    @Test("A device that drops off interrupts the session, which goes on when it is back")
    func disconnect() async throws {
      let run = try await vivid.streamingWebcam()
      let events = run.session.events
      try vivid.press("disconnect")
      await expectInterruption(events) { if case .disconnected = $0 { true } else { false } }
      try await run.waitForFrames(3)
      _ = await run.stop()
    }

    @Test("A node that vanishes and returns is told of, and the session goes on with its controls")
    func unbind() async throws {
      try vivid.set("contrast", 99)
      let run = try await vivid.streamingWebcam()
      let (events, changes) = (run.session.events, CaptureDevice.changes)
      let posts = Posts()
      let driver = "/sys/bus/platform/drivers/vivid"
      try Data("vivid.0".utf8).write(to: URL(fileURLWithPath: "\(driver)/unbind"))
      #expect(await eventually(seconds: 10) { run.session.isInterrupted })
      await #expect {
        try await run.photo.capturePhoto(with: CapturePhotoSettings())
      } throws: { error in
        if case CaptureError.cancelled = error { true } else { false }
      }
      // All devices of vivid go and come together; what is back before anybody looked wasn't gone.
      let gone = await collect(changes, vivid.devices.count)
      try Data("vivid.0".utf8).write(to: URL(fileURLWithPath: "\(driver)/bind"))
      await expectInterruption(events) { if case .disconnected = $0 { true } else { false } }
      try await run.waitForFrames(3)
      #expect(try run.device.control(named: "contrast")?.value == 99)
      _ = await run.stop()
      let back = await collect(changes, vivid.devices.count)
      #expect(Set(gone) == Set(vivid.devices.map { CaptureDevice.Change.disconnected($0) }))
      #expect(Set(back) == Set(vivid.devices.map { CaptureDevice.Change.connected($0) }))
      #expect(await eventually(seconds: 10) { posts.connected.all.count == vivid.devices.count })
      #expect(Set(posts.disconnected.all) == Set(vivid.devices))
      #expect(Set(posts.connected.all) == Set(vivid.devices))
    }
  }
}

/// The cameras of which notifications tell.
private final class Posts {
  let connected = Log<CaptureDevice>()
  let disconnected = Log<CaptureDevice>()
  /// They are posted as long as there is one.
  private let discovery = CaptureDevice.DiscoverySession()
  private var observers: [any NSObjectProtocol] = []

  init() {
    let logs = [
      CaptureDevice.wasConnectedNotification: connected,
      CaptureDevice.wasDisconnectedNotification: disconnected,
    ]
    observers = logs.map { name, log in
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { post in
        if let device = post.object as? CaptureDevice { log.append(device) }
      }
    }
  }

  deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
}
