import Foundation
import Testing
import Viewfinder

/// A folder with photos, an index and a cache of its own.
final class LibraryToolRig: Sendable {
  let folder: Folder
  var pictures: URL { folder.url.appending("Pictures") }
  var cache: URL { folder.aside.appending("cache") }
  var index: URL { folder.aside.appending("index") }

  /// A library with a photo under each name, the oldest first.
  init(_ names: [String] = []) throws {
    folder = try Folder()
    try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
    for (seed, name) in names.enumerated() {
      try write(name, seed: seed)
      let date = Date(timeIntervalSince1970: 1_700_000_000 + Double(seed))
      try FileManager.default.setAttributes(
        [.modificationDate: date], ofItemAtPath: pictures.appending(name).path)
    }
  }

  func run(
    _ arguments: [String], output: FileHandle? = nil,
    whileRunning: (Process) -> Void = { _ in }
  ) async throws -> ToolRun {
    let places = arguments.contains("--root") ? [] : ["--root", "Pictures"]
    let index = arguments.contains("--index") ? [] : ["--index", index.path]
    return try await tool(
      ["library"] + arguments + places + index, by: ["XDG_CACHE_HOME=\(cache.path)"], in: folder,
      output: output, whileRunning: whileRunning)
  }

  /// Runs a script of bash's, for which “viewfinder” is the tool and “library” one of its commands on this library.
  ///
  /// Only so can arguments be passed that aren't UTF-8.
  func shell(_ script: String) async throws -> ToolRun {
    let functions = """
      tool=$0
      viewfinder() { "$tool" "$@"; }
      library() { "$tool" library "$@" --root Pictures --index '\(index.path)'; }
      export tool
      """
    return try await tool(
      [], by: ["XDG_CACHE_HOME=\(cache.path)", "bash", "-c", functions + "\n" + script],
      in: folder)
  }

  func json(_ arguments: [String]) async throws -> [String: Any] {
    try await run(arguments + ["--json"]).json
  }

  /// The file names that a list has.
  func names(_ arguments: [String]) async throws -> [String] {
    let assets = try #require(
      try await json(["list"] + arguments)["assets"] as? [[String: Any]])
    return assets.compactMap { $0["fileName"] as? String }
  }

  var indexFiles: [URL] {
    let names = FileManager.default.enumerator(atPath: index.path)?.allObjects as? [String] ?? []
    return names.filter { $0.contains("sqlite") }.map { index.appending($0) }
  }

  func write(_ name: String, seed: Int) throws {
    let url = pictures.appending(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Self.jpeg(seed: seed).write(to: url)
  }

  func write(bytes name: [UInt8], seed: Int) throws {
    let file = (Array(pictures.path.utf8) + [0x2f] + name + [0]).withUnsafeBufferPointer {
      $0.withMemoryRebound(to: CChar.self) { open($0.baseAddress!, O_WRONLY | O_CREAT, 0o644) }
    }
    try FileHandle(fileDescriptor: file, closeOnDealloc: true).write(
      contentsOf: Self.jpeg(seed: seed))
  }

  /// Writes the beginning of a photo, some time ago.
  func writeCut(_ name: String) throws {
    let data = Self.jpeg(seed: 0, side: 256)
    try data.prefix(60).write(to: pictures.appending(name))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
      ofItemAtPath: pictures.appending(name).path)
  }

  func move(_ name: String, _ other: String) throws {
    try FileManager.default.moveItem(
      at: pictures.appending(name), to: pictures.appending(other).standardized)
  }

  /// A small JPEG, different for each seed.
  static func jpeg(seed: Int, side: Int = 16) -> Data {
    let bytes = (0..<side * side).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ seed &* 97) }
    let picture = try? PixelBuffer(
      pixelFormat: .grey, dimensions: Dimensions(width: side, height: side), data: Data(bytes))
    return (try? picture?.jpegData()) ?? Data()
  }
}

extension ToolRun {
  /// The output as text.
  var text: String { String(decoding: output, as: UTF8.self) }
}
