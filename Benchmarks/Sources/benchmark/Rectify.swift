import COpenCVBenchmark
import CViewfinder
import Foundation
import Viewfinder

/// A card pulled straight to 300 dots per inch, beside OpenCV: the warp alone, and from JPEG to JPEG.
func rectify(samples: Int) throws -> [Measurement] {
  let photo = try Photo.large()
  var all: [Measurement] = []
  for (name, picture, card) in [
    ("1920x1080", try photo.scaledMiddle(), 1230.0), ("12 MP", photo.planes, 2260.0),
  ] {
    all += try warps(name, of: picture, cardWidth: card, from: photo.name, samples: samples)
  }
  all += try files(photo, samples: max(samples / 4, 1))
  return all
}

private let result = (width: 1011, height: 638)

/// The corners of a card that lies a little askew in the middle of a picture.
private func corners(cardWidth: Double, in picture: Picture) -> [vf_point] {
  let (x, y) = (Double(picture.width) / 2, Double(picture.height) / 2)
  return [(-0.49, -0.36), (0.5, -0.29), (0.475, 0.35), (-0.5, 0.26)].map {
    vf_point(x: x + cardWidth * $0.0, y: y + cardWidth * $0.1)
  }
}

/// The warp of a decoded picture, with and without subsampled chroma.
private func warps(
  _ name: String, of planes: Picture, cardWidth: Double, from photo: String, samples: Int
) throws -> [Measurement] {
  let corners = corners(cardWidth: cardWidth, in: planes)
  let flat = corners.flatMap { [$0.x, $0.y] }
  let full = try Picture { vf_image_convert(&$0, VF_I444, &planes.image, &$1) }
  let pixels = full.interleaved()
  var straight = [UInt8](repeating: 0, count: 3 * result.width * result.height)
  let reference = full.supersampled(corners)

  func viewfinder(_ picture: Picture, _ filter: UInt32) throws -> Picture {
    try Picture {
      vf_rectify(
        &$0, &picture.image, corners, UInt32(result.width), UInt32(result.height), filter, &$1)
    }
  }
  func opencv() {
    opencv_warp(
      pixels, Int32(full.width), Int32(full.height), flat, &straight, Int32(result.width),
      Int32(result.height))
  }
  let peer = "OpenCV: warpPerspective, INTER_LINEAR, 3 channels"
  let ways = [
    ("viewfinder, fast", planes, VF_FILTER_FAST), ("viewfinder, best", planes, VF_FILTER_BEST),
    ("viewfinder, fast, 4:4:4", full, VF_FILTER_FAST),
    ("viewfinder, best, 4:4:4", full, VF_FILTER_BEST),
  ]
  let measured = try race(
    "rectify \(name) to \(result.width)x\(result.height)", samples: samples, peer: peer,
    [
      Method(name: peer) { _ in
        opencv()
        return 0
      }
    ]
      + ways.map { name, picture, filter in
        Method(name: name) { _ in
          _ = try viewfinder(picture, filter)
          return 0
        }
      })
  opencv()
  let quality =
    [psnr(reference) { straight[3 * (result.width * $1 + $0)] }]
    + (try ways.map { _, picture, filter in
      let luma = try viewfinder(picture, filter)
      let plane = luma.image.planes.0
      return withExtendedLifetime(luma) {
        psnr(reference) { plane.data![plane.stride * $1 + $0] }
      }
    })
  printTable(
    "A card \(Int(cardWidth)) pixels wide of \(name) (\(photo)) pulled straight to "
      + "\(result.width) x \(result.height), 4:2:0 where nothing else is said",
    ["", "median ms", "best ms", "x peer", "dB"],
    zip(measured, quality).map {
      [
        $0.method, $0.median.text(3), $0.best.text(3), $0.ratio?.text(2) ?? "", $1.text(1),
      ]
    })
  return measured
}

/// From a 12 MP JPEG to a JPEG of the card.
private func files(_ photo: Photo, samples: Int) throws -> [Measurement] {
  let corners = corners(cardWidth: 2260, in: photo.planes)
  let flat = corners.flatMap { [$0.x, $0.y] }
  let units = corners.map {
    CGPoint(x: $0.x / Double(photo.planes.width), y: $0.y / Double(photo.planes.height))
  }
  let crop = PhotoCrop(
    outline: .quadrilateral(
      Quadrilateral(
        topLeft: units[0], topRight: units[1], bottomRight: units[2], bottomLeft: units[3])),
    rectifiedSize: Dimensions(width: result.width, height: result.height))
  let peer = "OpenCV: imdecode, warpPerspective, imencode"
  let measured = try race(
    "rectify 12 MP JPEG", samples: samples, peer: peer,
    [
      Method(name: peer) { _ in
        photo.jpeg.withUnsafeBytes {
          opencv_rectify(
            $0.bindMemory(to: UInt8.self).baseAddress!, $0.count, flat, Int32(result.width),
            Int32(result.height), 90)
        }
      }
    ]
      + CapturePhotoOutput.QualityPrioritization.allCases.map { priority in
        var encoding = PhotoEncoding()
        encoding.embedsThumbnail = false
        encoding.qualityPrioritization = priority
        return Method(name: "viewfinder, .\(priority)") { [encoding] _ in
          try crop.apply(to: photo.jpeg, orientation: .up, as: encoding).data.count
        }
      })
  printTable(
    "The same from a 12 MP JPEG (\(photo.name)) to a JPEG, quality 90", measured)
  return measured
}

/// A photo of about 12 megapixels, as a file and decoded.
private struct Photo {
  let name: String
  let jpeg: Data
  let planes: Picture

