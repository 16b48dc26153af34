import CViewfinder
import FaultInjection
import Foundation
import Testing

/// The one table of layouts, and that whoever handles frames goes by it.
@Suite("The table of layouts") struct LayoutTableTests {
  /// All rows: V4L2's code, bits a pixel, planes, subsampling.
  static let readable: [(code: String, bits: UInt32, planes: UInt32, shifts: [UInt32])] = [
    ("YUYV", 16, 1, [1, 0]), ("UYVY", 16, 1, [1, 0]), ("422P", 16, 3, [1, 0]),
    ("NV12", 12, 2, [1, 1]), ("NV21", 12, 2, [1, 1]), ("YU12", 12, 3, [1, 1]),
    ("YV12", 12, 3, [1, 1]), ("444P", 24, 3, [0, 0]), ("440P", 16, 3, [0, 1]),
    ("411P", 12, 3, [2, 0]), ("RGB3", 24, 1, [0, 0]), ("BGR3", 24, 1, [0, 0]),
    ("XR24", 32, 1, [0, 0]), ("XB24", 32, 1, [0, 0]), ("AR24", 32, 1, [0, 0]),
    ("AB24", 32, 1, [0, 0]), ("MJPG", 4, 0, [0, 0]), ("JPEG", 4, 0, [0, 0]),
    ("GREY", 8, 1, [0, 0]),
  ]
  static let unread = [
    "NV16", "NM16", "YM16", "BX24", "BA24", "RX24", "RA24", "RGB4", "BGR4", "RGBP", "RGBR", "RGBO",
  ]

  static var rows: [vf_layout] { (0..<100).compactMap { vf_layout_at($0)?.pointee } }
  /// Those whose frames have samples.
  static var raw: [Layout] {
    rows.filter { $0.is_readable == 1 && $0.arrangement != VF_ARRANGEMENT_JPEG }
      .map { Layout($0.fourcc) }
  }

  @Test("Each format has one row, those that are read first")
  func order() {
    #expect(Self.rows.map { text($0.fourcc) } == Self.readable.map(\.code) + Self.unread)
    #expect(Set(Self.rows.map { String(cString: $0.name) }).count == Self.rows.count)
    for (index, (row, expected)) in zip(Self.rows, Self.readable).enumerated() {
      var row = row
      #expect(row.is_readable == 1 && vf_layout_rank(row.fourcc) == index)
      #expect(vf_layout_bits_per_pixel(&row) == expected.bits, "\(expected.code)")
      #expect(row.plane_count == expected.planes, "\(expected.code)")
      #expect([row.chroma_shift_x, row.chroma_shift_y] == expected.shifts, "\(expected.code)")
    }
    for code in Self.unread {
      #expect(vf_layout_lookup(fourcc(code))?.pointee.is_readable == 0)
      #expect(vf_layout_find(fourcc(code)) == nil && vf_layout_rank(fourcc(code)) == -1)
    }
    #expect(vf_layout_lookup(fourcc("H264")) == nil && vf_layout_rank(fourcc("H264")) == -1)
  }

  @Test("Pictures of every layout that has samples can be made, viewed, converted and encoded")
  func pictures() throws {
    #expect(Set(Self.raw.map(\.fourcc)) == Set(Layout.all.map(\.fourcc)))
    let jpeg = try JPEGEncoder()
    for layout in Self.raw {
      var row = vf_layout_find(layout.fourcc)!.pointee
      let bits = Int(vf_layout_bits_per_pixel(&row))
      #expect(vf_image_size(layout.fourcc, 64, 48, 0) == 64 * 48 * bits / 8, "\(layout)")
      let picture = try CodecPicture.scene(layout.fourcc, 64, 48)
      #expect(try !jpeg.encode(picture).isEmpty)
      #expect(try !PNGTests.encode(picture).isEmpty)
    }
    for code in Self.unread + ["MJPG", "JPEG"] {
      #expect(vf_image_size(fourcc(code), 64, 48, 0) == 0)
    }
  }

  @Test("What is equally good goes by the order of the table, and what isn't read is never chosen")
  func choosing() throws {
    let codes = Self.readable.map(\.code)
    for (better, worse) in zip(codes, codes.dropFirst()) {
      let modes = [worse, better].map { mode($0, 640, 480, every: (1, 30)) }
      #expect(try text(choose(modes, wish(640, 480)).fourcc) == better)
    }
    for code in Self.unread {
      let modes = [mode(code, 640, 480, every: (1, 30)), mode("GREY", 320, 240, every: (1, 5))]
      #expect(try text(choose(modes, wish(640, 480, fourcc: fourcc(code))).fourcc) == "GREY")
    }
  }

  @Test("The simulated camera offers formats of the table, in buffers of its sizes")
  func simulator() throws {
    let camera = try SimulatorRig(scene: "steady")
    try camera.open { grabber in
      let codes = Set(try grabber.modes().map(\.fourcc))
      #expect(codes == [VF_YUYV, VF_MJPEG, VF_NV12, VF_GREY])
      for code in codes where code != VF_MJPEG {
        try grabber.start(code, 320, 240)
        let row = vf_layout_find(code)!.pointee
        #expect(grabber.format.stride == 320 * row.bytes_per_pixel)
        #expect(Int(grabber.format.size) == vf_image_size(code, 320, 240, 0))
        grabber.stop()
      }
    }
  }

  @Test("A frame that lacks a byte of its layout is withheld", arguments: raw)
  func shortFrames(layout: Layout) throws {
    let size = UInt32(vf_image_size(layout.fourcc, 320, 240, 0))
    for (used, isWhole) in [(size, true), (size - 1, false)] {
      try SimulatedCamera().use { camera in
        let tampered = TamperedSystem(camera.system, path: camera.path)
        // VIDIOC_G_FMT and VIDIOC_S_FMT: a smaller picture of this layout in a buffer with room.
        tampered.after = { call, argument in
          guard let argument else { return }
          switch call {
          case .ioctl(4), .ioctl(5):
            let bytes = vf_layout_find(layout.fourcc)!.pointee.bytes_per_pixel
            for (offset, value) in [(8, 320), (12, 240), (16, layout.fourcc), (24, 320 * bytes)] {
              argument.storeBytes(of: value, toByteOffset: offset, as: UInt32.self)
            }
          case .dequeue:
            argument.storeBytes(
              of: used, toByteOffset: TamperedSystem.Offset.bytesUsed, as: UInt32.self)
          default: break
          }
        }
        let grabber = try TestGrabber(tampered.system, camera.path)
        try grabber.start()
        for _ in 0..<3 {
          if let frame = try? grabber.next(timeout: 200) { vf_frame_release(frame) }
        }
        let statistics = grabber.statistics
        #expect((statistics.delivered > 0) == isWhole)
        #expect((statistics.corrupt > 0) == !isWhole)
      }
    }
  }
}
