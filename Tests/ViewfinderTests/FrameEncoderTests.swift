import Dispatch
import Foundation
import Testing

@testable import Viewfinder

@Suite struct FrameEncoderTests {
  /// Frames of many sizes: one that is encoded at once may come behind one that takes long.
  private static func frames(_ count: Int) async throws -> [VideoFrame] {
    let frame = try await Self.frame()
    let pictures = try [2, 700, 30, 300].map { side in
      try PixelBuffer.gradient(Dimensions(width: 2 * side, height: side)).converted(to: .yuyv)
    }
    return (0..<count).map { VideoFrame(frame, picture: pictures[$0 % 4].picture) }
  }

  private static func frame() async throws -> VideoFrame {
    let rig = try Rig()
    try rig.choose(.yuyv, .qvga)
    let output = CaptureVideoDataOutput()
    let frames = output.frames
    try await rig.start(output)
    return try #require(await frames.first { _ in true })
  }

  @Test(
    "Frames come back in their order, one by one, whatever each takes, as the JPEGs of one call")
  func order() async throws {
    let frames = try await Self.frames(40)
    let expected = try frames.map { try $0.jpegData(quality: 0.7) }
    let encoder = FrameEncoder(quality: 0.7, maximumConcurrentFrames: 4)
    // Kept, so that memory that were used again too early would show.
    let results = Log<EncodedFrame>()
    let busy = Shared(0)
    let most = Shared(0)
    for frame in frames {
      encoder.encode(frame) { result in
        let now = busy.withLock {
          $0 += 1; return $0
        }
        most.withLock { $0 = max($0, now) }
        if case .success(let jpeg) = result { results.append(jpeg) }
        busy.withLock { $0 -= 1 }
      }
    }
    encoder.finish()
    let isSame = results.all.map(\.data) == expected
    #expect(isSame)
    #expect(results.all.map(\.dimensions) == frames.map(\.format.dimensions))
    #expect(most.value == 1)
  }

  @Test("A frame that can't be encoded is an error in its turn, and a sequence leaves it out")
  func failure() async throws {
    var frames = try await Self.frames(6)
    // It says that it is larger than its buffer.
    guard case .lease(let lease) = try await Self.frame().storage else { return }
    let format = VideoFormat(
      pixelFormat: .yuyv, dimensions: Dimensions(width: 5000, height: 5000), bytesPerRow: 10_000,
      frameInterval: nil)
    frames[3] = VideoFrame(lease: lease, format: format)
    let encoder = FrameEncoder(maximumConcurrentFrames: 2)
    let results = Log<Bool>()
    for frame in frames {
      encoder.encode(frame) { results.append((try? $0.get()) != nil) }
    }
    encoder.finish()
    #expect(results.all == [true, true, true, false, true, true])
    var count = 0
    let source = AsyncStream { continuation in
      for frame in frames { continuation.yield(frame) }
      continuation.finish()
    }
    for try await _ in encoder.encodedFrames(of: source) { count += 1 }
    #expect(count == 5)
  }

  @Test(
    "While nothing is taken back, as many frames again as are encoded at once may wait, and no more"
  )
  func places() async throws {
    let frames = try await Self.frames(12)
    let encoder = FrameEncoder(maximumConcurrentFrames: 2)
    let gate = DispatchSemaphore(value: 0)
    let (entered, given) = (Shared(0), Shared(0))
    Thread.detachNewThread {
      for frame in frames {
        encoder.encode(frame) { _ in
          gate.wait()
          given.withLock { $0 += 1 }
        }
        entered.withLock { $0 += 1 }
      }
    }
    #expect(await eventually { entered.value == 4 })
    try await Task.sleep(for: .milliseconds(200))
    #expect(entered.value == 4)
    for _ in frames { gate.signal() }
    #expect(await eventually { given.value == 12 })
  }

  @Test("A sequence is encoded in order, no faster than it is read, and ends with the frames")
  func sequence() async throws {
    let frames = try await Self.frames(30)
    let expected = try frames.map { try $0.jpegData() }
    let taken = Shared(0)
    let source = AsyncStream<VideoFrame> {
      let place = taken.withLock {
        $0 += 1; return $0 - 1
      }
      return place < frames.count ? frames[place] : nil
    }
    let encoder = FrameEncoder(maximumConcurrentFrames: 2)
    var results: [Data] = []
    for try await jpeg in encoder.encodedFrames(of: source) {
      // Four are under way, and one is read.
      #expect(taken.value <= results.count + 5)
      results.append(jpeg.data)
    }
    let isSame = results == expected
    #expect(isSame)
  }

  @Test("When nobody reads a sequence any more, it takes no more frames")
  func end() async throws {
    let frames = try await Self.frames(1)
    let (source, continuation) = AsyncStream.makeStream(of: VideoFrame.self)
    let isOver = Shared(false)
    continuation.onTermination = { _ in isOver.withLock { $0 = true } }
    let encoder = FrameEncoder()
    continuation.yield(frames[0])
    for try await jpeg in encoder.encodedFrames(of: source) {
      #expect(jpeg.data.count > 0)
      break
    }
    #expect(await eventually { isOver.value })
  }

  @Test("A camera's own JPEGs stay as they are, in their order")
  func ownJPEGs() async throws {
    let rig = try Rig()
    try rig.choose(.mjpeg, .qvga)
    let output = CaptureVideoDataOutput()
    let encoder = FrameEncoder()
    let jpegs = encoder.encodedFrames(of: output.frames)
    let reader = Task {
      var numbers: [Int] = []
      for try await jpeg in jpegs {
        let picture = try PixelBuffer(decoding: jpeg.data)
        #expect(picture.dimensions == jpeg.dimensions)
        numbers.append(jpeg.sequenceNumber)
        if numbers.count == 5 { break }
      }
      return numbers
    }
    try await rig.start(output)
    let numbers = try await reader.value
    #expect(numbers.count == 5 && numbers == Set(numbers).sorted())
  }
}
