public import Foundation
public import Viewfinder

/// A file to save, and its part in the photo.
public struct PhotoResource: Hashable, Sendable {
  /// Where the bytes come from.
  public enum Source: Hashable, Sendable {
    /// Bytes in memory.
    case data(Data)
    /// A file that stays where it is.
    case copy(URL)
    /// A file that leaves its place once everything is saved.
    case move(URL)
  }

  /// Where the bytes come from.
  public var source: Source
  /// Whether this is the edited version of another resource in the same call.
  ///
  /// The default is `false`.
  public var isEdited: Bool
  /// Tags that replace the file's own in the saved file.
  ///
  /// The default is `nil`, which saves the bytes as they are. Only JPEG and PNG files can get other tags.
  public var metadata: PhotoTags?

  /// Creates a resource.
  public init(_ source: Source, isEdited: Bool = false, metadata: PhotoTags? = nil) {
    self.source = source
    self.isEdited = isEdited
    self.metadata = metadata
  }
}

extension PhotoLibrary {
  /// Saves a camera's photo into the camera roll, and adds it to an album.
  ///
  /// When this returns, the file is on the disk; when the library can't write it, there is none.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - metadata: Tags that replace the photo's own; `nil`, the default, for none.
  ///   - album: An album that a person made, which gets the photo; `nil`, the default, for none.
  ///   - naming: How to name the file. The default is DCF, as cameras do.
  /// - Returns: The new asset.
  /// - Throws: ``PhotoLibraryError/cannotWrite(path:code:)``, such as for a full disk;
  ///   ``PhotoLibraryError/invalidRequest(reason:)`` for tags that can't be written;
  ///   ``PhotoLibraryError/notAdded(saved:album:reason:)`` when it is saved, but not in the album.
  @discardableResult
  public func save(
    _ photo: CapturePhoto, metadata: PhotoTags? = nil, to album: Album? = nil,
    naming: PhotoNaming = .dcf()
  ) async throws(PhotoLibraryError) -> Asset {
    try await save(
      [PhotoResource(.data(photo.fileDataRepresentation()), metadata: metadata)], to: album,
      naming: naming)
  }

  /// Saves the files of one photo or video into the camera roll, all or none, and adds it to an album.
  ///
  /// The content of each file decides what it is. Its bytes stay as they are, except for the tags in its
  /// ``PhotoResource/metadata``. A date among these also counts for the name.
  ///
  /// - Parameters:
  ///   - resources: One or more files, such as an original and its edited version, or a JPEG and its raw
  ///     file.
  ///   - album: An album that a person made, which gets the photo; `nil`, the default, for none.
  ///   - naming: How to name the files. The default is DCF, as cameras do.
  /// - Returns: The new asset.
  /// - Throws: ``PhotoLibraryError/unsupported(what:reason:)`` for what is neither picture nor video,
  ///   ``PhotoLibraryError/invalidRequest(reason:)`` for metadata that can't be written,
  ///   ``PhotoLibraryError/cannotWrite(path:code:)``; ``PhotoLibraryError/notAdded(saved:album:reason:)`` when only the
  ///   album can't be written. A photo counts as saved even when the index can't be written.
  @discardableResult
  public func save(
    _ resources: [PhotoResource], to album: Album? = nil, naming: PhotoNaming = .dcf()
  ) async throws(PhotoLibraryError) -> Asset {
    let asset = try await Blocking.run { [core] () throws(PhotoLibraryError) in
      let files = try resources.map { resource throws(PhotoLibraryError) in
        try IncomingFile(resource)
      }
      let date =
        files.lazy.compactMap(\.captureDate).first ?? CaptureDate(Date(), in: .current)
      let saver = PhotoSaver(folder: core.roots[0], naming: naming)
      let paths = try saver.save(files.map(\.file), date: date)
      _ = try core.scan(
        .folders(Set(paths.map(\.folder) + paths.flatMap { core.newFolders(above: $0) })))
      let found = try core.index.readNow { db in try AssetQueries.asset(at: paths[0], db) }
      guard let found else {
        throw .notFound(what: "\(paths[0]) any more; another program took it away")
      }
      return Asset(found, core)
    }
    guard let album else { return asset }
    do throws(PhotoLibraryError) {
      try await album.add([asset])
    } catch {
      throw .notAdded(saved: asset, album: album.name, reason: error.description)
    }
    return asset
  }
}

/// A file to save, with what it holds.
private struct IncomingFile {
  let file: PhotoSaver.File
  let captureDate: CaptureDate?

  init(_ resource: PhotoResource) throws(PhotoLibraryError) {
    let source: PhotoSaver.Source
    let windows: FileWindows
    var status: FileStatus?
    switch resource.source {
    case .data(let data):
      windows = FileWindows(data)
      source = .data(data)
    case .copy(let url), .move(let url):
      let reader = try FileReader(FilePath(url))
      windows = FileWindows(reader)
      status = reader.status
      if case .move = resource.source {
        source = .move(reader.path)
      } else {
        source = .copy(reader.path)
      }
    }
    let info = try MediaReader.read(windows)
    guard let type = info.type else {
      throw .unsupported(what: "The file", reason: "it holds neither a picture nor a video")
    }
    let metadata = resource.metadata.flatMap { $0.isEmpty ? nil : $0 }
    captureDate = metadata?.captureDate ?? info.captureDate
    file = PhotoSaver.File(
      source: source, type: type, role: resource.isEdited ? .edited : .original,
      splice: try metadata?.splice(into: windows, info, status))
  }
}

extension CaptureDate {
  /// A moment as a clock in that zone shows it.
  init(_ date: Date, in zone: TimeZone) {
    let offset = zone.secondsFromGMT(for: date)
    let seconds = date.timeIntervalSince1970.rounded(.down)
    self.init(
      localSeconds: Int64(seconds) + Int64(offset),
      nanoseconds: Int32((date.timeIntervalSince1970 - seconds) * 1_000_000_000),
      offset: Int32(offset))
  }
}
