import CMeasure
import CViewfinder
import Foundation
import Synchronization
import Viewfinder

/// Measures with all cores, where the process may have more than one.
///
/// The other jobs have one core. What is measured here is wall time, the only one that cores change.
private func onAllCores(_ job: String, _ body: (_ cores: Int) throws -> [Measurement]) rethrows
  -> [Measurement]
{
  let cores = measure_allow_all_cores(1)
  defer { _ = measure_allow_all_cores(0) }
  guard cores > 1 else {
    print("\nThe job \"\(job)\" was left out: this process may have one core only.")
    return []
  }
  return try body(Int(cores))
}

/// What several cores make is what one makes.
private func requireSameFiles(_ measured: [Measurement]) {
  precondition(measured[0].bytes == measured[1].bytes, "the files differ")
}

/// A photo of 12 megapixels on all cores, beside one core.
func still(samples: Int) throws -> [Measurement] {
  try onAllCores("still") { cores in
    let (width, height) = (4032, 3024)
    let scene = try Scene.enlarged(width: width, height: height)
    let picture = try PixelBuffer(
      pixelFormat: .yuyv, dimensions: Dimensions(width: width, height: height),
      data: scene.yuyv.packedRows(bytesPerRow: 2 * width))
    let encoder = try Encoder(quality: 90, restartsPerRow: 12)
    let peer = "one core"
    let measured = try race(
      "still \(width)x\(height)", samples: samples, peer: peer, clock: measure_wall_time,
      [
        Method(name: peer) { _ in try encoder.encode(&scene.yuyv.image) },
        Method(name: "viewfinder, \(cores) cores") { _ in try picture.jpegData(quality: 0.9).count
        },
      ])
    requireSameFiles(measured)
    printTable(
      "YUYV \(width) x \(height) to JPEG, quality 90, wall time (1 / \(min(cores, 8)) is the limit)",
      measured)
    return measured
  }
}

/// A photo of 12 megapixels with restart markers, decoded on all cores, beside one core.
func decode(samples: Int) throws -> [Measurement] {
  try onAllCores("decode") { cores in
    let (width, height) = (4032, 3024)
    let scene = try Scene.enlarged(width: width, height: height)
    let photo = try Encoder(quality: 90, restartsPerRow: 12).encoded(&scene.planes420.image)
    let peer = "one core"
    let measured = try race(
      "decode \(width)x\(height)", samples: samples, peer: peer, clock: measure_wall_time,
      [
        Method(name: peer) { _ in
          let picture = try photo.withUnsafeBytes { bytes in
            let start = bytes.bindMemory(to: UInt8.self).baseAddress!
            return try Picture { vf_jpeg_decode(&$0, start, bytes.count, nil, nil, &$1) }
          }
          return picture.width * picture.height
        },
        Method(name: "viewfinder, \(cores) cores") { _ in
          try PixelBuffer(decoding: photo).dimensions.area
        },
      ])
    requireSameFiles(measured)
    printTable(
      "A JPEG of \(width) x \(height) with restart markers, decoded, wall time (1 / \(min(cores, 8)) is the limit)",
      measured)
    return measured
  }
}

/// A part of such a photo, to the pixel: its restart markers let all cores decode what the part touches.
func cropOnAllCores(samples: Int) throws -> [Measurement] {
  try onAllCores("crop on all cores") { cores in
    let (width, height) = (4032, 3024)
    let scene = try Scene.enlarged(width: width, height: height)
    let photo = try Encoder(quality: 90, subsampling: 420, restartsPerRow: 12)
      .encoded(&scene.planes420.image)
    let turbo = TurboJPEG(width: width, height: height)
    let part = CGRect(x: 808, y: 756, width: 2419, height: 1512)
    let crop = PhotoCrop(outline: .inPixels(.rectangle(part)))
    var encoding = PhotoEncoding()
    encoding.embedsThumbnail = false
    let peer = "libjpeg-turbo's lossless crop (tjTransform), one core"
    let measured = try race(
      "crop \(width)x\(height) on all cores", samples: samples, peer: peer,
      clock: measure_wall_time,
      [
        Method(name: peer) { _ in
          try turbo.cropLosslessly(
            photo, to: vf_rectangle(x: 800, y: 752, width: 2419, height: 1512))
        },
        Method(name: "viewfinder, to the pixel, \(cores) cores") { _ in
          try crop.apply(to: photo, as: encoding).data.count
        },
      ])
    printTable("The same part of a JPEG with restart markers on all cores, wall time", measured)
    return measured
  }
}

/// Frames of a stream on all cores, beside one core.
func stream(samples: Int) throws -> [Measurement] {
  try onAllCores("stream") { cores in
    let camera = try Studio(.yuyv, Dimensions(width: 1920, height: 1080))
    defer { camera.session.stopRunningAndWait() }
    let frame = try camera.frame()
    let count = 24
    let single = FrameEncoder(maximumConcurrentFrames: 1)
    let several = FrameEncoder(maximumConcurrentFrames: cores)
    func encode(_ encoder: FrameEncoder) -> Int {
      let bytes = Mutex(0)
      for _ in 0..<count {
        encoder.encode(frame) { result in
          let size = (try? result.get())?.data.count ?? 0
          bytes.withLock { $0 += size }
        }
      }
      encoder.finish()
      return bytes.withLock { $0 } / count
    }
    let peer = "one core"
    let measured = try race(
      "stream 1920x1080", samples: samples, peer: peer, clock: measure_wall_time,
      [
        Method(name: peer) { _ in encode(single) },
        Method(name: "viewfinder, \(cores) cores") { _ in encode(several) },
      ])
    requireSameFiles(measured)
    printTable(
      "\(count) YUYV frames of 1920 x 1080 to JPEG, quality 80, in order, wall time", measured)
    return measured
  }
}

/// The check of each frame of a camera that sends JPEGs, beside a copy of the frame.
func check(samples: Int) throws -> [Measurement] {
  var all: [Measurement] = []
  for (width, height) in [(1920, 1080), (4032, 3024)] {
    let scene = try Scene.enlarged(width: width, height: height)
    let frame = try Encoder(quality: 85, restartsPerRow: 0)
      .encoded(&scene.planes422.image)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: frame.count, alignment: 64)
    defer { copy.deallocate() }
    // Short as they are, each sample has a hundred.
    let peer = "copies of it, 100"
    let measured = try race(
      "check \(width)x\(height)", samples: samples, peer: peer,
      [
        Method(name: peer) { _ in
          for _ in 0..<100 { frame.copyBytes(to: copy) }
          return frame.count
        },
        Method(name: "viewfinder: its markers, 100 times") { _ in
          var info = vf_jpeg_info()
          try frame.withUnsafeBytes { bytes in
            let start = bytes.bindMemory(to: UInt8.self).baseAddress!
            for _ in 0..<100 { try call { vf_jpeg_inspect(start, bytes.count, &info, &$0) } }
          }
          return info.length
        },
      ])
    printTable("A JPEG frame of \(width) x \(height) looked at", measured)
    all += measured
  }
  return all
}
