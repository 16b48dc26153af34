import CViewfinder
import FaultInjection
import Foundation
import Testing

@testable import Viewfinder

/// Cameras that send JPEGs of another size than their drivers agreed on.
@Suite struct FrameSizeTests {
  static let sent = Dimensions(width: 400, height: 200)

  /// A JPEG with a white left half.
  static func picture(_ size: Dimensions = sent) throws -> [UInt8] {
    let rows = (0..<size.height).flatMap { _ in
      (0..<size.width).map { $0 < size.width / 2 ? UInt8(250) : 10 }
    }
    let buffer = try PixelBuffer(pixelFormat: .grey, dimensions: size, data: Data(rows))
    return [UInt8](try buffer.jpegData())
  }

  /// Streams 320 × 240 in name, and `pictures` in turn instead.
  private func withCamera(
    sending pictures: [[UInt8]],
    _ body: (borrowing TamperedRig, CaptureVideoDataOutput, CapturePhotoOutput) async throws -> Void
  ) async throws {
    let rig = try TamperedRig()
    let tamperer = FrameTamperer { number, frame in
      frame.payload = pictures[number % pictures.count]
      return true
    }
    tamperer.attach(to: rig.calls)
    let format = try rig.device.bestFormat(.mjpeg, dimensions: .qvga)
    try rig.device.configure { device throws(CaptureError) in try device.setActiveFormat(format) }
    let (video, photos) = (CaptureVideoDataOutput(), CapturePhotoOutput())
    try await rig.start(video, photos)
    try await body(rig, video, photos)
    await rig.session.stopRunning()
  }

  @Test("The true size is told by frames, the session, photos, their settings and their Exif data")
  func trueSize() async throws {
    try await withCamera(sending: [Self.picture()]) { rig, video, photos in
      var frames = video.frames.makeAsyncIterator()
      let frame = try #require(await frames.next())
      #expect(frame.format.dimensions == Self.sent && frame.format.pixelFormat == .mjpeg)
      #expect(try frame.pixelBuffer().dimensions == Self.sent)
      #expect(rig.session.activeVideoFormat?.dimensions == Self.sent)

      let whole = try await photos.capturePhoto(with: .make { $0.waitsForExposure = false })
      #expect(whole.dimensions == Self.sent)
      #expect(whole.resolvedSettings.captureDimensions == Self.sent)
      #expect(whole.resolvedSettings.photoDimensions == Self.sent)
      #expect(try whole.pixelBuffer().dimensions == Self.sent)
      let exif = try whole.exifSize()
      #expect(exif == Self.sent)

      // The white half, which is another quarter of 320 × 240.
      let half = try await photos.capturePhoto(
        with: .make {
          $0.waitsForExposure = false
          $0.outline = .rectangle(CGRect(x: 0, y: 0, width: 0.48, height: 1))
        })
      #expect(half.dimensions == Dimensions(width: 192, height: 200))
      #expect(try half.exifSize() == half.dimensions)
      let luma = try half.pixelBuffer().luminance(fitting: .qvga).mean
      #expect(luma > 240)
      #expect(rig.session.statistics.corruptFrames == 0)
    }
  }

  @Test("Sizes that change from frame to frame are told by each, and a lying header isn't believed")
  func changingSizes() async throws {
    let (large, small) = (Self.sent, Dimensions(width: 64, height: 48))
    var lying = try Self.picture(small)
    let header = try #require(
      lying.indices.dropLast().first { lying[$0] == 0xFF && lying[$0 + 1] == 0xC0 })
    // 64 × 40.
    lying[header + 6] = 40
    let pictures = [try Self.picture(large), try Self.picture(small), lying]
    try await withCamera(sending: pictures) { rig, video, _ in
      video.alwaysDiscardsLateVideoFrames = false
      var sizes: Set<Dimensions> = []
      for await frame in video.frames {
        sizes.insert(frame.format.dimensions)
        let decoded = try frame.pixelBuffer().dimensions
        #expect(decoded == frame.format.dimensions)
        if sizes.count > 1, rig.session.statistics.corruptFrames > 0 { break }
      }
      #expect(sizes == [large, small])
    }
  }

  @Test("A camera that leaves out the end marker is used as any other")
  func missingEnd() async throws {
    let whole = try Self.picture()
    let pictures = [Array(whole.dropLast(2)), whole.dropLast(2) + [0, 0, 0, 0, 0]]
    try await withCamera(sending: pictures) { rig, video, photos in
      var frames = video.frames.makeAsyncIterator()
      for _ in 0..<2 {
        let frame = try #require(await frames.next())
        #expect([UInt8](frame.data) == whole)
        try frame.verify()
        #expect(try [UInt8](frame.jpegData()) == whole)
        // What was found at the first look is true of the frame as it is now.
        guard case .lease(let lease) = frame.storage else { fatalError("frames are leases") }
        let known = try #require(lease.info)
        let found = try unsafe JPEGCodec.inspect(lease.bytes, "the frame")
        #expect(known.length == found.length && known.has_end == 1 && found.has_end == 1)
        #expect(known.scan_offset == found.scan_offset && known.dimensions == Self.sent)
      }
      _ = try await photos.capturePhoto(with: .make { $0.waitsForExposure = false })
      #expect(rig.session.statistics.corruptFrames == 0)
    }
  }

  @Test("Who asks is told of a scan that lost bytes on the way")
  func verification() async throws {
    let whole = try PixelBuffer(
      pixelFormat: .grey, dimensions: .qvga,
      data: Data((0..<320 * 240).map { UInt8(truncatingIfNeeded: $0 * $0 / 77) })
    ).jpegData()
    var torn = [UInt8](whole)
    // No restart marker among them.
    let start = torn.count / 2
    let end = try #require((start...).first { torn[$0] != 0xFF && torn[$0 + 40] != 0xFF })
    torn.removeSubrange(end..<end + 3)
    try await withCamera(sending: [torn]) { _, video, _ in
      var frames = video.frames.makeAsyncIterator()
      let frame = try #require(await frames.next())
      #expect { try frame.verify() } throws: { error in
        if case CaptureError.badImageData("the frame", _) = error { true } else { false }
      }
    }
  }
}

extension CapturePhoto {
  /// PixelXDimension and PixelYDimension.
  fileprivate func exifSize() throws -> Dimensions {
    let bytes = [UInt8](fileDataRepresentation())
    func value(of tag: [UInt8]) throws -> Int {
      // The tag in little-endian order with type LONG and count 1.
      let entry = tag + [4, 0, 1, 0, 0, 0]
      let found = try #require(
        bytes.indices.dropLast(12).first { Array(bytes[$0..<$0 + 8]) == entry })
      return (0..<4).reduce(0) { $0 | Int(bytes[found + 8 + $1]) << (8 * $1) }
    }
    return Dimensions(width: try value(of: [0x02, 0xA0]), height: try value(of: [0x03, 0xA0]))
  }
}
