import CViewfinder
import Foundation
import Testing

@Suite struct OutputTests {
  private let node = FakeOutputNode()

  private func open(_ fourcc: UInt32, _ width: Int = 16, _ height: Int = 8) throws -> TestOutput {
    try TestOutput(node, wish(width, height, every: (1, 30), fourcc: fourcc))
  }

  @Test("A frame goes out in one piece, after the format, the rate and the start")
  func frame() throws {
    let output = try open(VF_MJPEG)
    try output.write([1, 2, 3])
    #expect(node.frames == [[1, 2, 3]])
    #expect(node.calls == [.queryCapabilities, .setFormat, .setParameters, .streamOn])
  }

  @Test("The node is closed with the output, and after a failure")
  func closed() throws {
    var output: TestOutput? = try open(VF_MJPEG)
    #expect(node.openCount == 1 && output != nil)
    output = nil
    #expect(node.openCount == 0)
    node.capabilities = FakeOutputNode.Capabilities.capture
    #expect(code { output = try open(VF_MJPEG) } == ENODEV)
    #expect(node.openCount == 0)
  }

  @Test(
    "Nodes that take no frames are told apart",
    arguments: [
      (FakeOutputNode.Capabilities.capture, "uvcvideo", ENODEV),
      (FakeOutputNode.Capabilities.outputWithoutWrite, "vivid", ENODEV),
      (FakeOutputNode.Capabilities.memoryToMemory, "codec", ENODEV),
      // A camera while somebody writes to it.
      (FakeOutputNode.Capabilities.capture, "v4l2 loopback", EBUSY),
    ])
  func unusable(capabilities: UInt32, driver: String, expected: Int32) {
    (node.capabilities, node.driver) = (capabilities, driver)
    #expect(code { _ = try open(VF_MJPEG) } == expected)
  }

  @Test("A refused format tells which one the node has")
  func refused() throws {
    node.kept = wish(320, 240, fourcc: VF_YUYV)
    let failure = #expect(throws: CallFailure.self) { try open(VF_MJPEG) }
    #expect(failure?.code == ENOTSUP)
    #expect(failure?.description.hasSuffix(" YUYV 320x240") == true)
  }

  @Test(
    "Rows are moved to where the driver wants them, in every plane",
    arguments: [VF_YUYV, VF_RGB24, VF_GREY, VF_NV12, VF_I420, VF_YV12].map(Layout.init))
  func strides(layout: Layout) throws {
    node.padding = 6
    let output = try open(layout.fourcc, 10, 6)
    let picture = try Picture(layout.fourcc, 10, 6) { 60 * $0 + 7 * $1 + 11 * $2 }
    try output.write(picture)
    let stride = Int(output.format.stride)
    let frame = try #require(node.frames.first)
    #expect(frame.count == vf_image_size(layout.fourcc, 10, 6, stride))
    let written = try Picture(viewing: frame, layout.fourcc, 10, 6, stride: stride)
    #expect(written.samples == picture.samples)
  }

  @Test("A picture that lies as the driver wants it isn't copied")
  func inPlace() throws {
    let output = try open(VF_NV12)
    let picture = try Picture(viewing: Noise.bytes(16 * 12), VF_NV12, 16, 8)
    try output.write(picture)
    #expect(node.addresses == [UnsafeRawPointer(picture.image.planes.0.data!)])
  }

  @Test("Frames that don't fit are refused, not cut")
  func sizes() throws {
    let output = try open(VF_YUYV)
    #expect(code { try output.write([UInt8](repeating: 0, count: 16 * 8 * 2 + 1)) } == EFBIG)
    #expect(code { try output.write([UInt8](repeating: 0, count: 16 * 8 * 2 - 1)) } == EINVAL)
    #expect(code { try output.write([]) } == EINVAL)
    #expect(code { try output.write(Picture(VF_YUYV, 16, 10)) } == EINVAL)
    #expect(code { try output.write(Picture(VF_UYVY, 16, 8)) } == EINVAL)
    #expect(node.frames.isEmpty)
  }

  @Test(
    "A device that is full is waited for, but not forever",
    arguments: [
      (EAGAIN, POLLOUT, 3, nil), (EINTR, 0, 3, nil), (EAGAIN, 0, .max, ETIMEDOUT),
      (EAGAIN, POLLERR, .max, EIO), (EAGAIN, POLLHUP, .max, ENODEV), (ENODEV, 0, 1, ENODEV),
      (EAGAIN, POLLOUT, .max, ETIMEDOUT), (EINTR, 0, .max, ETIMEDOUT),
    ] as [(Int32, Int32, Int, Int32?)])
  func full(error: Int32, events: Int32, times: Int, expected: Int32?) throws {
    let output = try open(VF_MJPEG)
    (node.writeError, node.writeErrorCount, node.pollEvents) = (error, times, events)
    #expect(code { try output.write([1]) } == expected)
    #expect(node.frames == (expected == nil ? [[1]] : []))
  }

  @Test("A frame that is taken in part is an error: its rest would be a frame of its own")
  func partial() throws {
    let output = try open(VF_MJPEG)
    node.mostBytes = 2
    #expect(code { try output.write([1, 2, 3]) } == EIO)
    #expect(node.frames == [[1, 2]])
  }

  @Test("The simulated camera takes no frames")
  func simulated() throws {
    try SimulatedCamera().use { camera in
      var format = vf_format(), failure = vf_failure()
      #expect(vf_output_open(camera.system.pointer, camera.path, &format, &failure) == nil)
      #expect(failure.code == ENODEV)
    }
  }
}
