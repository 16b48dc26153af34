import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// A library over a folder of its own, removed at the end of a test.
final class LibraryRig: Sendable {
  let base: FilePath
  let root: FilePath
  let library: PhotoLibrary
  /// The last to go: a library whose index is taken away makes another.
  private let scratch: ScratchFolder

  init(watches: Bool = false, _ prepare: (LibraryFolder) throws -> Void = { _ in }) async throws {
    scratch = try ScratchFolder()
    base = scratch.path
    root = base.appending("Pictures")
    try FileManager.default.createDirectory(at: root.url, withIntermediateDirectories: true)
    try prepare(LibraryFolder(root))
    library = try await Self.open(base, watches: watches)
    if !watches { try await library.update() }
  }

  var folder: LibraryFolder { LibraryFolder(root) }

  /// Another library object over the same folders and index.
  func reopened(watches: Bool = false) async throws -> PhotoLibrary {
    try await Self.open(base, watches: watches)
  }

  /// Deletes the index, so that the next library begins without one.
  func deleteIndex() throws { try FileManager.default.removeItem(at: base.appending("index").url) }

  /// A library over the folders in `base`.
  static func open(
    _ base: FilePath, watches: Bool = false, index: FilePath = "index"
  ) async throws -> PhotoLibrary {
    var configuration = PhotoLibrary.Configuration(roots: [base.appending("Pictures").url])
    configuration.indexFolder = base.appending(index).url
    configuration.thumbnailFolder = base.appending("thumbnails").url
    configuration.trashFolder = base.appending("Trash").url
    configuration.watchesFolders = watches
    return try await PhotoLibrary.open(configuration)
  }

  /// A library over the same folders with an index of its own, scanned once.
  static func fresh(of base: FilePath) async throws -> PhotoLibrary {
    let library = try await open(base, index: FilePath("fresh-\(UUID().uuidString)"))
    try await library.update()
    return library
  }

  /// Everything in the library, oldest first.
  func all() async throws -> [Asset] { try await library.everything() }

  func asset(_ path: String) async throws -> Asset {
    try await library.asset(at: root.appending(path).url)
  }
}

extension PhotoLibrary {
  func everything() async throws -> [Asset] {
    let list = try await album(.all).assets()
    return try await list.assets(in: 0..<list.count)
  }
}

extension Asset {
  /// What doesn't depend on how the library came to know it.
  var summary: [String] {
    [
      fileURL.absoluteString, file.content.uuidString, "\(file.status.size)",
      contentType?.mimeType ?? "-", "\(String(describing: dimensions))",
    ]
  }
}

/// Waits until there is what is wanted; `false` when there still isn't after a minute.
func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
  for _ in 0..<3000 {
    if try await condition() { return true }
    try await Task.sleep(for: .milliseconds(20))
  }
  return try await condition()
}

/// What other programs do in a folder.
struct LibraryFolder: Sendable {
  let path: FilePath

  init(_ path: FilePath) { self.path = path }

  /// Writes a small JPEG whose content belongs to `seed`; replaces what is there.
  func write(_ name: String, seed: Int = 0) throws { try write(name, Self.jpeg(seed: seed)) }

  func write(_ name: String, _ data: Data) throws {
    let target = path.appending(name)
    try FileManager.default.createDirectory(
      at: target.folder.url, withIntermediateDirectories: true)
    try data.write(to: target.url)
  }

  func move(_ name: String, to other: String) throws {
    let target = path.appending(other)
    try FileManager.default.createDirectory(
      at: target.folder.url, withIntermediateDirectories: true)
    guard unsafe rename(path.appending(name).description, target.description) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
  }

  func delete(_ name: String) throws {
    try FileManager.default.removeItem(at: path.appending(name).url)
  }

  /// A JPEG of 16 × 8 pixels, different for each seed.
  static func jpeg(seed: Int) -> Data {
    let bytes = (0..<16 * 8).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ seed &* 97) }
    let picture = try? PixelBuffer(
      pixelFormat: .grey, dimensions: Dimensions(width: 16, height: 8), data: Data(bytes))
    // Seeds that differ by a multiple of 256 differ in what follows the picture.
    return ((try? picture?.jpegData()) ?? Data()) + Data("seed \(seed)".utf8)
  }
}
