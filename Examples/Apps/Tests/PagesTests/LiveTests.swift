import Foundation
import Hummingbird
import ServerSupport
import Testing
import Viewfinder

@testable import ViewfinderPages

@Suite("The live picture") struct LiveTests {
  @Test("Nothing is encoded while nobody watches, and no more when the last has gone")
  func nobodyWatches() async throws {
    try await TestServer.run { server in
      try await server.wait(frames: 10)
      #expect(server.camera.report.encodedFrames == 0)
      _ = try await server.begin("stream.mjpg", bytes: 200_000)
      #expect(server.camera.report.encodedFrames > 0)
      try await wait("nobody to watch") { server.camera.report.clients == 0 }
      // One may be under way.
      try await server.wait(frames: 3)
      let encoded = server.camera.report.encodedFrames
      try await server.wait(frames: 10)
      #expect(server.camera.report.encodedFrames == encoded)
    }
  }

  @Test("A frame is encoded once for all who watch")
  func encodedOnce() async throws {
    try await TestServer.run { server in
      let before = server.camera.report.frames.delivered
      let visitors = (0..<5).map { _ in server.camera.stream.watch().values }
      for visitor in visitors {
        #expect(await visitor.prefix(3).reduce(0) { count, _ in count + 1 } == 3)
      }
      let encoded = server.camera.report.encodedFrames
      let delivered = server.camera.report.frames.delivered - before
      #expect(encoded >= 3)
      // The counts are of moments that are not quite the same.
      #expect(encoded <= delivered + 1)
    }
  }

