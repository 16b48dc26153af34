import CTurboJPEGBenchmark
import CVipsBenchmark
import CViewfinder
import Foundation
import Viewfinder
import ViewfinderLibrary

/// Thumbnails of pictures of 12 megapixels: at capture, and of files.
func thumbnail(samples: Int) throws -> [Measurement] {
  let scene = try Scene.enlarged(width: 4032, height: 3024)
  return try atCapture(scene, samples: samples) + ofFiles(scene, samples: samples)
}

/// The thumbnail of a photo, 320 x 240 as JPEG, from the camera's frame.
private func atCapture(_ scene: Scene, samples: Int) throws -> [Measurement] {
  let encoder = try Encoder(quality: 75, restartsPerRow: 0)
  let pictures = [("YUYV", scene.yuyv), ("I420", scene.planes420)]
  var all: [Measurement] = []
  for (name, picture) in pictures {
    let peer = "scaled exactly, by way of planes"
    let measured = try race(
      "thumbnail of \(name) 4032x3024", samples: samples, peer: peer,
      [
        Method(name: peer) { _ in
          let small = try Picture { vf_image_scale(&$0, &picture.image, 320, 240, &$1) }
          return try encoder.encode(&small.image)
        },
        Method(name: "viewfinder") { _ in
          try encodeThumbnail(of: picture, by: encoder)
        },
      ])
    printTable("A thumbnail of 320 x 240, as JPEG, of 4032 x 3024 \(name)", measured)
    all += measured
  }
  return all
}

private func encodeThumbnail(of picture: Picture, by encoder: Encoder) throws -> Int {
  let small = try Picture { vf_image_thumbnail(&$0, &picture.image, 320, 240, &$1) }
  return try encoder.encode(&small.image)
}

/// Thumbnails of files beside libvips, which makes them of another program's JPEG, as all do that find none in it.
private func ofFiles(_ scene: Scene, samples: Int) throws -> [Measurement] {
  let turbo = TurboJPEG(width: 4032, height: 3024)
  let foreign = turbo.result(
    count: try turbo.compress(
      planes: scene.planes420.image, quality: 90, subsampling: TJSAMP_420))
  var encoding = PhotoEncoding()
  encoding.embedsThumbnail = true
  let whole = PhotoCrop(outline: .rectangle(CGRect(x: 0, y: 0, width: 1, height: 1)))
  let own = try whole.apply(to: foreign, as: encoding).data
  let shelf = try Shelf(["foreign.jpg": foreign, "own.jpg": own])
  defer { shelf.close() }
  let encoder = try Encoder(quality: 75, restartsPerRow: 0)
  let box = Dimensions(width: 256, height: 256)

  let hasVips = vips_benchmark_open() != 0
  if !hasVips { print("\nlibvips was left out: it isn't installed (--peers does it).") }
  func vips(isPNG: Bool) -> Int {
    foreign.withUnsafeBytes {
      vips_benchmark_thumbnail(
        $0.bindMemory(to: UInt8.self).baseAddress, $0.count, 256, isPNG ? 1 : 0)
    }
  }
  let peer = "libvips: vips_thumbnail_buffer, vips_jpegsave_buffer"
  var methods = [
    Method(name: "viewfinder, at capture: 320 pixels, of the frame, YUYV") { _ in
      try encodeThumbnail(of: scene.yuyv, by: encoder)
    },
    Method(name: "viewfinder, of another program's JPEG, as JPEG") { _ in
      try PixelBuffer(decoding: foreign, fitting: box).jpegData(quality: 0.75).count
    },
    Method(name: "photo library, of another program's photo, shown") { _ in
      try shelf.show("foreign.jpg")
    },
    Method(name: "photo library, of its own photo, shown") { _ in try shelf.show("own.jpg") },
  ]
  if hasVips { methods.insert(Method(name: peer) { _ in vips(isPNG: false) }, at: 0) }
  let shown = try race(
    "thumbnail of files 4032x3024", samples: samples, peer: peer, methods)
  printTable("A thumbnail of 256 pixels of a JPEG of 4032 x 3024", shown)

  let storing = "libvips: vips_thumbnail_buffer, vips_pngsave_buffer"
  methods = [
    Method(name: "viewfinder, as desktops keep it: PNG") { _ in
      try PixelBuffer(decoding: foreign, fitting: box).pngData().count
    }
  ]
  if hasVips { methods.insert(Method(name: storing) { _ in vips(isPNG: true) }, at: 0) }
  let stored = try race(
    "thumbnail of files 4032x3024, as PNG", samples: samples, peer: storing, methods)
  printTable("The same as desktops keep it, a PNG", stored)
  return shown + stored
}

/// A photo library whose thumbnails are made anew each time: it can keep none.
private final class Shelf {
  private let folder: URL
  private let library: PhotoLibrary
  private let assets: [String: Asset]

  init(_ files: [String: Data]) throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      component: "viewfinder-thumbnails-\(getpid())")
    let photos = folder.appending(component: "photos")
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for (name, data) in files { try data.write(to: photos.appending(component: name)) }
    var configuration = PhotoLibrary.Configuration(roots: [photos])
    configuration.indexFolder = folder.appending(component: "index")
    configuration.watchesFolders = false
    // No folder can be made there.
    configuration.thumbnailFolder = photos.appending(components: "own.jpg", "thumbnails")
    configuration.thumbnailLimits.memory = 0
    self.folder = folder
    let found = try waitFor { [configuration] in
      let library = try await PhotoLibrary.open(configuration)
      try await library.update()
      return (library, try await library.album(.recents).assets().page(0))
    }
    library = found.0
    assets = Dictionary(
      uniqueKeysWithValues: found.1.map { ($0.fileURL.lastPathComponent, $0) })
  }

  /// The thumbnail's bytes.
  func show(_ name: String) throws -> Int {
    guard let asset = assets[name] else { throw CaptureError.sessionNotRunning }
    let picture = try waitFor { [library] in try await library.thumbnail(of: asset) }
    return picture.dimensions.area
  }

  func close() { try? FileManager.default.removeItem(at: folder) }
}
