import CViewfinder
import Foundation
import Testing

@Suite("Simulated camera: replays")
struct SimulatorReplayTests {
  /// A Y4M file of grey frames.
  static func y4m(_ header: String, chroma: Int, luma: [UInt8]) -> [UInt8] {
    var bytes = Array("YUV4MPEG2 \(header)\n".utf8)
    for level in luma {
      bytes += Array("FRAME Ip\n".utf8)
      bytes += Array(repeating: level, count: 64 * 48) + Array(repeating: 128, count: chroma)
    }
    return bytes
  }

  @Test("A folder plays its pictures by name, with the very bytes, and starts over")
  func folder() throws {
    let folder = try SimulatorFolder()
    let pictures = try [40, 120, 200].map { try simulatorPicture(160, 120, grey: $0) }
    for (i, name) in ["b.jpg", "a", "c.JPEG"].enumerated() { try folder.write(name, pictures[i]) }
    try folder.write("d.jpg", simulatorPicture(80, 60, grey: 0))
    try folder.write("notes.txt", Array("no picture".utf8))
    try folder.write(".hidden.jpg", pictures[0])
    let rig = try SimulatorRig(replay: folder.path)
    try rig.open { grabber in
      #expect(Set(try grabber.modes().map(\.min_width)) == [160])
      try grabber.start(VF_MJPEG)
      #expect(grabber.format.width == 160 && grabber.format.height == 120)
      let order = [1, 0, 2, 1, 0, 2, 1]
      for i in order { #expect(try grabber.picture().bytes == pictures[i]) }
    }
    #expect(rig.leaks == [0, 0])
  }

  @Test(
    "Pictures come in raw formats too", arguments: [VF_YUYV, VF_NV12, VF_GREY], [false, true])
  func raw(fourcc: UInt32, png: Bool) throws {
    let folder = try SimulatorFolder()
    try folder.write("1", simulatorPicture(161, 121, grey: 40, png: png))
    try folder.write("2", simulatorPicture(161, 121, grey: 200, png: png))
    try SimulatorRig(replay: folder.path).open { grabber in
      try grabber.start(fourcc)
      #expect(grabber.format.width == 160 && grabber.format.height == 120)
      for level in [40.0, 200, 40, 200] {
        #expect(abs(try grabber.picture().brightness - level) < 2)
      }
    }
  }

  @Test("A PNG becomes Motion-JPEG")
  func png() throws {
    let folder = try SimulatorFolder()
    let file = try folder.write("x.png", simulatorPicture(161, 121, grey: 77, png: true))
    try SimulatorRig(replay: file).open { grabber in
      try grabber.start(VF_MJPEG)
      let picture = try grabber.picture()
      #expect(picture.width == 161 && picture.height == 121)
      #expect(abs(picture.brightness - 77) < 2)
    }
  }

  @Test("A single large picture works, and brightness applies to it")
  func large() throws {
    let folder = try SimulatorFolder()
    let bytes = try simulatorPicture(4000, 3000, grey: 100)
    let file = try folder.write("x.jpg", bytes)
    try SimulatorRig(replay: file).open { grabber in
      try grabber.start(VF_MJPEG)
      #expect(grabber.format.width == 4000 && grabber.format.height == 3000)
      for _ in 0..<6 { #expect(try grabber.next { $0.counts.0 } == bytes.count) }
      grabber.stop()
      try grabber.start(VF_GREY)
      #expect(try grabber.next { $0.planes.0![5_000_000] } == 100)
      try grabber.set(.brightness, 30)
      #expect(try grabber.next { $0.planes.0![5_000_000] } == 130)
    }
  }

  @Test("A Motion-JPEG file is cut into its pictures, padding and damage included")
  func mjpeg() throws {
    let folder = try SimulatorFolder()
    let pictures = try [40, 120, 200].map { try simulatorPicture(160, 120, grey: $0) }
    let cut = Array(pictures[1].dropLast(40))
    let padded = pictures[0] + [0, 0, 0, 0xFF] + cut + pictures[2] + [0, 0]
    let file = try folder.write("x.mjpeg", padded)
    try SimulatorRig(replay: file, rate: 12.5).open { grabber in
      try grabber.start(VF_MJPEG)
      #expect(grabber.format.interval.denominator == 25 && grabber.format.interval.numerator == 2)
      for expected in [pictures[0], cut, pictures[2], pictures[0]] {
        let bytes = try grabber.next {
          Array(UnsafeBufferPointer(start: $0.planes.0, count: $0.counts.0))
        }
        #expect(bytes == expected)
      }
    }
  }

  @Test(
    "Y4M files play in all their layouts",
    arguments: [
      ("W64 H48 F25:1 C420jpeg", 64 * 24, false), ("W64 H48 F25:1", 64 * 24, false),
      ("W64 H48 F25:1 Ip A1:1 C422 XCOLORRANGE=FULL", 64 * 48, true),
      ("H48 W64 F25:1 C444 XCOLORRANGE=LIMITED", 64 * 48 * 2, false),
      ("W64 H48 F25:1 Cmono XCOLORRANGE=FULL", 0, true),
    ])
  func y4m(header: String, chroma: Int, full: Bool) throws {
    let folder = try SimulatorFolder()
    let file = try folder.write("x.y4m", Self.y4m(header, chroma: chroma, luma: [50, 150]))
    try SimulatorRig(replay: file).open { grabber in
      try grabber.start(VF_YUYV)
      #expect(grabber.format.interval.denominator == 25)
      for level in [50.0, 150, 50] {
        let expected = full ? level : (level - 16) * 255 / 219
        #expect(abs(try grabber.picture().brightness - expected) < 1.5)
      }
    }
  }

  @Test("A replay that plays once falls silent at its end")
  func once() throws {
    let folder = try SimulatorFolder()
    try folder.write("1.jpg", simulatorPicture(160, 120, grey: 1))
    try folder.write("2.jpg", simulatorPicture(160, 120, grey: 2))
    try SimulatorRig(replay: folder.path, once: true).open { grabber in
      try grabber.start(VF_MJPEG)
      for _ in 0..<2 { _ = try grabber.picture() }
      var frame: UnsafeMutablePointer<vf_frame>?
      var failure = vf_failure()
      #expect(vf_grabber_next(grabber.handle, 50, &frame, &failure) == 0)
      grabber.stop()
      try grabber.start(VF_MJPEG)
      #expect(try grabber.picture().sequence == 0)
    }
  }

  @Test("A replay that isn't there is refused")
  func missing() {
    #expect(SimulatorRig.refusal(replay: "/nowhere/at all").code == ENOENT)
  }

  @Test("An empty folder, and one without pictures, are refused")
  func empty() throws {
    let folder = try SimulatorFolder()
    #expect(SimulatorRig.refusal(replay: folder.path).code == EBADMSG)
    try folder.write("x", [1, 2, 3])
    #expect(SimulatorRig.refusal(replay: folder.path).code == EBADMSG)
  }

  @Test(
    "Files that are no replay are refused",
    arguments: [
      ("x.jpg", Array("hello".utf8)), ("x.jpg", []), ("x.mjpeg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 3]),
      ("x.mjpeg", Array(repeating: 0xFF, count: 5000)), ("x.y4m", Array("YUV4MPEG2 ".utf8)),
      ("x.y4m", Array("YUV4MPEG2 W64 H48 F25:1\n".utf8)),
      ("x.y4m", Array("YUV4MPEG2 W0 H48 F25:1\nFRAME\n".utf8)),
      ("x.y4m", Array("YUV4MPEG2 W99999999999999 H48\nFRAME\n".utf8)),
      ("x.y4m", Array("YUV4MPEG2 W60000 H3000 F0:0\nFRAME\nabc".utf8)),
      ("x.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    ])
  func hostile(name: String, bytes: [UInt8]) throws {
    let folder = try SimulatorFolder()
    #expect(SimulatorRig.refusal(replay: try folder.write(name, bytes)).code == EBADMSG)
  }

  @Test("A Y4M layout that isn't known is refused by name")
  func unknownChroma() throws {
    let folder = try SimulatorFolder()
    let file = try folder.write("x.y4m", Array("YUV4MPEG2 W64 H48 C420p10\nFRAME\n".utf8))
    let (code, words) = SimulatorRig.refusal(replay: file)
    #expect(code == ENOTSUP && words.contains("420p10"))
  }
}
