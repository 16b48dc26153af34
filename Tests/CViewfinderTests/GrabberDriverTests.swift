import CViewfinder
import Foundation
import Testing

// Within the serialized suite: a node has one stream.
extension GrabberTests {
  /// The faults that the kernel's virtual camera has on demand.
  @Suite(
    "A driver's faults",
    .enabled(if: !TestCamera.nodes.isEmpty, "needs the kernel's virtual camera"))
  struct DriverTests {
    private func press(_ identifier: String, value: Int64 = 1, on grabber: TestGrabber) throws {
      let control = try #require(
        try grabber.controls().first { text($0.identifier) == identifier }, "no \(identifier)")
      try grabber.set(control.id, to: value)
    }

    @Test("A flagged buffer is withheld and counted", arguments: TestCamera.nodes)
    func flaggedBuffer(camera: TestCamera) throws {
      try camera.use { system, path in
        let grabber = try TestGrabber(system, path)
        try grabber.start(options: GrabberFaultTests.everyFrame)
        try grabber.look(at: 3)
        try press("inject_v4l2_buf_flag_error", on: grabber)
        try grabber.look(at: 8)
        #expect(grabber.statistics.corrupt == 1)
      }
    }

    @Test("Buffers that the driver drops are counted as lost", arguments: TestCamera.nodes)
    func droppedBuffers(camera: TestCamera) throws {
      try camera.use { system, path in
        let grabber = try TestGrabber(system, path)
        try grabber.start(options: GrabberFaultTests.everyFrame)
        try press("percentage_of_dropped_buffers", value: 50, on: grabber)
        defer { try? press("percentage_of_dropped_buffers", value: 0, on: grabber) }
        try grabber.look(at: 30)
        #expect(grabber.statistics.lost > 0)
      }
    }

    @Test("A refused buffer doesn't stop the stream", arguments: TestCamera.nodes)
    func refusedBuffer(camera: TestCamera) throws {
      try camera.use { system, path in
        let grabber = try TestGrabber(system, path)
        try grabber.start()
        for _ in 0..<3 {
          try press("inject_vidioc_qbuf_error", on: grabber)
          try grabber.look(at: 4)
        }
      }
    }

    @Test(
      "A fatal streaming error ends the stream, and a new one runs", arguments: TestCamera.nodes)
    func fatalError(camera: TestCamera) throws {
      try camera.use { system, path in
        let grabber = try TestGrabber(system, path)
        try grabber.start()
        try grabber.look(at: 2)
        try press("inject_fatal_streaming_error", on: grabber)
        #expect(throws: Failed(code: EIO)) { try grabber.look(at: 20) }
        grabber.stop()
        try grabber.start()
        try grabber.look(at: 2)
      }
    }

    @Test(
      "A start that the driver fails can be repeated", arguments: TestCamera.nodes,
      ["inject_vidioc_streamon_error", "inject_vidioc_reqbufs_error"])
    func failedStart(camera: TestCamera, control: String) throws {
      try camera.use { system, path in
        let grabber = try TestGrabber(system, path)
        try press(control, on: grabber)
        #expect(throws: Failed(code: EINVAL)) { try grabber.start() }
        try grabber.start()
        try grabber.look(at: 2)
      }
    }

    @Test("Sequence numbers that wrap lose nothing", arguments: TestCamera.nodes)
    func wrapping(camera: TestCamera) throws {
      try camera.use { system, path in
        let grabber = try TestGrabber(system, path)
        try press("wrap_sequence_number", on: grabber)
        defer { try? press("wrap_sequence_number", value: 0, on: grabber) }
        try grabber.start(options: GrabberFaultTests.everyFrame)
        var last: UInt32?
        // It wraps after 128 frames.
        try grabber.look(at: 140) { frame in
          #expect(frame.sequence == 0 || frame.sequence > last!)
          last = frame.sequence
        }
        #expect(UInt64(last!) == 139 + grabber.statistics.lost)
      }
    }

    @Test("A device that disconnects is gone, and comes back", arguments: TestCamera.nodes)
    func disconnection(camera: TestCamera) throws {
      try camera.use { system, path in
        var grabber: TestGrabber? = try TestGrabber(system, path)
        try grabber?.start()
        let frame = try #require(try grabber?.next())
        try press("disconnect", on: grabber!)
        for _ in 0..<2 { #expect(throws: Failed(code: ENODEV)) { try grabber?.look(at: 20) } }
        vf_frame_release(frame)
        grabber = nil
        let again = try TestGrabber(system, path)
        try again.start()
        try again.look(at: 2)
      }
    }
  }
}
