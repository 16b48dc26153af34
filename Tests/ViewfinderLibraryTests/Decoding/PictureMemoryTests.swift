import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// The memory that large pictures and bombs take, measured in a process of its own.
@Suite(.serialized) struct PictureMemoryTests {
  /// What any one picture may take, in KiB.
  private static let limit = 300 << 10

  /// What the worker answers to `commands` about one picture, and how much its memory grew at most.
  private func measure(_ name: FilePath, _ commands: [String], write: (FilePath) throws -> Void)
    throws -> (answers: [String], growth: Int)
  {
    let folder = try ScratchFolder()
    let pictures = folder.path.appending("Pictures")
    try pictures.makeFolder()
    try write(pictures.appending(name))
    pictures.appending(name).setModified(1_600_000_000, nanoseconds: 0)
    let lines = ["open", "update", "peak"] + commands.map { $0 + " \(name)" } + ["peak"]
    let text = try output(
      WorkerProcess.program.path, [folder.path.description, "answer", "0", "0"],
      input: Data((lines.joined(separator: "\n") + "\n").utf8))
    let answers = text.split(separator: "\n").map(String.init)
    try #require(answers.count == lines.count + 1, "\(answers)")
    let peaks = answers.filter { $0.hasPrefix("peak ") }.compactMap { Int($0.dropFirst(5)) }
    try #require(peaks.count == 2)
    return (Array(answers[4..<answers.count - 1]), peaks[1] - peaks[0])
  }

  @Test(
    "A large PNG takes bounded memory for a thumbnail, a screen and verification",
    arguments: [(8000, 6250, false), (14_000, 14_000, true)])
  func png(width: Int, height: Int, hasAlpha: Bool) throws {
    let (answers, growth) = try measure("a.png", ["thumbnail", "fit", "verify"]) { path in
      try BlackPNG.file(width: width, height: height, hasAlpha: hasAlpha).write(to: path.url)
    }
    let fitted = Dimensions(width: width, height: height)
    let shown = [256, 2000].map { fitted.fitted(into: Dimensions(width: $0, height: $0)) }
    #expect(answers == shown.map { "shows \($0)" } + ["verified []"])
    #expect(growth < Self.limit)
  }

  @Test(
    "A large PNG is cropped in bounded memory, and one whose part is too large is refused",
    arguments: [(8000, 6250, false), (14_000, 14_000, true)])
  func croppedPNG(width: Int, height: Int, hasAlpha: Bool) throws {
    let (answers, growth) = try measure("a.png", ["crop"]) { path in
      try BlackPNG.file(width: width, height: height, hasAlpha: hasAlpha).write(to: path.url)
    }
    let words = hasAlpha ? "11200 x 11200 pixels at once; make it smaller" : "cropped 6400x5000"
    #expect(answers.count == 1 && answers[0].contains(words), "\(answers)")
    #expect(growth < Self.limit)
  }

  @Test("A progressive JPEG of 100 megapixels is shown, whole and cropped in bounded memory")
  func progressiveJPEG() throws {
    let (answers, growth) = try measure("a.jpg", ["thumbnail", "fit", "verify", "crop"]) { path in
      try ProgressiveJPEG.file(width: 12_000, height: 8400).write(to: path.url)
    }
    #expect(
      answers == ["shows 256x179", "shows 2000x1400", "verified []", "cropped 9600x6720"])
    #expect(growth < Self.limit)
  }

  @Test("A large TIFF in one strip takes bounded memory")
  func tiff() throws {
    let (answers, growth) = try measure("a.tif", ["thumbnail", "fit", "verify"]) { path in
      let (width, height) = (12_000, 8400)
      let header = TIFFBuilder.file([
        [
          256: .long(width), 257: .long(height), 258: .short([8, 8, 8]), 259: .short(1),
          262: .short(2), 273: .long(1024), 277: .short(3), 278: .long(height),
          279: .long(width * height * 3),
        ]
      ])
      try Data(header).write(to: path.url)
      // The pixels are a hole in the file.
      _ = unsafe path.withCString { unsafe truncate($0, 1024 + width * height * 3) }
    }
    #expect(answers == ["shows 256x179", "shows 2000x1400", "verified []"])
    #expect(growth < Self.limit)
  }

  #if WebP
    @Test(
      "A large WebP takes bounded memory",
      .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/cwebp"), "needs cwebp"),
      arguments: [["-m", "0"], ["-lossless", "-z", "0"]])
    func webP(options: [String]) throws {
      let (answers, growth) = try measure("a.webp", ["thumbnail", "fit", "verify"]) { path in
        let folder = try ScratchFolder()
        let source = folder.path.appending("source.png")
        try BlackPNG.file(width: 7000, height: 7000).write(to: source.url)
        _ = try output(
          "/usr/bin/cwebp", ["-quiet"] + options + [source.description, "-o", path.description])
      }
      #expect(answers == ["shows 256x256", "shows 2000x2000", "verified []"])
      #expect(growth < Self.limit)
    }
  #endif
}

/// Progressive JPEG files of any size, each block of which has coefficients to be held.
enum ProgressiveJPEG {
  static func file(width: Int, height: Int) -> Data {
    let components: [UInt8] = [1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
    var file: [UInt8] = [0xff, 0xd8]
    func segment(_ marker: UInt8, _ payload: [UInt8]) {
      file += [0xff, marker] + big(payload.count + 2, 2) + payload
    }
    func lengths(_ counts: [Int: UInt8]) -> [UInt8] { (1...16).map { counts[$0] ?? 0 } }
    segment(0xdb, [0] + [UInt8](repeating: 8, count: 64))
    let size: [UInt8] = big(height, 2) + big(width, 2)
    segment(0xc2, [8] + size + [3] + components)
    // One code of a bit for "as bright as before"; one for a coefficient of 1 or -1, and "10" for
    // the end of a block.
    let (brightness, details): ([UInt8], [UInt8]) = (lengths([1: 1]), lengths([1: 1, 2: 1]))
    segment(0xc4, [0x00] + brightness + [0])
    segment(0xc4, [0x10] + details + [0x01, 0x00])
    let blocks = (width + 7) / 8 * ((height + 7) / 8)
    segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 0, 0])
    var data = Data(file)
    data += Data(repeating: 0, count: (3 * blocks + 7) / 8)
    for component in 1...3 {
      let scan: [UInt8] = [0xff, 0xda, 0, 8, 1, UInt8(component), 0, 1, 63, 0]
      data += Data(scan)
      // Eleven coefficients and the end.
      let block: [UInt8] = [0, 0, 2]
      data += Data([[UInt8]](repeating: block, count: blocks).joined())
    }
    return data + Data([0xff, 0xd9])
  }
}
