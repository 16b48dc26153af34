import CLibArchive
import Foundation
import Glibc

/// Makes a zip archive file by file, with libarchive; what is made is taken away at once, so that no archive is ever in
/// memory as a whole.
final class ZipWriter {
  private let archive: OpaquePointer
  /// What libarchive has made and nobody has taken yet.
  private var made = Data()

  init() throws(ExchangeError) {
    guard let archive = archive_write_new() else { throw Self.failure(nil) }
    self.archive = archive
    guard archive_write_set_format_zip(archive) == ARCHIVE_OK,
      // PNG files don't get smaller; and readers that can't seek need a method that says where it ends.
      archive_write_set_options(archive, "zip:compression=deflate,zip:compression-level=1")
        == ARCHIVE_OK,
      archive_write_set_bytes_per_block(archive, 0) == ARCHIVE_OK,
      archive_write_open2(
        archive, Unmanaged.passUnretained(self).toOpaque(), nil,
        { _, writer, bytes, count in
          guard let writer, let bytes else { return -1 }
          Unmanaged<ZipWriter>.fromOpaque(writer).takeUnretainedValue().made
            .append(bytes.assumingMemoryBound(to: UInt8.self), count: count)
          return count
        }, nil, nil) == ARCHIVE_OK
    else { throw Self.failure(archive) }
  }

  deinit {
    // Nothing of it is wanted any more, also where it didn't come to its end.
    archive_write_fail(archive)
    archive_write_free(archive)
  }

  /// Adds a file.
  ///
  /// - Returns: The archive's next bytes.
  func add(_ name: String, _ data: Data, date: Date) throws(ExchangeError) -> Data {
    guard let entry = archive_entry_new() else { throw Self.failure(archive) }
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname_utf8(entry, name)
    archive_entry_set_size(entry, Int64(data.count))
    archive_entry_set_filetype(entry, UInt32(Glibc.S_IFREG))
    archive_entry_set_perm(entry, 0o600)
    archive_entry_set_mtime(entry, time_t(date.timeIntervalSince1970), 0)
    guard archive_write_header(archive, entry) == ARCHIVE_OK else { throw Self.failure(archive) }
    let count = data.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
    guard count == data.count, archive_write_finish_entry(archive) == ARCHIVE_OK else {
      throw Self.failure(archive)
    }
    return take()
  }

  /// Ends the archive.
  ///
  /// - Returns: Its last bytes.
  func end() throws(ExchangeError) -> Data {
    guard archive_write_close(archive) == ARCHIVE_OK else { throw Self.failure(archive) }
    return take()
  }

  private func take() -> Data {
    defer { made = Data() }
    return made
  }

  private static func failure(_ archive: OpaquePointer?) -> ExchangeError {
    let words = archive.flatMap { archive_error_string($0) }.map { String(cString: $0) }
    return .cannotWrite(reason: words ?? "there is not enough memory")
  }
}
