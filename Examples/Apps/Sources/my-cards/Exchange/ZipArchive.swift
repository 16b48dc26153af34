import CLibZip
import Foundation

/// Files in a zip archive in memory, with libzip.
enum ZipArchive {
  /// How much of it is read; what unpacks to more is no wallet's.
  struct Limits {
    var entries = 20_000
    /// Of one file, in bytes.
    var size = 64 << 20
    /// Of all files together, in bytes.
    var total = 1 << 30
  }

  /// Whether bytes begin as a zip archive does.
  static func isArchive(_ data: Data) -> Bool {
    data.starts(with: [0x50, 0x4b, 3, 4]) || data.starts(with: [0x50, 0x4b, 5, 6])
  }

  /// Reads an archive's files one after the other.
  ///
  /// - Parameters:
  ///   - data: The archive.
  ///   - limits: How much is read.
  ///   - body: Gets each file's name without folders, and its bytes.
  /// - Throws: ``ExchangeError``, and what the body throws.
  static func read(
    _ data: Data, limits: Limits = Limits(), _ body: (String, Data) throws(ExchangeError) -> Void
  ) throws(ExchangeError) {
    // libzip reads from the bytes as long as the archive is open.
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 1)
    defer { bytes.deallocate() }
    data.copyBytes(to: bytes)
    guard
      let source = zip_source_buffer_create(bytes.baseAddress, zip_uint64_t(data.count), 0, nil)
    else { throw .notCatima(reason: "it is no zip archive") }
    guard let archive = zip_open_from_source(source, Int32(ZIP_RDONLY), nil) else {
      zip_source_free(source)
      throw .notCatima(reason: "the zip archive is damaged")
    }
    defer { zip_discard(archive) }
    let count = Int(zip_get_num_entries(archive, 0))
    guard count <= limits.entries else { throw .tooLarge(what: "The number of files") }
    var left = limits.total
    for index in 0..<zip_uint64_t(count) {
      guard let path = zip_get_name(archive, index, 0).map({ String(cString: $0) }),
        !path.hasSuffix("/")
      else { continue }
      let file = try contents(archive, index, limit: min(limits.size, left))
      left -= file.count
      // The name alone: nothing is ever written to where an archive says.
      try body(String(path.split(separator: "/").last ?? ""), file)
    }
  }

  private static func contents(_ archive: OpaquePointer, _ index: zip_uint64_t, limit: Int)
    throws(ExchangeError) -> Data
  {
    var status = zip_stat_t()
    zip_stat_index(archive, index, 0, &status)
    guard status.encryption_method == 0 else { throw .encrypted }
    guard let file = zip_fopen_index(archive, index, 0) else {
      throw .notCatima(reason: "the zip archive is damaged")
    }
    defer { zip_fclose(file) }
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = zip_fread(file, &chunk, zip_uint64_t(chunk.count))
      guard count >= 0 else { throw .notCatima(reason: "the zip archive is damaged") }
      if count == 0 { return data }
      data += chunk.prefix(Int(count))
      // What an archive says of sizes isn't trusted.
      guard data.count <= limit else { throw .tooLarge(what: "A file") }
    }
  }

  /// Makes an archive.
  ///
  /// - Parameter files: Names and bytes.
  /// - Returns: The archive.
  /// - Throws: ``ExchangeError/cannotWrite(reason:)``.
  static func make(_ files: [(name: String, data: Data)]) throws(ExchangeError) -> Data {
    let failed = ExchangeError.cannotWrite(reason: "there is not enough memory")
    guard let target = zip_source_buffer_create(nil, 0, 0, nil) else { throw failed }
    defer { zip_source_free(target) }
    // One hold for the archive, one for reading what was written.
    zip_source_keep(target)
    guard let archive = zip_open_from_source(target, Int32(ZIP_CREATE | ZIP_TRUNCATE), nil) else {
      zip_source_free(target)
      throw failed
    }
    // Files are read when the archive is closed.
    let buffers = files.map { file in
      let bytes = UnsafeMutableRawBufferPointer.allocate(
        byteCount: max(file.data.count, 1), alignment: 1)
      file.data.copyBytes(to: bytes)
      return bytes
    }
    defer { for buffer in buffers { buffer.deallocate() } }
    for (file, buffer) in zip(files, buffers) {
      let source = zip_source_buffer(
        archive, buffer.baseAddress, zip_uint64_t(file.data.count), 0)
      guard let source, zip_file_add(archive, file.name, source, zip_flags_t(ZIP_FL_ENC_UTF_8)) >= 0
      else {
        zip_discard(archive)
        throw failed
      }
    }
    guard zip_close(archive) == 0 else {
      zip_discard(archive)
      throw failed
    }
    return try bytes(of: target)
  }

  private static func bytes(of source: OpaquePointer) throws(ExchangeError) -> Data {
    var status = zip_stat_t()
    guard zip_source_stat(source, &status) == 0, zip_source_open(source) == 0 else {
      throw .cannotWrite(reason: "there is not enough memory")
    }
    defer { zip_source_close(source) }
    var data = Data(count: Int(status.size))
    let count = data.withUnsafeMutableBytes {
      zip_source_read(source, $0.baseAddress!, zip_uint64_t($0.count))
    }
    guard count == data.count else { throw .cannotWrite(reason: "there is not enough memory") }
    return data
  }
}
