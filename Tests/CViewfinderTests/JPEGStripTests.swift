import CViewfinder
import Foundation
import Testing

@Suite("JPEG strips") struct JPEGStripTests {
  /// The strips of a picture, and their sizes.
  private func cut(
    _ picture: CodecPicture, _ options: inout vf_encode_options, into count: Int
  ) -> [vf_image] {
    [vf_image](unsafeUninitializedCapacity: count) { strips, made in
      made = vf_encode_strips(&picture.image, &options, count, strips.baseAddress!)
    }
  }

  private func join(_ strips: [[UInt8]]) throws -> [UInt8] {
    var buffers = strips.map { vf_buffer(copying: $0) }
    defer { for index in buffers.indices { vf_buffer_free(&buffers[index]) } }
    let others = Array(buffers.dropFirst())
    do {
      try attempt { vf_jpeg_join(&buffers[0], others, others.count, &$0) }
    } catch {
      #expect(collect(&buffers[0]) == strips[0], "it is as it was")
      throw error
    }
    return collect(&buffers[0])
  }

  @Test("Strips joined are the whole picture, byte for byte", arguments: [12, 5, 1] as [UInt8])
  func joined(restartsPerRow: UInt8) throws {
    // 80, 160 or 40 MCUs across, and no whole number of them; restarts for which 1, 2 or 8 rows make
    // a turn of markers.
    let scene = try CodecPicture.scene(VF_RGB24, 1279, 1242)
    let whole = try JPEGEncoder()
    for fourcc in codecLayouts {
      let picture = try scene.converted(to: fourcc)
      for limitedRange in [0, 1] as [UInt8] {
        picture.image.limited_range = limitedRange
        var options = vf_encode_options()
        options.quality = 85
        options.restarts_per_row = restartsPerRow
        let expected = try whole.encode(&picture.image, &options)
        for count in 2...3 {
          let strips = try cut(picture, &options, into: count).map { strip in
            var strip = strip
            return try JPEGEncoder().encode(&strip, &options)
          }
          #expect(strips.count == count, "layout \(fourcc)")
          let isSame = try join(strips) == expected
          #expect(isSame, "layout \(fourcc), \(count) strips")
        }
      }
    }
  }

  @Test("The metadata of the first strip are the picture's")
  func metadata() throws {
    let picture = try CodecPicture.scene(VF_GREY, 1100, 1000)
    let encoder = try JPEGEncoder()
    let expected = try encoder.encode(
      picture, restartsPerRow: 12, dotsPerInch: 300, segments: [(0xFE, [1, 2, 3])])
    try JPEG.withSegments([(0xFE, [1, 2, 3])]) { segments in
      var options = vf_encode_options()
      (options.quality, options.restarts_per_row, options.dots_per_inch) = (90, 12, 300)
      var strips = cut(picture, &options, into: 2)
      let second = try encoder.encode(&strips[1], &options)
      (options.segments, options.segment_count) = (segments.baseAddress, segments.count)
      let isSame = try join([encoder.encode(&strips[0], &options), second]) == expected
      #expect(isSame)
    }
  }

  @Test("A picture is only cut where strips can be joined and are worth another core")
  func wholePictures() throws {
    let large = try CodecPicture(VF_I420, 1280, 1024)
    var options = vf_encode_options()
    (options.quality, options.restarts_per_row) = (90, 12)
    #expect(cut(large, &options, into: 4).count == 2, "half a million pixels each")
    #expect(cut(large, &options, into: 1).count == 1, "as many as wanted")
    #expect(try cut(CodecPicture(VF_I420, 1280, 800), &options, into: 4).count == 1, "small")
    #expect(try cut(CodecPicture(VF_I420, 65_280, 64), &options, into: 4).count == 2, "low")
    #expect(
      try cut(CodecPicture(VF_I420, 65_280, 32), &options, into: 4).count == 1,
      "no more rows than one turn of markers")
    options.subsampling = 444
    #expect(cut(large, &options, into: 4).count == 1, "finer chroma")
    options.subsampling = 0
    options.restarts_per_row = 0
    #expect(cut(large, &options, into: 4).count == 1, "no markers")
    options.restarts_per_row = 12
    options.quality = 0
    #expect(cut(large, &options, into: 4).count == 1, "the encoder will tell what is wrong")
  }

  @Test("Joining what are no strips is an error, and the first stays as it is")
  func refused() throws {
    let strip = try JPEGEncoder().encode(CodecPicture.scene(VF_GREY, 64, 64), restartsPerRow: 1)
    let noScan = Array(strip.prefix(100))
    for strips in [
      [strip, []], [strip, noScan], [noScan, strip], [[0xFF], strip],
      [strip, strip, [0xFF, 0xD8]],
      [strip, Array(strip.prefix { $0 != 0xDA }) + [0xDA, 0, 2]],
      Array(repeating: strip, count: 1024),
    ] {
      #expect(failureCode { _ = try join(strips) } == EINVAL)
    }
    let isSame = try join([strip]) == strip
    #expect(isSame)
  }
}

extension vf_buffer {
  fileprivate init(copying bytes: [UInt8]) {
    let memory = malloc(max(bytes.count, 1))!
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    self.init(bytes: memory.assumingMemoryBound(to: UInt8.self), count: bytes.count)
  }
}
