import Foundation
import Viewfinder

/// A JPEG camera's frame, from the session to a file on the disk, beside a bare write of the same bytes.
///
/// What is measured is the process's CPU time: a photo waits for its frame. The camera gives five frames a second, so
/// that one or two pass meanwhile; what these take by themselves is a line of its own. The peer waits for a frame as
/// well: after a wait, a processor takes up to twice as long for the same system calls.
func file(samples: Int) throws -> [Measurement] {
  let folder = FileManager.default.temporaryDirectory.appending(
    component: "viewfinder-benchmark-\(getpid())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(at: folder) }
  let studio = try Studio(.mjpeg, Dimensions(width: 1920, height: 1080), framesPerSecond: 5)
  defer { studio.session.stopRunningAndWait() }
  func settings(embedsThumbnail: Bool) -> CapturePhotoSettings {
    var settings = CapturePhotoSettings()
    settings.embedsThumbnail = embedsThumbnail
    return settings
  }
  var number = 0
  func newFile() -> URL {
    number += 1
    return folder.appending(component: "\(number).jpg")
  }
  let first = newFile()
  _ = try studio.takePhoto(settings(embedsThumbnail: false), to: first)
  let bytes = [UInt8](try Data(contentsOf: first))
  let bare = "O_TMPFILE, write, fsync, linkat"
  let peer = "a frame, then \(bare)"
  let measured = try race(
    "file 1920x1080", samples: samples, peer: peer,
    [
      Method(name: bare) { _ in try writeBarely(bytes, to: newFile()) },
      Method(name: "a frame, and no file") { _ in
        try studio.frame().format.dimensions.area / 1_000_000
      },
      Method(name: peer) { _ in
        _ = try studio.frame()
        return try writeBarely(bytes, to: newFile())
      },
      Method(name: "viewfinder, a photo without a thumbnail") { _ in
        try studio.takePhoto(settings(embedsThumbnail: false), to: newFile())
      },
      Method(name: "viewfinder, with a thumbnail") { _ in
        try studio.takePhoto(settings(embedsThumbnail: true), to: newFile())
      },
    ])
  printTable("A photo of a camera's own JPEG, 1920 x 1080, from its frame to the disk", measured)
  return measured
}

/// Writes a file as it must be done to be whole or not there, and no more.
private func writeBarely(_ bytes: [UInt8], to url: URL) throws -> Int {
  func check(_ isDone: Bool) throws {
    if !isDone { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }
  // O_TMPFILE, which Swift doesn't import.
  let file = open(
    url.deletingLastPathComponent().path, O_WRONLY | 0o20000000 | O_DIRECTORY | O_CLOEXEC, 0o666)
  try check(file >= 0)
  defer { close(file) }
  try check(write(file, bytes, bytes.count) == bytes.count)
  try check(fsync(file) == 0)
  try check(linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, url.path, AT_SYMLINK_FOLLOW) == 0)
  return bytes.count
}