  /// A real one where a checkout has it beside it, else one that is drawn.
  static func large() throws -> Photo {
    let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let data =
      ProcessInfo.processInfo.environment["VIEWFINDER_TEST_DATA"].map { URL(fileURLWithPath: $0) }
      ?? checkout.deletingLastPathComponent().appending(path: "shared/data")
    let file = data.appending(path: "cards/images/synthdocs_black-desktop.jpg")
    if let jpeg = try? Data(contentsOf: file) {
      return try Photo(name: "a photo", jpeg: jpeg)
    }
    let scene = try Scene.enlarged(width: 4032, height: 3024)
    let encoder = try Encoder(quality: 90, subsampling: 420, restartsPerRow: 0)
    return try Photo(
      name: "drawn", jpeg: encoder.encoded(&scene.planes420.image))
  }

  private init(name: String, jpeg: Data) throws {
    self.name = name
    self.jpeg = jpeg
    let decoded = try jpeg.withUnsafeBytes { bytes in
      let start = bytes.bindMemory(to: UInt8.self).baseAddress!
      return try Picture { vf_jpeg_decode(&$0, start, bytes.count, nil, nil, &$1) }
    }
    planes = try Picture { vf_image_convert(&$0, VF_I420, &decoded.image, &$1) }
  }

  /// The middle of it, 1920 × 1080 pixels, once it is 1920 pixels wide.
  func scaledMiddle() throws -> Picture {
    let height = planes.height * 1920 / planes.width
    let scaled = try Picture {
      vf_image_scale(&$0, &planes.image, 1920, UInt32(height), &$1)
    }
    return try Picture {
      vf_image_crop(&$0, &scaled.image, 0, UInt32((height - 1080) / 4 * 2), 1920, 1080, &$1)
    }
  }
}

extension Picture {
  /// The three planes of a 4:4:4 picture, pixel by pixel.
  fileprivate func interleaved() -> [UInt8] {
    let planes = [image.planes.0, image.planes.1, image.planes.2]
    return [UInt8](unsafeUninitializedCapacity: 3 * width * height) { pixels, count in
      count = 3 * width * height
      for (channel, plane) in planes.enumerated() {
        for y in 0..<height {
          let row = plane.data! + y * plane.stride
          for x in 0..<width { pixels[3 * (y * width + x) + channel] = row[x] }
        }
      }
    }
  }

  /// The luma of a quadrilateral pulled straight as exactly as can be: each pixel is the mean of 8 × 8
  /// places, interpolated.
  fileprivate func supersampled(_ corners: [vf_point]) -> [Double] {
    let map = projection(to: corners, width: Double(result.width), height: Double(result.height))
    let plane = image.planes.0
    let data = plane.data!
    let (lastX, lastY) = (Double(width) - 1.001, Double(height) - 1.001)
    var means = [Double](repeating: 0, count: result.width * result.height)
    for y in 0..<result.height {
      for x in 0..<result.width {
        var sum = 0.0
        for j in 0..<8 {
          for i in 0..<8 {
            let u = Double(x) + (Double(i) + 0.5) / 8
            let v = Double(y) + (Double(j) + 0.5) / 8
            let w = map.g * u + map.h * v + 1
            let placeX = min(max((map.a * u + map.b * v + map.c) / w - 0.5, 0), lastX)
            let placeY = min(max((map.d * u + map.e * v + map.f) / w - 0.5, 0), lastY)
            let (column, row) = (Int(placeX), Int(placeY))
            let (right, low) = (placeX - Double(column), placeY - Double(row))
            let upper = data + row * plane.stride + column
            let lower = upper + plane.stride
            let above = Double(upper[0]) * (1 - right) + Double(upper[1]) * right
            let below = Double(lower[0]) * (1 - right) + Double(lower[1]) * right
            sum += above * (1 - low) + below * low
          }
        }
        means[y * result.width + x] = sum / 64
      }
    }
    return means
  }
}

/// A projective map.
private struct Projection {
  var a, b, c, d, e, f, g, h: Double
}

/// The map from a rectangle to a quadrilateral (Heckbert 1989, section 2.2.3).
private func projection(to corners: [vf_point], width: Double, height: Double) -> Projection {
  let (p0, p1, p2, p3) = (corners[0], corners[1], corners[2], corners[3])
  let (x1, x2, x3) = (p1.x - p2.x, p3.x - p2.x, p0.x - p1.x + p2.x - p3.x)
  let (y1, y2, y3) = (p1.y - p2.y, p3.y - p2.y, p0.y - p1.y + p2.y - p3.y)
  let determinant = x1 * y2 - x2 * y1
  let g = (x3 * y2 - x2 * y3) / determinant
  let h = (x1 * y3 - x3 * y1) / determinant
  return Projection(
    a: (p1.x - p0.x + g * p1.x) / width, b: (p3.x - p0.x + h * p3.x) / height, c: p0.x,
    d: (p1.y - p0.y + g * p1.y) / width, e: (p3.y - p0.y + h * p3.y) / height, f: p0.y,
    g: g / width, h: h / height)
}

/// How near a result is to the reference, in decibels; without a margin, where sources end.
private func psnr(_ reference: [Double], _ sample: (Int, Int) -> UInt8) -> Double {
  let margin = 4
  var sum = 0.0
  for y in margin..<result.height - margin {
    for x in margin..<result.width - margin {
      let error = Double(sample(x, y)) - reference[y * result.width + x]
      sum += error * error
    }
  }
  let count = (result.width - 2 * margin) * (result.height - 2 * margin)
  return 10 * log10(255 * 255 * Double(count) / max(sum, 1e-9))
}
