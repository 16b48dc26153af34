import Foundation

/// Where the photos of a series go.
enum IntervalDestination: Sendable {
  /// Files in a folder that exists.
  case folder(URL)
  case custom(@Sendable (CapturePhoto, Int) async throws -> URL?)

  /// How many bytes are free on the folder's disk, or `nil` when that can't be told.
  var freeDiskSpace: Int? {
    guard case .folder(let folder) = self else { return nil }
    var status = statvfs()
    guard unsafe statvfs(folder.path, &status) == 0 else { return nil }
    let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(
      by: UInt64(status.f_frsize))
    return overflow ? .max : Int(clamping: bytes)
  }

  /// Whether photos can go there, as far as that is known before.
  func validate() throws(CaptureError) {
    guard case .folder(let folder) = self else { return }
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) else {
      throw .cannotWrite(path: folder.path, code: ENOENT)
    }
    guard isFolder.boolValue else { throw .cannotWrite(path: folder.path, code: ENOTDIR) }
  }

  /// Saves a photo, whole or not at all.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - number: Its number in the series.
  ///   - start: When the series started, of which files are named.
  /// - Returns: The file, if it is one.
  /// - Throws: What kept the photo from being saved.
  func save(_ photo: CapturePhoto, number: Int, start: Date) async throws -> URL? {
    switch self {
    case .custom(let save):
      return try await save(photo, number)
    case .folder(let folder):
      let name = PhotoFile.suggestedName(for: start, fileType: photo.fileType)
      let ending = photo.fileType.pathExtension
      let url = folder.appendingPathComponent(
        name.dropLast(ending.count + 1) + String(format: "_%05d.", number) + ending)
      try await Blocking.run { () throws(CaptureError) in
        try photo.write(to: url, replacesExisting: false)
      }
      return url
    }
  }
}
