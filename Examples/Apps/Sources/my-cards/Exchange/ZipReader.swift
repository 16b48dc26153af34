import CLibArchive
import Foundation

/// The files in a zip archive on disk, one after the other, with libarchive; one at a time is in memory.
struct ZipReader {
  /// How much of it is read; what unpacks to more is no wallet's.
  struct Limits {
    var entries = 20_000
    /// Of one file, in bytes.
    var size = 64 << 20
    /// Of all files together, in bytes.
    var total = 4 << 30
  }

  let file: URL
  var limits = Limits()

  /// Whether a file begins as a zip archive does.
  static func isArchive(_ file: URL) -> Bool {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
    defer { try? handle.close() }
    let start = (try? handle.read(upToCount: 4)) ?? Data()
    return start == Data([0x50, 0x4b, 3, 4]) || start == Data([0x50, 0x4b, 5, 6])
  }

  /// The names of all files, without folders.
  func names() throws -> Set<String> {
    var names: Set<String> = []
    try read(where: { name in
      names.insert(name)
      return false
    }) { _, _ in true }
    return names
  }

  /// Reads files.
  ///
  /// - Parameters:
  ///   - isWanted: Which ones, by name without folders; of the others nothing is unpacked.
  ///   - body: Gets each file's name and bytes; `false` ends the reading.
  /// - Throws: ``ExchangeError``, and what the body throws.
  func read(
    where isWanted: (String) -> Bool, _ body: (String, Data) throws -> Bool
  ) throws {
    let archive = archive_read_new()
    defer { archive_read_free(archive) }
    archive_read_support_format_zip_seekable(archive)
    guard archive_read_open_filename(archive, file.path, 64 << 10) == ARCHIVE_OK else {
      throw Self.damaged
    }
    var (entries, left) = (0, limits.total)
    var entry: OpaquePointer?
    while true {
      let status = archive_read_next_header(archive, &entry)
      if status == ARCHIVE_EOF { return }
      guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else { throw Self.damaged }
      entries += 1
      guard entries <= limits.entries else {
        throw ExchangeError.tooLarge(what: "The number of files")
      }
      guard let path = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry) else {
        continue
      }
      // The name alone: nothing is ever written to where an archive says.
      let name = String(cString: path).split(separator: "/", omittingEmptySubsequences: false).last
      guard let name, !name.isEmpty, isWanted(String(name)) else { continue }
      guard archive_entry_is_encrypted(entry) == 0 else { throw ExchangeError.encrypted }
      let data = try contents(archive, limit: min(limits.size, left))
      left -= data.count
      guard try body(String(name), data) else { return }
    }
  }

  private static let damaged = ExchangeError.notCatima(reason: "the zip archive is damaged")

  private func contents(_ archive: OpaquePointer?, limit: Int) throws(ExchangeError) -> Data {
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = archive_read_data(archive, &chunk, chunk.count)
      guard count >= 0 else { throw Self.damaged }
      if count == 0 { return data }
      data += chunk.prefix(count)
      // What an archive says of sizes isn't trusted.
      guard data.count <= limit else { throw .tooLarge(what: "A file") }
    }
  }
}
