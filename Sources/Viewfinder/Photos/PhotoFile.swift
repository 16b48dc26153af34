public import Foundation

/// Writes photos so that a file is there whole or not at all.
public enum PhotoFile {
  /// Writes `data` to a file, which gets its name when all of it is on the disk.
  ///
  /// Whatever happens, a full disk or a killed process included, either the whole file is there or
  /// none (or the one that was there before). On file systems whose files must have names from the
  /// beginning (FAT, NFS) a killed process may leave a hidden file beside it, whose name is a dot, the
  /// photo's name and a number.
  ///
  /// What exists and isn't a file, such as a pipe or `/dev/null`, receives the bytes and stays.
  ///
  /// - Parameters:
  ///   - data: The file's bytes.
  ///   - url: Where the file goes; its folder must exist.
  ///   - replacesExisting: Whether to replace a file of that name. The default is `true`.
  /// - Throws: ``CaptureError/cannotWrite(path:code:)`` with the `errno`: `ENOSPC` for a full disk,
  ///   `EEXIST` for an existing file that the call doesn't replace.
  public static func write(_ data: Data, to url: URL, replacesExisting: Bool = true)
    throws(CaptureError)
  {
    try write(content: data, to: url, replacesExisting: replacesExisting)
  }

  /// The same for bytes that may lie in several places.
  package static func write(content: some FileContent, to url: URL, replacesExisting: Bool)
    throws(CaptureError)
  {
    let path = FileSystem.path(of: url)
    var code: Int32 = 0
    if isDeviceOrPipe(path), replacesExisting {
      code = writeThrough(content, to: path)
    } else {
      do throws(FileFailure) {
        try FileDraft.write(content, to: path, replacesExisting: replacesExisting)
      } catch {
        code = error.code
      }
    }
    guard code == 0 else {
      throw .cannotWrite(path: String(decoding: path, as: UTF8.self), code: code)
    }
  }

  /// Whether `path` is something that a rename would destroy rather than write to.
  private static func isDeviceOrPipe(_ path: [UInt8]) -> Bool {
    var status = stat()
    guard unsafe stat(FileSystem.cString(path), &status) == 0 else { return false }
    return [S_IFCHR, S_IFBLK, S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// Returns 0 or an `errno`.
  private static func writeThrough(_ content: some FileContent, to path: [UInt8]) -> Int32 {
    let file = unsafe open(FileSystem.cString(path), O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return errno }
    defer { close(file) }
    return FileSystem.write(content, to: file)
  }

  /// A name for a photo taken at `date`, such as "IMG_20260412_153012_250.jpg", that sorts by time.
  public static func suggestedName(
    for date: Date, fileType: PhotoFileType = .jpeg, timeZone: TimeZone = .current
  ) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second, .nanosecond], from: date)
    return String(
      format: "IMG_%04d%02d%02d_%02d%02d%02d_%03d.%@", parts.year!, parts.month!, parts.day!,
      parts.hour!, parts.minute!, parts.second!, parts.nanosecond! / 1_000_000,
      fileType.pathExtension)
  }
}
