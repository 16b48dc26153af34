import COpenCVBenchmark
import CTurboJPEGBenchmark
import CViewfinder
import Foundation

/// A card found in a frame, beside OpenCV's contours; followed from frame to frame; and found in a
/// large JPEG.
func detect(samples: Int) throws -> [Measurement] {
  let (width, height) = (1920, 1080)
  let stream = try Stream(scene: "card", fourcc: VF_YUYV, width: width, height: height)
  let frames = try Scene.frames(width: width, height: height, count: 5)
  let eye = try Eye()
  let peer = "OpenCV: blur, Canny, contours"
  let found = try race(
    "detect \(width)x\(height)", samples: samples, peer: peer,
    [
      Method(name: peer) { contours(frames[$0 % 5].yuyv, opencv_contours, side: 0) == nil ? 0 : 1 },
      Method(name: "the same, shrunk to 512 first") {
        contours(frames[$0 % 5].yuyv, opencv_contours, side: 512) == nil ? 0 : 1
      },
      Method(name: "OpenCV: squares.cpp, 8 levels of 3 channels, 512") {
        contours(frames[$0 % 5].yuyv, opencv_squares, side: 512) == nil ? 0 : 1
      },
      Method(name: "viewfinder, searching") { try eye.find(frames[$0 % 5].yuyv) == nil ? 0 : 1 },
      Method(name: "viewfinder, tracking") { try eye.follow(frames[0].yuyv, $0) },
    ])
  // How far the worst corner is from the truth, in the first frame.
  let truth = try stream.card(inFrame: 0)
  let first = frames[0].yuyv
  let corners = [
    contours(first, opencv_contours, side: 0), contours(first, opencv_contours, side: 512),
    contours(first, opencv_squares, side: 512), try eye.find(first), try eye.find(first),
  ]
  printTable(
    "A card found in YUYV \(width) x \(height)",
    ["", "median ms", "best ms", "x peer", "worst corner, pixels"],
    zip(found, corners).map { measured, corners in
      [
        measured.method, measured.median.text(3), measured.best.text(3),
        measured.ratio?.text(2) ?? "",
        corners.map { distance($0, truth).text(1) } ?? "not found",
      ]
    })

  let large = try Scene.enlarged(width: 4032, height: 3024)
  let turbo = TurboJPEG(width: 4032, height: 3024)
  let count = try turbo.compress(
    planes: large.planes420.image, quality: 90, subsampling: TJSAMP_420)
  let jpeg = turbo.result(count: count)
  let half = try scaled(jpeg)
  let read = "the scaled decode alone"
  let stills = try race(
    "detect 4032x3024 JPEG", samples: max(samples / 4, 1), peer: read,
    [
      Method(name: read) { _ in try scaled(jpeg).width },
      Method(name: "viewfinder, searching what it gave") { _ in try eye.find(half) == nil ? 0 : 1 },
    ])
  printTable(
    "A card found in a JPEG of 4032 x 3024, decoded at half its size",
    stills.map {
      Measurement(
        job: $0.job, method: $0.method, median: $0.median, best: $0.best, ratio: $0.ratio, bytes: 0)
    })
  return (found + stills).map {
    Measurement(
      job: $0.job, method: $0.method, median: $0.median, best: $0.best, ratio: $0.ratio, bytes: 0)
  }
}

/// The card's corners as one of OpenCV's ways finds them.
private func contours(
  _ frame: Picture,
  _ way: (UnsafePointer<UInt8>, Int32, Int32, Int, Int32, UnsafeMutablePointer<Double>) -> Int32,
  side: Int32
) -> [vf_point]? {
  var corners = [Double](repeating: 0, count: 8)
  let plane = frame.image.planes.0
  guard way(plane.data!, Int32(frame.width), Int32(frame.height), plane.stride, side, &corners) == 1
  else { return nil }
  return (0..<4).map { vf_point(x: corners[2 * $0], y: corners[2 * $0 + 1]) }
}

/// The largest distance between corners, whichever comes first, either way round.
private func distance(_ a: [vf_point], _ b: [vf_point]) -> Double {
  var least = Double.infinity
  for other in [b, b.reversed()] {
    for turn in 0..<4 {
      let distances = (0..<4).map { corner -> Double in
        let (from, to) = (a[corner], other[(corner + turn) % 4])
        return hypot(from.x - to.x, from.y - to.y)
      }
      least = min(least, distances.max()!)
    }
  }
  return least
}

/// A JPEG as the detector reads it.
private func scaled(_ jpeg: Data) throws -> Picture {
  try jpeg.withUnsafeBytes { bytes in
    let start = bytes.bindMemory(to: UInt8.self).baseAddress!
    var options = vf_decode_options()
    options.scale = 4
    return try Picture { vf_jpeg_decode(&$0, start, bytes.count, &options, nil, &$1) }
  }
}

/// Viewfinder's detector and tracker.
final class Eye {
  private let detector: OpaquePointer
  private let tracker: OpaquePointer
  private var time = 0.0, searched = 0.0

  init() throws {
    var failure = vf_failure()
    guard let detector = vf_detector_create(&failure) else { throw CoreFailure(failure) }
    guard let tracker = vf_tracker_create(&failure) else {
      vf_detector_destroy(detector)
      throw CoreFailure(failure)
    }
    self.detector = detector
    self.tracker = tracker
  }

  deinit {
    vf_detector_destroy(detector)
    vf_tracker_destroy(tracker)
  }

  func candidate(in image: inout vf_image) throws -> vf_candidate? {
    var candidate = vf_candidate()
    let found = try call {
      vf_detector_find(detector, &image, vf_detector_threshold(), &candidate, 1, &$0)
    }
    return found == 0 ? nil : candidate
  }

  func find(_ picture: Picture) throws -> [vf_point]? {
    try candidate(in: &picture.image).map {
      [$0.corners.0, $0.corners.1, $0.corners.2, $0.corners.3]
    }
  }

  /// Frames follow each other so fast that the whole frame isn't searched again.
  func follow(_ picture: Picture, _ frame: Int) throws -> Int {
    var tracking = vf_tracking()
    time += 1e-6
    try call {
      vf_tracker_follow(tracker, &picture.image, time, vf_detector_threshold(), &tracking, &$0)
    }
    return Int(tracking.is_found)
  }
}
