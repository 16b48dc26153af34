import Foundation
import Testing
import Viewfinder
import ViewfinderLibrary

@testable import ViewfinderPicker

@Suite struct LibraryPickingTests {
  /// A rig whose library has these pictures, and the configuration to pick from it.
  private func rig(_ pictures: [String: Data]) throws -> PickerRig {
    let rig = try PickerRig()
    for (name, data) in pictures { try rig.add(name, data) }
    return rig
  }

  private static func names(_ photos: [PickedPhoto]) -> [String] {
    photos.map { $0.originalURL.lastPathComponent }
  }

  @Test("Assets are picked in the order in which they are chosen, and no more than asked for")
  func several() async throws {
    let rig = try rig([
      "a.png": quarters(16, 16).pngData(), "b.jpg": quarters(32, 16).jpegData(),
      "c.png": quarters(16, 32).pngData(),
    ])
    let picker = rig.picker({
      $0.sourceType = .photoLibrary
      $0.selectionLimit = 2
    }) { picker in
      let all = try await picker.assets()
      #expect(all.count == 3)
      let byName = Dictionary(
        uniqueKeysWithValues: try await all.assets(in: 0..<3).map { ($0.fileName, $0) })
      for name in ["c.png", "a.png"] { try picker.toggle(try #require(byName[name])) }
      #expect(throws: PickerError.limitReached(2)) {
        try picker.toggle(try #require(byName["b.jpg"]))
      }
      try picker.toggle(try #require(byName["c.png"]))
      try picker.toggle(try #require(byName["b.jpg"]))
      try picker.done()
    }
    #expect(Self.names(try await picker.pickPhotos()) == ["a.png", "b.jpg"])
  }

  @Test("A PNG stays a PNG byte by byte; a compatible copy is a JPEG of the same picture")
  func encodings() async throws {
    let original = try quarters(40, 20).pngData()
    let rig = try rig(["misnamed.jpg": original])
    let picker = rig.picker({ $0.sourceType = .photoLibrary }) { picker in
      try picker.toggle(try #require(try await picker.assets().asset(at: 0)))
    }
    let photo = try #require(try await picker.pick())
    let progress = Log<Double>()
    let file = try await photo.data { progress.append($0) }
    #expect(file.data == original)
    #expect(file.contentType == .png)
    #expect(progress.all.last == 1)
    let compatible = try await photo.data(as: .compatible)
    #expect(compatible.contentType == .jpeg)
    #expect(compatible.data.starts(with: [0xFF, 0xD8]))
    #expect(try PixelBuffer(decoding: compatible.data).quarter(0.8, 0.2) == "green")
    let small = try await photo.image(fitting: Dimensions(width: 10, height: 10))
    #expect(small.dimensions == Dimensions(width: 10, height: 5))
    let url = rig.folder.appending(component: "copy.png")
    try await photo.write(to: url)
    #expect(try Data(contentsOf: url) == original)
    await #expect(throws: PickerError.camera(.cannotWrite(path: url.path, code: EEXIST))) {
      try await photo.write(to: url)
    }
  }

  /// A kind of file, and the program that makes it of a JPEG; the camera's own have none.
  struct Format: Sendable, CustomTestStringConvertible {
    var name: String
    var program: String?
    var options: [String] = []

    var testDescription: String { name }
  }

  private static let formats: [Format] = {
    var formats = [Format(name: "photo.png"), Format(name: "photo.jpg")]
    #if WebP
      formats.append(
        Format(name: "photo.webp", program: "/usr/bin/cwebp", options: ["-metadata", "exif"]))
    #endif
    #if HEIF
      formats.append(Format(name: "photo.heic", program: "/usr/bin/heif-enc"))
      formats.append(Format(name: "photo.avif", program: "/usr/bin/heif-enc", options: ["-A"]))
    #endif
    return formats
  }()

  @Test(
    "A photo's Exif data stay in its crop and in its compatible copy", arguments: formats)
  func metadata(format: Format) async throws {
    var metadata = PhotoMetadata()
    metadata.make = "Testmaker"
    let rig = try PickerRig()
    let session = CaptureSession()
    let output = CapturePhotoOutput()
    try session.setSessionPreset(.low)
    try session.configure {
      try session.addInput(CaptureDeviceInput(device: rig.second.device))
      try session.addOutput(output)
    }
    try await session.startRunning()
    var wanted = CapturePhotoSettings()
    wanted.fileType = format.name == "photo.png" ? .png : .jpeg
    wanted.metadata = metadata
    let taken = try await output.capturePhoto(with: wanted)
    await session.stopRunning()
    let data = taken.fileDataRepresentation()
    if let program = format.program {
      let source = rig.folder.appending(component: "taken.jpg")
      try data.write(to: source)
      let target = rig.pictures.appending(component: format.name)
      try Process.run(
        URL(fileURLWithPath: program), arguments: format.options + [source.path, "-o", target.path]
      ).waitUntilExit()
    } else {
      try rig.add(format.name, data)
    }
    let picker = rig.picker({
      $0.sourceType = .photoLibrary
      $0.editing = .square
    }) { picker in
      try picker.toggle(try #require(try await picker.assets().asset(at: 0)))
      try picker.usePhoto()
    }
    let photo = try #require(try await picker.pick())
    #expect(photo.asset?.fileName == format.name)
    let (cropped, copy) = try await (photo.data(), photo.data(.original, as: .compatible))
    #expect(cropped.contentType == (format.name == "photo.png" ? .png : .jpeg))
    #expect(copy.contentType == .jpeg)
    for file in [cropped, copy] {
      #expect(file.data.range(of: Data("Testmaker".utf8)) != nil)
      #expect(try PixelBuffer(decoding: file.data).dimensions.height > 0)
    }
  }

  @Test("What was picked before is picked from the beginning, in its order; what is gone isn't")
  func preselected() async throws {
    let rig = try rig([
      "a.png": quarters(16, 16).pngData(), "b.png": quarters(32, 16).pngData(),
    ])
    let library = try await PhotoLibrary.open(rig.library)
    try await library.update()
    let ids = try await ["b.png", "a.png"].asyncMap {
      try await library.asset(at: rig.pictures.appending(component: $0)).id
    }
    let picker = rig.picker({
      $0.sourceType = .photoLibrary
      $0.selectionLimit = 0
      $0.library = library
      $0.preselectedAssetIDs = [UUID()] + ids
    }) { picker in
      #expect(Self.names(picker.state.selection) == ["b.png", "a.png"])
      try picker.done()
    }
    #expect(Self.names(try await picker.pickPhotos()) == ["b.png", "a.png"])
  }

  @Test("What another program takes away isn't picked any more, and the person is told")
  func removed() async throws {
    let rig = try rig([
      "a.png": quarters(16, 16).pngData(), "b.png": quarters(32, 16).pngData(),
    ])
    let picker = rig.picker({
      $0.sourceType = .photoLibrary
      $0.selectionLimit = 0
    }) { picker in
      let list = try await picker.assets()
      for asset in try await list.assets(in: 0..<2) { try picker.toggle(asset) }
      try FileManager.default.removeItem(at: rig.pictures.appending(component: "a.png"))
      for await state in picker.states where state.selection.count == 1 { break }
      #expect(picker.state.message?.contains("a.png") == true)
      try picker.done()
    }
    #expect(Self.names(try await picker.pickPhotos()) == ["b.png"])
  }

  @Test("A file that goes after it was picked is an error that names it")
  func goneLater() async throws {
    let rig = try rig(["a.png": quarters(16, 16).pngData()])
    let picker = rig.picker({ $0.sourceType = .photoLibrary }) { picker in
      try picker.toggle(try #require(try await picker.assets().asset(at: 0)))
    }
    let photo = try #require(try await picker.pick())
    let url = photo.originalURL
    try FileManager.default.removeItem(at: url)
    await #expect(throws: PickerError.library(.cannotRead(path: url.path, code: ENOENT))) {
      try await photo.data()
    }
  }

  @Test("A damaged file can be chosen as it is; to crop it is one error, and the picker goes on")
  func hostile() async throws {
    let whole = try quarters(64, 64).jpegData()
    let rig = try rig(["cut.jpg": whole.prefix(200), "fine.jpg": whole])
    let asIs = rig.picker({
      $0.sourceType = .photoLibrary
      $0.filter = AssetFilter()
    }) { picker in
      let list = try await picker.assets()
      let asset = try await list.assets(in: 0..<list.count).first { $0.fileName == "cut.jpg" }
      try picker.toggle(try #require(asset))
    }
    let photo = try #require(try await asIs.pick())
    #expect(try await photo.data().data == whole.prefix(200))
    let cropping = rig.picker({
      $0.sourceType = .photoLibrary
      $0.editing = .square
    }) { picker in
      let list = try await picker.assets()
      let assets = try await list.assets(in: 0..<list.count)
      let cut = try #require(assets.first { $0.fileName == "cut.jpg" })
      #expect { try picker.toggle(cut) } throws: { error in
        if case PickerError.library(.damaged) = error { true } else { false }
      }
      try picker.toggle(try #require(assets.first { $0.fileName == "fine.jpg" }))
      try picker.usePhoto()
    }
    #expect(try await cropping.pick()?.asset?.fileName == "fine.jpg")
  }

  @Test("Only what is asked for is shown: kinds and days")
  func filters() async throws {
    let rig = try rig([
      "a.png": quarters(16, 16).pngData(), "clip.avi": Data("RIFF\u{4}\0\0\0AVI ".utf8),
    ])
    let picker = rig.picker({
      $0.sourceType = .photoLibrary
      $0.mediaTypes = [.image]
    }) { picker in
      let all = try await picker.assets()
      #expect(all.count == 1)
      let now = Date()
      let recent = try await picker.assets(captured: now - 3600..<now + 3600)
      #expect(recent.count == 1)
      let earlier = try await picker.assets(captured: now - 7200..<now - 3600)
      #expect(earlier.isEmpty)
      let albums = try await picker.albums()
      #expect(!albums.isEmpty)
    }
    _ = try await picker.pick()
    let saved = rig.picker({ $0.sourceType = .savedPhotosAlbum }) { picker in
      let (assets, albums) = (try await picker.assets(), try await picker.albums())
      #expect(assets.isEmpty)
      #expect(albums.count == 1)
    }
    _ = try await saved.pick()
  }
}

extension Sequence where Self: Sendable {
  fileprivate func asyncMap<R>(_ transform: (Element) async throws -> R) async rethrows -> [R] {
    var result: [R] = []
    for element in self { result.append(try await transform(element)) }
    return result
  }
}
