import CViewfinder
import Foundation
import Testing

@Suite("JPEG inspection and rewriting") struct JPEGInspectTests {
  /// A frame as cameras send it: 4:2:2, 5 × 4 MCUs, an interval of a row.
  static func frame(restartsPerRow: UInt8 = 1) throws -> [UInt8] {
    try JPEGEncoder().encode(
      CodecPicture.scene(VF_YUYV, 80, 32), quality: 75, restartsPerRow: restartsPerRow)
  }

  @Test(
    "The markers tell size and sampling",
    arguments: [
      (VF_GREY, 1, 1), (VF_I420, 2, 2), (VF_I422, 2, 1), (VF_I440, 1, 2), (VF_I411, 4, 1),
      (VF_I444, 1, 1),
    ] as [(UInt32, UInt8, UInt8)],
    [1, 50, 100] as [UInt8])
  func facts(layout: (UInt32, UInt8, UInt8), quality: UInt8) throws {
    let bytes = try JPEGEncoder().encode(CodecPicture.scene(layout.0, 99, 35), quality: quality)
    let (damage, info) = JPEG.inspect(bytes)
    #expect(damage == nil)
    #expect(info.width == 99 && info.height == 35)
    #expect(info.components == (layout.0 == VF_GREY ? 1 : 3))
    #expect(info.horizontal_sampling == layout.1 && info.vertical_sampling == layout.2)
    #expect(info.process == 0xC0)
    #expect(info.has_huffman_tables == 1 && info.has_end == 1)
    #expect(info.length == bytes.count)
  }

  @Test("Padding after the end is left out of the length")
  func padding() throws {
    let bytes = try Self.frame()
    let (damage, info) = JPEG.inspect(bytes + Array(repeating: 0, count: 500))
    #expect(damage == nil)
    #expect(info.length == bytes.count)
  }

  @Test("A marker amid a scan is found wherever it is, in or between blocks")
  func strayMarkers() throws {
    let bytes = try JPEGEncoder().encode(
      CodecPicture.scene(VF_YUYV, 160, 120), quality: 90, restartsPerRow: 0)
    let (_, info) = JPEG.inspect(bytes)
    let start = info.scan_offset + 14
    try #require(bytes.count > start + 1100)
    for offset in [start..<start + 530, bytes.count - 530..<bytes.count - 3].joined() {
      var damaged = bytes
      damaged.replaceSubrange(offset..<offset + 2, with: [0xFF, 0x01])
      #expect(JPEG.inspect(damaged).damage != nil, "at \(offset)")
    }
  }

  @Test("A picture that is cut anywhere is damaged, and says so")
  func cut() throws {
    let bytes = try Self.frame()
    for restartsPerRow in [0, 1, 12] as [UInt8] {
      let bytes = try Self.frame(restartsPerRow: restartsPerRow)
      for count in 0..<(bytes.count - 2) {
        #expect(JPEG.inspect(Array(bytes[..<count])).damage != nil, "\(count) of \(bytes.count)")
      }
    }
    let (damage, info) = JPEG.inspect(bytes.dropLast(3) + [])
    #expect(damage?.hasSuffix("the scan is cut short") == true)
    #expect(info.width == 80 && info.has_end == 0 && info.length == bytes.count - 3)
  }

  @Test(
    "A missing end is no damage, whatever stands in its place, and isn't counted",
    arguments: [VF_GREY, VF_I420, VF_I422, VF_I440, VF_I411, VF_I444, VF_RGB24],
    [0, 1, 12] as [UInt8])
  func missingEnd(fourcc: UInt32, restartsPerRow: UInt8) throws {
    let bytes = try JPEGEncoder().encode(
      CodecPicture.scene(fourcc, 99, 35), quality: 75, restartsPerRow: restartsPerRow)
    let whole = bytes.dropLast(2)
    let endings: [[UInt8]] = [
      [], [0xFF], [0xD9], [0xD9, 0], Array(repeating: 0, count: 700), [0xFF, 0xFF, 0xFF],
      Array(repeating: 0x5A, count: 9), bytes,
    ]
    for source in [bytes, JPEG.removing(0xC4, from: bytes)] {
      for ending in endings {
        let (damage, info) = JPEG.inspect(source.dropLast(2) + ending)
        #expect(damage == nil, "\(ending.prefix(4))")
        #expect(info.has_end == 0 && info.length == source.count - 2, "\(ending.prefix(4))")
        let mended = try JPEG.rewrite(source.dropLast(2) + ending)
        #expect(JPEG.scan(mended) == JPEG.scan(bytes))
      }
    }
    #expect(JPEG.inspect(whole.dropLast() + []).damage != nil)
  }

