public import Foundation

/// Writes photos so that a file is there whole or not at all.
public enum PhotoFile {
  /// Writes `data` to a file: aside first, synced to the disk, then renamed into place.
  ///
  /// Whatever happens, a full disk or a killed process included, either the whole file is there or
  /// none (or the one that was there before).
  ///
  /// What exists and is no file, such as a pipe or `/dev/null`, is written to and never replaced.
  ///
  /// - Parameters:
  ///   - data: The file's bytes.
  ///   - url: Where the file goes; its folder must exist.
  ///   - replacesExisting: Whether a file of that name may be replaced. The default is `true`.
  /// - Throws: ``CaptureError/cannotWrite(path:code:)`` with the `errno`: `ENOSPC` for a full disk,
  ///   `EEXIST` for a file that may not be replaced.
  public static func write(_ data: Data, to url: URL, replacesExisting: Bool = true)
    throws(CaptureError)
  {
    let path = url.path
    if isDeviceOrPipe(path), replacesExisting { return try writeThrough(data, to: path) }
    let folder = url.deletingLastPathComponent().path
    let aside =
      "\(folder)/.\(url.lastPathComponent.prefix(64)).\(UInt64.random(in: 0...UInt64.max))"
    let file = unsafe open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw .cannotWrite(path: path, code: errno) }
    var code = writeAll(data, to: file)
    if code == 0, fsync(file) != 0 { code = errno }
    if close(file) != 0, code == 0 { code = errno }
    if code == 0 { code = move(aside, to: path, replacesExisting: replacesExisting) }
    guard code == 0 else {
      unsafe unlink(aside)
      throw .cannotWrite(path: path, code: code)
    }
    syncFolder(folder)
  }

  /// Whether `path` is something that a rename would destroy rather than write to.
  private static func isDeviceOrPipe(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return [S_IFCHR, S_IFBLK, S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  private static func writeThrough(_ data: Data, to path: String) throws(CaptureError) {
    let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw .cannotWrite(path: path, code: errno) }
    let code = writeAll(data, to: file)
    close(file)
    guard code == 0 else { throw .cannotWrite(path: path, code: code) }
  }

  private static func writeAll(_ data: Data, to file: Int32) -> Int32 {
    unsafe data.withUnsafeBytes { bytes in
      var rest = unsafe bytes[...]
      while unsafe !rest.isEmpty {
        let count = unsafe Glibc.write(
          file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0 {
          if errno == EINTR { continue }
          return errno
        }
        unsafe rest = unsafe rest.dropFirst(count)
      }
      return 0
    }
  }

  private static func move(_ source: String, to path: String, replacesExisting: Bool) -> Int32 {
    guard !replacesExisting else { return unsafe rename(source, path) == 0 ? 0 : errno }
    // A hard link fails where the name is taken, on every file system that has links.
    if unsafe link(source, path) == 0 {
      unsafe unlink(source)
      return 0
    }
    guard errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS else { return errno }
    // FAT has no links: take the name first, then replace what we took.
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { return errno }
    close(file)
    guard unsafe rename(source, path) != 0 else { return 0 }
    let code = errno
    unsafe unlink(path)
    return code
  }

  /// Makes the new name last through a power cut.
  ///
  /// The file is whole either way, so failures don't count.
  private static func syncFolder(_ path: String) {
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
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
