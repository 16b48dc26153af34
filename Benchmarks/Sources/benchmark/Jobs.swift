import CMeasure
import COpenCVBenchmark
import CTurboJPEGBenchmark
import CViewfinder
import Foundation
import Viewfinder

/// YUYV to JPEG, quality 80: the work of every frame of a preview server and of every photo.
///
/// The peer is handed planes, which no camera that sends YUYV gives: what it takes is the least
/// that libjpeg-turbo can take.
func encode(samples: Int) throws -> [Measurement] {
  var all: [Measurement] = []
  let sizes = [
    (640, 480, 0), (1280, 720, 0), (1920, 1080, 0), (1920, 1080, 6), (3840, 2160, 0),
  ]
  for (width, height, noise) in sizes {
    let frames = try Scene.frames(width: width, height: height, count: 5).map {
      try noise == 0 ? $0 : $0.adding(noise: noise)
    }
    let turbo = TurboJPEG(width: width, height: height)
    let encoder422 = try Encoder(quality: 80, restartsPerRow: 0)
    let encoderRestarts = try Encoder(quality: 80, restartsPerRow: 12)
    let encoder420 = try Encoder(quality: 80, subsampling: 420, restartsPerRow: 0)
    let peer = "libjpeg-turbo 4:2:2, planes ready"
    let measured = try race(
      "encode \(width)x\(height)\(noise == 0 ? "" : " noisy")", samples: samples, peer: peer,
      [
        Method(name: peer) {
          try turbo.compress(
            planes: frames[$0 % 5].planes422.image, quality: 80, subsampling: TJSAMP_422)
        },
        Method(name: "the same, its default transform") {
          try turbo.compress(
            planes: frames[$0 % 5].planes422.image, quality: 80, subsampling: TJSAMP_422, flags: 0)
        },
        Method(name: "viewfinder 4:2:2") {
          try encoder422.encode(&frames[$0 % 5].yuyv.image)
        },
        Method(name: "viewfinder 4:2:2, restart grid (as photos)") {
          try encoderRestarts.encode(&frames[$0 % 5].yuyv.image)
        },
        Method(name: "libjpeg-turbo 4:2:0, planes ready") {
          try turbo.compress(
            planes: frames[$0 % 5].planes420.image, quality: 80, subsampling: TJSAMP_420)
        },
        Method(name: "viewfinder 4:2:0") {
          try encoder420.encode(&frames[$0 % 5].yuyv.image)
        },
      ])
    let content = noise == 0 ? "the card scene" : "with ±\(noise) levels more noise"
    printTable("YUYV \(width) x \(height) to JPEG, quality 80, \(content)", measured)
    all += measured
    let libjpeg = LibJPEG(capacity: width * height)
    let lines = "uStreamer's method: lines of 3-byte pixels, 4:2:0"
    let streamed = try race(
      "encode \(width)x\(height)\(noise == 0 ? "" : " noisy") beside uStreamer", samples: samples,
      peer: lines,
      [
        Method(name: lines) {
          try libjpeg.encodeLines(frames[$0 % 5].yuyv.image, quality: 80)
        },
        Method(name: "viewfinder 4:2:0") { try encoder420.encode(&frames[$0 % 5].yuyv.image) },
      ])
    printTable("The same beside uStreamer's method", streamed)
    all += streamed
  }
  return all
}

