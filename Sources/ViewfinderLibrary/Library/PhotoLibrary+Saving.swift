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

/// A photo or video that is on the disk, whole, but not in the library yet; PhotoKit's placeholder.
///
/// Its identifier is known before it is saved, so that a program can note it first and lose no photo when it is
/// killed in between. Where nobody saves it, nothing is left of it.
public final class AssetPlaceholder: Identifiable, Sendable {
  /// The identifier that the asset will have.
  ///
  /// It follows from what the files hold. Should another program save the same bytes in between, the asset gets another
  /// one.
  public let id: UUID
  let saver: PhotoSaver
  /// The place among its files of the one after which the asset is called.
  let namesake: Int
  private let core: LibraryCore
  /// What is to be saved; `nil` when it is.
  private let pending: Mutex<PhotoSaver.Pending?>

  init(
    _ pending: PhotoSaver.Pending, of files: [PhotoSaver.File], _ saver: PhotoSaver,
    _ core: LibraryCore
  ) throws(PhotoLibraryError) {
    let contents = try pending.contents()
    let namesake = files.indices.min { files[$0].rank < files[$1].rank } ?? 0
    let content = contents[namesake]
    id = core.promised.withLock { promised in
      let id = try? core.index.readNow { db in
        try IndexWriter(db).freeID(for: content, besides: promised)
      }
      let promise = id ?? content.fileID(copy: 0)
      promised.insert(promise)
      return promise
    }
    (self.saver, self.namesake, self.core) = (saver, namesake, core)
    self.pending = Mutex(pending)
  }

  deinit { core.promised.withLock { _ = $0.remove(id) } }

  func take() throws(PhotoLibraryError) -> PhotoSaver.Pending {
    let taken = pending.withLock { pending in
      defer { pending = nil }
      return pending
    }
    guard let taken else {
      throw .invalidRequest(reason: "The photo was saved already; a placeholder saves one photo.")
    }
    return taken
  }

  /// Keeps it for another try.
  func giveBack(_ photo: PhotoSaver.Pending) { pending.withLock { $0 = photo } }
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
  ///   ``PhotoLibraryError/notAdded(saved:album:because:)`` when it is saved, but not in the album.
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
  /// - Returns: The new asset. It is saved even where the index can't be written; the library then takes it up later.
  /// - Throws: ``PhotoLibraryError/unsupported(what:reason:)`` for what is neither picture nor video,
  ///   ``PhotoLibraryError/invalidRequest(reason:)`` for metadata that can't be written,
  ///   ``PhotoLibraryError/cannotWrite(path:code:)``; ``PhotoLibraryError/notAdded(saved:album:because:)`` when only the
  ///   album can't be written.
  @discardableResult
  public func save(
    _ resources: [PhotoResource], to album: Album? = nil, naming: PhotoNaming = .dcf()
  ) async throws(PhotoLibraryError) -> Asset {
    try await save([prepare(resources, naming: naming)], to: album)[0]
  }

  /// Writes the files of one photo or video to the disk, without saving it yet.
  ///
  /// - Parameters:
  ///   - resources: As in ``save(_:to:naming:)``.
  ///   - naming: How to name the files. The default is DCF, as cameras do.
  /// - Returns: What ``save(_:to:)`` saves, with the identifier that the asset will have.
  /// - Throws: The same errors as ``save(_:to:naming:)``; nothing is left then.
  public func prepare(
    _ resources: [PhotoResource], naming: PhotoNaming = .dcf()
  ) async throws(PhotoLibraryError) -> AssetPlaceholder {
    try await Blocking.run { [core] () throws(PhotoLibraryError) in
      let files = try resources.map { resource throws(PhotoLibraryError) in
        try IncomingFile(resource)
      }
      let date =
        files.lazy.compactMap(\.captureDate).first ?? CaptureDate(Date(), in: .current)
      let saver = PhotoSaver(
        folder: core.roots[0], naming: naming, usedNumbers: core.usedNumbers)
      let pending = try saver.prepare(files.map(\.file), date: date)
      return try AssetPlaceholder(pending, of: files.map(\.file), saver, core)
    }
  }

  /// Saves photos that were prepared, all or none of them, and adds them to an album.
  ///
  /// - Parameters:
  ///   - placeholders: One or more photos of this library, with one naming.
  ///   - album: An album that a person made, which gets the photos; `nil`, the default, for none.
  /// - Returns: The new assets, in that order.
  /// - Throws: ``PhotoLibraryError/cannotWrite(path:code:)``; none is saved then, and you can try again.
  ///   ``PhotoLibraryError/notAdded(saved:album:because:)`` with the first one when all are saved, but not in the album.
  @discardableResult
  public func save(
    _ placeholders: [AssetPlaceholder], to album: Album? = nil
  ) async throws(PhotoLibraryError) -> [Asset] {
    let assets = try await Blocking.run { [core] () throws(PhotoLibraryError) in
      try core.save(placeholders)
    }
    guard let album, let first = assets.first else { return assets }
    do throws(PhotoLibraryError) {
      try await album.add(assets)
    } catch {
      throw .notAdded(saved: first, album: album.name, because: error)
    }
    return assets
  }
}

extension LibraryCore {
  /// Gives prepared photos their names and takes them up.
  fileprivate func save(_ placeholders: [AssetPlaceholder]) throws(PhotoLibraryError) -> [Asset] {
    guard let saver = placeholders.first?.saver else { return [] }
    var photos: [PhotoSaver.Pending] = []
    let paths: [[FilePath]]
    do throws(PhotoLibraryError) {
      for placeholder in placeholders { photos.append(try placeholder.take()) }
      paths = try saver.publish(photos)
    } catch {
      for (placeholder, photo) in zip(placeholders, photos) { placeholder.giveBack(photo) }
      throw error
    }
    let all = paths.flatMap(\.self)
    let identifiers = zip(paths, placeholders).map { (paths, placeholder) in
      (paths[placeholder.namesake], placeholder.id)
    }
    // They are saved, whatever becomes of the index: it is filled from the folders.
    try? scanner.takeUp(all, identifiers: Dictionary(identifiers) { first, _ in first })
    return try zip(paths, placeholders).map { (paths, placeholder) throws(PhotoLibraryError) in
      if let found = try? index.readNow({ db in try AssetQueries.asset(at: paths[0], db) }) {
        return Asset(found, self)
      }
      return try Asset(saved: paths, id: placeholder.id, self)
    }
  }
}

extension PhotoSaver.File {
  fileprivate var rank: Int {
    AssetGrouping.rank(role == .edited ? .edited : .original, type)
  }
}

extension Asset {
  /// A photo that was just saved and that the index couldn't take up.
  fileprivate init(
    saved paths: [FilePath], id: UUID, _ core: LibraryCore
  ) throws(PhotoLibraryError) {
    let rows = paths.compactMap { path -> FileRow? in
      guard let status = FileStatus(of: path),
        let file = FileExaminer.examine(
          FoundFile(folder: path.folder, name: path.name, status: status))
      else { return nil }
      return FileRow(file, in: 0, id: id, added: .now)
    }
    guard let shown = AssetGrouping.groups(of: rows).first else {
      throw .notFound(what: "\(paths[0]) any more; another program took it away")
    }
    self.init(
      file: shown[0], folder: paths[0].folder, library: core,
      facts: AssetFacts(shown[0], shown.dropFirst()), isAbsent: false, id: id, isFavorite: false)
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