  @Test("Frames are whole JPEGs with their length")
  func parts() async throws {
    try await TestServer.run { server in
      let body = try await server.begin("stream.mjpg", bytes: 200_000)
      let text = String(decoding: body.prefix(200), as: UTF8.self)
      #expect(text.hasPrefix("--viewfinder-frame\r\nContent-Type: image/jpeg\r\n"))
      let length = try #require(
        text.firstMatch(of: /Content-Length: ([0-9]+)/).flatMap { Int($0.1) })
      let start = try #require(body.range(of: Data("\r\n\r\n".utf8))).upperBound
      let picture = try PixelBuffer(decoding: body[start..<start + length])
      #expect(picture.dimensions == Dimensions(width: 640, height: 480))
      // The next delimiter comes at once, so that browsers show the frame.
      #expect(body[(start + length)...].starts(with: Data("\r\n--viewfinder-frame\r\n".utf8)))
    }
  }

  @Test("A camera's own JPEGs are passed on as they are")
  func ownJPEGs() async throws {
    try await TestServer.run(format: .mjpeg) { server in
      let output = CaptureVideoDataOutput()
      try server.camera.session.addOutput(output)
      let frames = Recorder()
      output.setSampleBufferDelegate(frames, queue: nil)
      let body = try await server.begin("stream.mjpg", bytes: 200_000)
      let text = String(decoding: body.prefix(200), as: UTF8.self)
      let number = try #require(
        text.firstMatch(of: /X-Sequence-Number: ([0-9]+)/).flatMap { Int($0.1) })
      let start = try #require(body.range(of: Data("\r\n\r\n".utf8))).upperBound
      let jpeg = try #require(await frames.data(ofFrame: number))
      #expect(body[start..<start + jpeg.count] == jpeg)
    }
  }

  @Test("A request with a body, which a stream doesn't need, is answered like others")
  func bodyForAStream() async throws {
    try await TestServer.run { server in
      let request = RawRequest(server, "GET /stream.mjpg HTTP/1.0\r\nContent-Length: 1")
      let visitor = Task { await request.answer(to: "x", limit: 100_000) }
      #expect(await visitor.value.contains("Content-Type: image/jpeg"))
      try await wait("nobody to watch") { server.camera.report.clients == 0 }
    }
  }

  @Test("Statistics tell the rate, the counts and the state in words")
  func statistics() async throws {
    try await TestServer.run { server in
      try await server.wait(frames: 5)
      let answer = try await server.ask("stats.json")
      let report = try JSONDecoder().decode(LiveReport.self, from: answer.body)
      #expect(report.state == .running)
      #expect(report.camera == "Simulated camera")
      #expect(report.format?.contains("YUYV 640x480") == true)
      #expect(report.framesPerSecond > 0)
      #expect(report.frames.delivered >= 5)
    }
  }

  @Test("An unplugged camera is told of in words, refuses photos, and comes back by itself")
  func unplugging() async throws {
    try await TestServer.run { server in
      server.simulated.unplug()
      try await wait("the loss of the camera") { server.camera.report.state == .interrupted }
      let report = server.camera.report
      #expect(report.message.contains("Plug it in again"))
      #expect(report.code == "cameraLost" && report.values == ["device": "Simulated camera"])
      let photo = try await server.ask("photo.jpg")
      #expect(photo.status == 503)
      #expect(photo.error?.contains("Plug it in again") == true)
      #expect(photo.code == report.code && photo.values == report.values)
      server.simulated.plugIn()
      try await wait("the camera") { server.camera.report.state == .running }
      #expect(server.camera.report.code == nil)
      #expect(try await server.ask("photo.jpg").status == 200)
    }
  }

  @Test("Who waits for an unplugged camera gets the last frame again from time to time")
  func repeatedFrame() async throws {
    try await TestServer.run { server in
      let stream = server.camera.stream
      let watch = stream.watch()
      let received = Received()
      let visitor = Task { for await part in watch.values { received.add(part.bytes) } }
      try await wait("a part") { received.count > 0 }
      server.simulated.unplug()
      try await wait("the loss of the camera") { server.camera.report.state == .interrupted }
      try await wait("the last one twice") {
        stream.repeatNewest(olderThan: .zero)
        return received.endsWithTheSameTwice
      }
      watch.end()
      await visitor.value
      #expect(stream.watcherCount == 0)
    }
  }

  @Test("A camera that isn't there is waited for")
  func noCamera() async throws {
    let simulated = try SimulatedCamera()
    let attempts = Attempts()
    let camera = LiveCamera {
      guard attempts.next() > 1 else {
        throw CaptureError.deviceNotFound(name: "it", available: [])
      }
      return simulated.device
    }
    let task = Task { await camera.run() }
    try await wait("no camera") { camera.report.state == .unavailable }
    #expect(camera.report.message.contains("Plug one in"))
    try await wait("the camera") { camera.report.state == .running }
    task.cancel()
    await task.value
    #expect(!camera.session.isRunning)
  }

  @Test("Events tell of the state at once, and of its changes")
  func events() async throws {
    try await TestServer.run { server in
      let events = try await server.begin("events?topic=0.camera", bytes: 60)
      #expect(String(decoding: events, as: UTF8.self).contains("\"state\":\"running\""))
    }
  }

  @Test("The end of the server ends open streams and gives the camera back")
  func ending() async throws {
    var camera: LiveCamera?
    var visitor: Task<Data, any Error>?
    try await TestServer.run { server in
      camera = server.camera
      visitor = Task { try await server.begin("stream.mjpg", bytes: .max) }
      try await wait("the viewer") { server.camera.report.clients == 1 }
    }
    _ = await visitor?.result
    #expect(camera?.session.isRunning == false)
  }
}

extension TestServer {
  /// Waits until the camera has delivered some frames more.
  func wait(frames: Int) async throws {
    let count = camera.report.frames.delivered + frames
    try await ServerSupport.wait("\(frames) frames") { camera.report.frames.delivered >= count }
  }
}

/// Counts calls.
private final class Attempts: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  func next() -> Int {
    lock.withLock {
      count += 1
      return count
    }
  }
}

/// Keeps what a visitor got.
private final class Received: @unchecked Sendable {
  private let lock = NSLock()
  private var parts: [ByteBuffer] = []

  var count: Int { lock.withLock { parts.count } }
  var endsWithTheSameTwice: Bool {
    lock.withLock { parts.count > 1 && parts[parts.count - 1] == parts[parts.count - 2] }
  }

  func add(_ part: ByteBuffer) { lock.withLock { parts.append(part) } }
}

/// Keeps the newest frames' bytes.
private final class Recorder: CaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
  private let lock = NSLock()
  private var frames: [Int: Data] = [:]

  func captureOutput(
    _ output: CaptureOutput, didOutput frame: VideoFrame, from connection: CaptureConnection
  ) {
    lock.withLock { frames[frame.sequenceNumber] = frame.data }
  }

  func data(ofFrame number: Int) async -> Data? { lock.withLock { frames[number] } }
}