/// A JPEG cropped to the box of a card in its middle, quality 90.
func crop(samples: Int) throws -> [Measurement] {
  var all: [Measurement] = []
  for (width, height) in [(1920, 1080), (4032, 3024)] {
    let scene =
      width == 1920
      ? try Scene.frames(width: width, height: height, count: 1)[0]
      : try Scene.enlarged(width: width, height: height)
    let turbo = TurboJPEG(width: width, height: height)
    // As another program writes it, and as Viewfinder does, with restart markers as an index.
    let count = try turbo.compress(
      planes: scene.planes420.image, quality: 90, subsampling: TJSAMP_420)
    let foreign = turbo.result(count: count)
    let writer = try Encoder(quality: 90, subsampling: 420, restartsPerRow: 12)
    let own = try writer.encoded(&scene.planes420.image)

    let part = vf_rectangle(
      x: UInt32(width / 5), y: UInt32(height / 4), width: UInt32(width * 3 / 5),
      height: UInt32(height / 2))
    let outline = Outline.rectangle(
      CGRect(
        x: Double(part.x) / Double(width), y: Double(part.y) / Double(height),
        width: Double(part.width) / Double(width), height: Double(part.height) / Double(height)))
    let photoCrop = PhotoCrop(outline: outline)
    var plain = PhotoEncoding()
    plain.embedsThumbnail = false
    var withThumbnail = plain
    withThumbnail.embedsThumbnail = true

    let peer = "libjpeg-turbo: decode all, crop, encode"
    let measured = try race(
      "crop \(width)x\(height)", samples: samples, peer: peer,
      [
        Method(name: peer) { _ in
          try turbo.crop(foreign, to: part, quality: 90, subsampling: TJSAMP_420)
        },
        Method(name: "viewfinder") { _ in try photoCrop.apply(to: foreign, as: plain).data.count },
        Method(name: "viewfinder, with thumbnail") { _ in
          try photoCrop.apply(to: foreign, as: withThumbnail).data.count
        },
        Method(name: "viewfinder, of its own JPEG") { _ in
          try photoCrop.apply(to: own, as: plain).data.count
        },
      ])
    printTable(
      "JPEG \(width) x \(height) cropped to \(part.width) x \(part.height), quality 90", measured)
    all += measured

    // At an odd place, where chroma falls between samples.
    let odd = vf_rectangle(x: part.x | 1, y: part.y | 1, width: part.width, height: part.height)
    let oddCrop = PhotoCrop(
      outline: .inPixels(
        .rectangle(
          CGRect(x: Int(odd.x), y: Int(odd.y), width: Int(odd.width), height: Int(odd.height)))))
    let libjpeg = LibJPEG(capacity: width * height)
    let openCV = "OpenCV: imdecode, crop, imencode"
    let foreignCrop = try race(
      "crop \(width)x\(height) beside OpenCV", samples: samples, peer: openCV,
      [
        Method(name: openCV) { _ in
          foreign.withUnsafeBytes { bytes in
            opencv_crop(
              bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, Int32(odd.x),
              Int32(odd.y), Int32(odd.width), Int32(odd.height), 90)
          }
        },
        Method(name: "libjpeg-turbo's partial decoding") { _ in
          try libjpeg.crop(foreign, to: odd, quality: 90)
        },
        Method(name: "viewfinder") { _ in try oddCrop.apply(to: foreign, as: plain).data.count },
      ])
    printTable(
      "A JPEG of another program, \(width) x \(height), cropped at an odd place", foreignCrop)
    all += foreignCrop

    var aligned = part
    (aligned.x, aligned.y) = (part.x / 16 * 16, part.y / 16 * 16)
    let transform = "libjpeg-turbo's lossless crop (tjTransform)"
    let lossless = try race(
      "crop \(width)x\(height) losslessly", samples: samples, peer: transform,
      [
        Method(name: transform) { _ in try turbo.cropLosslessly(own, to: aligned) },
        Method(name: "viewfinder, to the restart grid") { _ in
          try cropLosslessly(own, to: part, alignment: VF_ALIGNED_TO_RESTARTS)
        },
        Method(name: "viewfinder, to the MCU") { _ in
          try cropLosslessly(own, to: part, alignment: VF_ALIGNED_TO_MCU)
        },
        Method(name: "viewfinder, to the MCU, without a grid") { _ in
          try cropLosslessly(foreign, to: part, alignment: VF_ALIGNED_TO_MCU)
        },
        Method(name: "viewfinder, to the pixel (decodes and encodes)") { _ in
          try photoCrop.apply(to: own, as: plain).data.count
        },
      ])
    printTable(
      "The same part of a JPEG with restart markers, \(width) x \(height), without loss", lossless)
    all += lossless
  }
  return all
}

/// The row loops of each instruction set, on the rows of a 1080p frame.
func kernels(samples: Int) throws -> [Measurement] {
  let pairs = 960
  let rows = 1080
  let source = try Scene.frames(width: 1920, height: 1080, count: 1)[0].yuyv
  let input = source.image.planes.0
  let a = UnsafeMutablePointer<UInt8>.allocate(capacity: 4 * pairs)
  let b = UnsafeMutablePointer<UInt8>.allocate(capacity: 4 * pairs)
  let c = UnsafeMutablePointer<UInt8>.allocate(capacity: 4 * pairs)
  let sums = UnsafeMutablePointer<UInt16>.allocate(capacity: pairs)
  defer {
    a.deallocate()
    b.deallocate()
    c.deallocate()
    sums.deallocate()
  }
  var sets: [vf_kernels] = []
  while let set = vf_kernels_at(sets.count) { sets.append(set.pointee) }

  func forEachRow(_ body: (UnsafeMutablePointer<UInt8>) -> Void) -> Int {
    for row in 0..<rows { body(input.data! + row * input.stride) }
    return 0
  }
  typealias Loop = (vf_kernels, UnsafeMutablePointer<UInt8>) -> Void
  let loops: [(name: String, run: Loop)] = [
    ("split_yuyv", { $0.split_yuyv(a, b, c, $1, pairs) }),
    ("split_uyvy", { $0.split_uyvy(a, b, c, $1, pairs) }),
    ("split_pairs", { $0.split_pairs(a, b, $1, 2 * pairs) }),
    ("average_rows", { $0.average_rows(a, $1, $1 + 2 * pairs, 2 * pairs) }),
    ("sum_rows", { $0.sum_rows(sums, $1, pairs, 4, pairs) }),
  ]

  var all: [Measurement] = []
  var table: [[String]] = []
  for loop in loops {
    let measured = try race(
      loop.name, samples: samples, peer: "portable",
      sets.map { set in
        Method(name: String(cString: set.name)) { _ in forEachRow { loop.run(set, $0) } }
      })
    for result in measured {
      let rate = Double(4 * pairs * rows) / (result.median / 1000) / 1e9
      table.append([
        "\(loop.name), \(result.method)", result.median.text(3), result.best.text(3),
        result.ratio?.text(2) ?? "", rate.text(1),
      ])
    }
    all += measured
  }
  printTable(
    "Row loops by instruction set, 1080 rows of 1920 pixels",
    ["", "median ms", "best ms", "x portable", "GB/s read"], table)
  return all
}
