import Foundation
import Testing
import Viewfinder

@Suite struct StreamCommandTests {
  @Test("Motion-JPEG is whole pictures, as many as asked for", arguments: ["YUYV", "MJPG"])
  func motionJPEG(format: String) async throws {
    let run = try await tool(
      ["stream", "--simulate=steady", "--size", "320x240", "--format", format, "--count", "5"],
      in: Folder())
    #expect(run.status == 0)
    let frames = Self.split(run.output)
    #expect(frames.count == 5)
    for frame in frames {
      #expect(try PixelBuffer(decoding: frame).dimensions == Dimensions(width: 320, height: 240))
      #expect(frame.suffix(2) == Data([0xff, 0xd9]))
    }
  }

  /// The pictures of a Motion-JPEG stream, by their first bytes.
  ///
  /// These don't occur within a picture without a thumbnail.
  private static func split(_ data: Data) -> [Data] {
    let start = Data([0xff, 0xd8, 0xff])
    var frames: [Data] = []
    var rest = data
    while let next = rest.dropFirst().range(of: start) {
      frames.append(Data(rest[..<next.lowerBound]))
      rest = rest[next.lowerBound...]
    }
    return frames + (rest.isEmpty ? [] : [Data(rest)])
  }

  @Test("Y4M has the size and the rate in its header, and whole frames")
  func y4m() async throws {
    let run = try await tool(
      ["stream", "--simulate=steady", "--size", "320x240", "--rate", "15", "--count", "4"]
        + ["--type", "y4m"], in: Folder())
    #expect(run.status == 0)
    let end = try #require(run.output.firstIndex(of: 0x0a))
    let header = String(decoding: run.output[..<end], as: UTF8.self)
    #expect(header.hasPrefix("YUV4MPEG2 W320 H240 F15:1 "))
    #expect(header.contains(" C420jpeg"))
    let frame = Data("FRAME\n".utf8)
    let size = frame.count + 320 * 240 * 3 / 2
    #expect(run.output.count == end + 1 + 4 * size)
    for number in 0..<4 {
      #expect(run.output.dropFirst(end + 1 + number * size).starts(with: frame))
    }
  }

  @Test("A stream is turned as asked for")
  func orientation() async throws {
    let run = try await tool(
      ["stream", "--simulate=steady", "--size", "320x240", "--orientation", "right"]
        + ["--count", "1"], in: Folder())
    #expect(
      try PixelBuffer(decoding: run.output).dimensions == Dimensions(width: 240, height: 320))
  }

  @Test("A reader that goes away ends the stream quietly")
  func closedPipe() async throws {
    let pipe = Pipe()
    let reader = pipe.fileHandleForReading
    var count = 0
    let run = try await tool(
      ["stream", "--simulate=steady", "--size", "320x240"], in: Folder(),
      output: pipe.fileHandleForWriting
    ) { _ in
      guard count < 3 else { return }
      // The tool has its own copy of the writing end by now.
      if count == 0 { try? pipe.fileHandleForWriting.close() }
      count += 1
      _ = try? reader.read(upToCount: 1000)
      if count == 3 { try? reader.close() }
    }
    #expect(run.status == 0)
    #expect(!run.errors.contains("can't be written"))
  }

  @Test("A full disk ends the stream with 74")
  func fullDisk() async throws {
    let full = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full"))
    let run = try await tool(
      ["stream", "--simulate=steady", "--size", "320x240"], in: Folder(), output: full)
    #expect(run.status == 74)
    #expect(run.errors.contains("No space"))
  }

  @Test("A signal ends a stream", arguments: [SIGINT, SIGTERM])
  func signal(number: Int32) async throws {
    let null = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/null"))
    var calls = 0
    let run = try await tool(
      ["stream", "--simulate=steady", "--size", "320x240"], in: Folder(), output: null
    ) { process in
      calls += 1
      if calls == 100 { kill(process.processIdentifier, number) }
    }
    #expect(run.status == 128 + number)
  }

  @Test("A camera that stays away ends the stream with 69")
  func unplugged() async throws {
    let run = try await tool(
      ["stream", "--simulate=steady", "--size", "320x240", "--faults", "unplug@3", "--wait", "0"],
      in: Folder())
    #expect(run.status == 69)
    #expect(run.errors.contains("disconnected"))
  }

  @Test("A camera that comes back goes on with the stream")
  func replugged() async throws {
    let run = try await tool(
      ["stream", "--simulate=steady", "--size", "320x240", "--faults", "unplug@3:0.2"]
        + ["--count", "10", "--wait", "600"], in: Folder())
    #expect(run.status == 0)
    #expect(run.errors.contains("delivers again"))
    #expect(Self.split(run.output).count == 10)
  }

  @Test("Frames don't go to a terminal", arguments: ["stream", "photo"])
  func terminal(command: String) async throws {
    // A pseudo-terminal; Glibc's module lacks posix_openpt and TIOCSPTLCK, TIOCGPTN.
    let main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (isLocked, number) = (Int32(0), UInt32(0))
    try #require(main >= 0)
    try #require(ioctl(main, 0x4004_5431, &isLocked) == 0)
    try #require(ioctl(main, 0x8004_5430, &number) == 0)
    let terminal = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/pts/\(number)"))
    let arguments = command == "photo" ? ["-o", "-"] : []
    let run = try await tool(
      [command, "--simulate"] + arguments, in: Folder(), output: terminal)
    #expect(run.status == 64)
    #expect(run.errors.contains("screen"))
    close(main)
  }
}