  @Test("Data that are lost or changed within a scan are found by reading its codes")
  func verified() throws {
    let bytes = try Self.frame(restartsPerRow: 0)
    #expect(JPEG.inspect(bytes, readingCodes: true).damage == nil)
    let start = bytes.count - JPEG.entropyData(bytes).count
    var found = 0
    for lost in stride(from: start, to: bytes.count - 42, by: 7) {
      var cut = bytes
      cut.removeSubrange(lost..<(lost + 40))
      #expect(JPEG.inspect(cut).damage == nil, "The markers are all there.")
      if JPEG.inspect(cut, readingCodes: true).damage != nil { found += 1 }
    }
    // Some of what is left happens to be as many blocks.
    #expect(found * 10 > (bytes.count - 42 - start) / 7 * 9, "\(found)")
    // Half of it, with an end: as from a camera that ran out of bandwidth.
    let half = bytes[..<((start + bytes.count) / 2)] + [0xFF, 0xD9]
    #expect(JPEG.inspect(half + []).damage == nil)
    #expect(
      JPEG.inspect(half + [], readingCodes: true).damage?.hasSuffix("the scan is cut short") == true
    )
  }

  @Test("A header that tells another size than the scan has is found by reading the codes")
  func otherSize() throws {
    let bytes = try Self.frame(restartsPerRow: 0)
    let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    for (size, words) in [
      ([0, 24, 0, 80], "more data than the size has"), ([0, 40, 0, 80], "the scan is cut short"),
    ] as [([UInt8], String)] {
      var changed = bytes
      changed.replaceSubrange((frame + 5)..<(frame + 9), with: size)
      #expect(JPEG.inspect(changed).damage == nil)
      #expect(JPEG.inspect(changed, readingCodes: true).damage?.hasSuffix(words) == true)
    }
  }

  @Test("Missing Huffman tables are no damage")
  func missingTables() throws {
    let (damage, info) = JPEG.inspect(JPEG.removing(0xC4, from: try Self.frame()))
    #expect(damage == nil)
    #expect(info.has_huffman_tables == 0)
  }

  @Test("Missing quantization tables are damage")
  func missingQuantization() throws {
    let damage = JPEG.inspect(JPEG.removing(0xDB, from: try Self.frame())).damage
    #expect(damage?.hasSuffix("missing quantization table") == true)
  }

  @Test("A lost restart marker, and one out of order, are damage")
  func restartMarkers() throws {
    let bytes = try Self.frame()
    let first = try #require(
      bytes.indices.dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD2 })
    var swapped = bytes
    swapped[first + 1] = 0xD5
    #expect(JPEG.inspect(swapped).damage?.hasSuffix("restart marker out of order") == true)
    var lost = bytes
    lost.removeSubrange(first..<(first + 2))
    #expect(JPEG.inspect(lost).damage?.hasSuffix("restart markers are missing") == true)
  }

  @Test("Another frame's start in the data is damage")
  func secondStart() throws {
    let bytes = try Self.frame()
    let damage = JPEG.inspect(Array(bytes[..<(bytes.count - 40)]) + bytes).damage
    #expect(damage != nil)
  }

  @Test(
    "Impossible headers are damage",
    arguments: [
      ([0, 0, 0, 80], "impossible width or height"), ([0, 32, 0, 0], "impossible width or height"),
      ([0xFF, 0xFF, 0, 80], "impossible width or height"),
      ([0xFF, 0xDC, 0xFF, 0xDC], "too little data for the size"),
    ] as [([UInt8], String)])
  func impossibleSizes(size: [UInt8], words: String) throws {
    var bytes = try Self.frame(restartsPerRow: 0)
    let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    bytes.replaceSubrange((frame + 5)..<(frame + 9), with: size)
    #expect(JPEG.inspect(bytes).damage?.hasSuffix(words) == true)
  }

  @Test("Rewriting keeps the picture byte for byte", arguments: [0, 1, 12] as [UInt8])
  func keepsPicture(restartsPerRow: UInt8) throws {
    let bytes = try Self.frame(restartsPerRow: restartsPerRow)
    let comment = (marker: UInt8(0xFE), payload: Array("Hello".utf8))
    let result = try JPEG.rewrite(bytes + [0, 0, 0], segments: [comment])
    #expect(JPEG.scan(result) == JPEG.scan(bytes))
    #expect(JPEG.segments(result)[0].marker == 0xFE)
    #expect(JPEG.segments(result)[0].payload == comment.payload)
    #expect(result.count == bytes.count + comment.payload.count + 4)
  }

  @Test("Rewriting adds the Huffman tables and the end that a camera leaves out")
  func completes() throws {
    let bytes = try Self.frame()
    let result = try JPEG.rewrite(JPEG.removing(0xC4, from: bytes).dropLast(2) + [])
    let (damage, info) = JPEG.inspect(result)
    #expect(damage == nil)
    #expect(info.has_huffman_tables == 1 && info.has_end == 1)
    #expect(JPEG.scan(result) == JPEG.scan(bytes))
    let tables = JPEG.segments(result).filter { $0.marker == 0xC4 }.flatMap(\.payload)
    // libjpeg writes each of the same four tables in a segment of its own.
    let own = JPEG.segments(bytes).filter { $0.marker == 0xC4 }.flatMap(\.payload)
    #expect(tables == own)
  }

  @Test("Rewriting takes out AVI1, and replaces Exif but not its neighbours")
  func replaces() throws {
    let bytes = try Self.frame()
    let avi: [UInt8] = [0xFF, 0xE0, 0, 8] + Array("AVI1".utf8) + [0, 0]
    let old = (marker: UInt8(0xE1), payload: Array("Exif\0\0old".utf8))
    let xmp = (marker: UInt8(0xE1), payload: Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8))
    let source = try JPEG.rewrite([0xFF, 0xD8] + avi + bytes.dropFirst(2), segments: [old, xmp])
    #expect(JPEG.segments(source).map(\.marker).prefix(3) == [0xE1, 0xE1, 0xE0])
    let new = (marker: UInt8(0xE1), payload: Array("Exif\0\0new data".utf8))
    let result = try JPEG.rewrite(source, segments: [new])
    let applications = JPEG.segments(result).filter { $0.marker & 0xF0 == 0xE0 }
    #expect(applications.map(\.marker) == [0xE1, 0xE1, 0xE0])
    #expect(applications[0].payload == new.payload && applications[1].payload == xmp.payload)
    #expect(applications[2].payload.starts(with: Array("JFIF".utf8)))
    let info = JPEG.inspect(result).info
    #expect(info.exif_length == 8)
    #expect(Array(result[info.exif_offset..<(info.exif_offset + 8)]) == Array("new data".utf8))
  }

  @Test("What is told of another picture is refused")
  func infoOfAnotherPicture() throws {
    let bytes = try Self.frame()
    var info = JPEG.inspect(bytes).info
    var (buffer, failure) = (vf_buffer(), vf_failure())
    #expect(vf_jpeg_rewrite(bytes, bytes.count - 1, &info, nil, 0, &buffer, &failure) == -EINVAL)
    info = vf_jpeg_info()
    #expect(vf_jpeg_rewrite(bytes, bytes.count, &info, nil, 0, &buffer, &failure) == -EBADMSG)
    #expect(buffer.bytes == nil)
  }

  @Test("Segments that are no metadata or too long are refused")
  func invalidSegments() throws {
    let bytes = try Self.frame()
    #expect(failureCode { _ = try JPEG.rewrite(bytes, segments: [(0xC4, [0])]) } == EINVAL)
    let long = Array(repeating: UInt8(0), count: 65534)
    #expect(failureCode { _ = try JPEG.rewrite(bytes, segments: [(0xFE, long)]) } == EINVAL)
    #expect(
      failureCode { _ = try JPEG.rewrite(bytes, segments: [(0xFE, long.dropLast() + [])]) } == 0)
    #expect(failureCode { _ = try JPEG.rewrite([1, 2, 3]) } == EBADMSG)
  }
}
