import Foundation
import Viewfinder

/// Copies files: the file system shares their blocks where it can (Btrfs, XFS), else they are read in
/// parts.
enum FileCopy {
  private static let part = 1 << 20

  /// Copies a regular file's bytes and its time of change, and waits until they are on the disk.
  ///
  /// - Parameters:
  ///   - path: The file to copy.
  ///   - splice: What is written otherwise than it is in the file.
  ///   - descriptor: An empty file.
  ///   - folder: Where that is, for messages.
  /// - Returns: What the copied file was.
  /// - Throws: ``PhotoLibraryError``; what was written then is to be thrown away.
  static func copy(
    _ path: FilePath, _ splice: FileSplice?, to descriptor: Int32, of folder: FilePath
  ) throws(PhotoLibraryError) -> FileStatus {
    let reader = try FileReader(path)
    if let splice {
      // Somebody has changed it since the place was looked for.
      guard reader.status == splice.status else {
        throw .cannotRead(path: path.description, code: EIO)
      }
      try copy(0..<splice.range.lowerBound, of: reader, to: descriptor, of: folder)
      let code = FileSystem.write(splice.bytes, to: descriptor)
      guard code == 0 else { throw .cannotWrite(path: folder.description, code: code) }
      try copy(splice.range.upperBound..<reader.size, of: reader, to: descriptor, of: folder)
    } else if !clone(path, reader.status, to: descriptor) {
      try copy(0..<reader.size, of: reader, to: descriptor, of: folder)
    }
    setModified(reader.status.modified, of: descriptor)
    let code = FileSystem.sync(descriptor)
    guard code == 0 else { throw .cannotWrite(path: folder.description, code: code) }
    return reader.status
  }

  private static func copy(
    _ range: Range<Int>, of reader: FileReader, to descriptor: Int32, of folder: FilePath
  ) throws(PhotoLibraryError) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      guard !Task.isCancelled else { throw .cancelled }
      let bytes = try reader.read(at: offset, count: min(part, range.upperBound - offset))
      // Somebody cut it meanwhile.
      guard !bytes.isEmpty else { throw .cannotRead(path: reader.path.description, code: EIO) }
      let code = FileSystem.write(Data(bytes), to: descriptor)
      guard code == 0 else { throw .cannotWrite(path: folder.description, code: code) }
      offset += bytes.count
    }
  }

  /// Waits until a file that another program wrote is on the disk.
  static func sync(_ path: FilePath) throws(PhotoLibraryError) {
    let file = unsafe path.withCString {
      unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    }
    guard file >= 0 else { throw .cannotRead(path: path.description, code: errno) }
    defer { close(file) }
    let code = FileSystem.sync(file)
    guard code == 0 else { throw .cannotWrite(path: path.description, code: code) }
  }

  /// Shares the blocks of the file that had `status` when it was opened.
  private static func clone(_ path: FilePath, _ status: FileStatus, to descriptor: Int32) -> Bool {
    let source = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard source >= 0 else { return false }
    defer { close(source) }
    var found = stat()
    guard fstatIsSame(source, &found, status) else { return false }
    // FICLONE, which Swift doesn't import.
    return ioctl(descriptor, 0x4004_9409, source) == 0
  }

  private static func fstatIsSame(_ file: Int32, _ found: inout stat, _ status: FileStatus) -> Bool
  {
    unsafe fstat(file, &found) == 0 && FileStatus(found) == status
  }

  private static func setModified(_ nanoseconds: Int64, of descriptor: Int32) {
    let second: Int64 = 1_000_000_000
    let rest = ((nanoseconds % second) + second) % second
    let time = timespec(tv_sec: Int((nanoseconds - rest) / second), tv_nsec: Int(rest))
    _ = unsafe futimens(descriptor, [time, time])
  }
}
