public import Foundation
import GRDB
public import Viewfinder

/// A photo or video in the library; `PHAsset` and `ALAsset` to Apple's apps.
///
/// It is a value, and shows the asset as it was when the library fetched it.
public struct Asset: Identifiable, Sendable {
  let file: FileRow
  let folder: FilePath
  let library: LibraryCore
  /// Of all its files.
  let facts: AssetFacts
  /// Whether its folder couldn't be read, or its disk wasn't there, when the library fetched it.
  ///
  /// Its files are not lost: they are there again with the disk.
  public let isAbsent: Bool

  /// Identifies the asset in this library, wherever its files go and whatever they are called.
  public let id: UUID
  /// Whether it is one of the favourites.
  public let isFavorite: Bool

  /// What kind of thing it is; `nil` for a file of an unknown kind, or one that can't be read.
  public var mediaType: ContentType.Kind? { file.info.type?.kind }

  /// What the default file holds, by its content; `nil` when that isn't known.
  public var contentType: ContentType? { file.info.type }

  /// Width and height of the upright picture, in pixels; `nil` when they aren't known.
  public var dimensions: Dimensions? { file.info.dimensions }

  /// How the stored pixels are turned and mirrored; ``fullResolutionImage()`` is upright.
  public var orientation: ImageOrientation { file.info.orientation }

  /// When it was taken, as the camera recorded it, or as a file's name says; `nil` when neither does.
  ///
  /// Like the place and the camera, it comes from the default file, or from another one where the default file doesn't
  /// have it: programs that edit often leave it out.
  public var captureDate: CaptureDate? { facts.captureDate }

  /// Where ``captureDate`` comes from; `nil` when there is none.
  public var captureDateSource: CaptureDate.Source? { facts.captureDateSource }

  /// When the default file was last written.
  public var modificationDate: Date {
    Date(timeIntervalSince1970: Double(file.status.modified) / 1_000_000_000)
  }

  /// When the library first saw it.
  public var additionDate: Date { Date(timeIntervalSince1970: Double(file.added) / 1_000_000_000) }

  /// Where it was taken; `nil` when the camera didn't say.
  public var location: GeoPosition? { facts.position }

  /// How long a video is, in seconds; `nil` for pictures.
  public var duration: Double? { file.info.duration }

  /// The camera's make and model.
  public var camera: String? { facts.camera }

  /// Whether the asset is a burst of several pictures.
  public var isBurst: Bool { file.isBurst }

  /// Whether it is a picture with the moment around the press: one of Apple's Live Photos, or a motion photo.
  ///
  /// The video is the representation with the role ``AssetRepresentation/Role/pairedVideo``.
  public var isLivePhoto: Bool { facts.hasPairedVideo }

  /// The default file's name, with U+FFFD for bytes that aren't UTF-8.
  public var fileName: String { file.name.description }

  /// The default file.
  public var fileURL: URL { path.url }

  /// A URL that ``PhotoLibrary/asset(at:)`` opens, now and later.
  public var url: URL { LibraryURL.asset(id).url }

  /// Why it can't be shown, when something is wrong with the default file.
  public var error: PhotoLibraryError? {
    isAbsent ? .absent(path: path.description) : defaultRepresentation.error
  }

  /// Whether the default file ends before the picture or video in it does: somebody may still be writing it.
  public var isIncomplete: Bool { file.info.isIncomplete }

  /// Whether its files were gone when the library fetched it; earlier lists still name it.
  public var isRemoved: Bool { file.removed != 0 }

  var path: FilePath { defaultRepresentation.path }
}

extension Asset: Hashable {
  /// Whether both are the same asset in the same state.
  public static func == (a: Asset, b: Asset) -> Bool {
    a.id == b.id && a.file.content == b.file.content && a.path == b.path && a.facts == b.facts
      && a.isFavorite == b.isFavorite && a.isRemoved == b.isRemoved && a.isAbsent == b.isAbsent
  }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Asset {
  /// Its files, the default one first; of a Live Photo or motion photo also its video.
  ///
  /// - Throws: ``PhotoLibraryError/notFound(what:)`` when they are gone.
  public func representations() async throws(PhotoLibraryError) -> [AssetRepresentation] {
    let rows = try await library.index.read { [id] db in try AssetQueries.files(of: id, db) }
    guard !rows.isEmpty else { throw .notFound(what: "file of \(fileName); it has vanished") }
    let isPicture = rows[0].file.info.type?.kind != .video
    return rows.flatMap { row in
      let isPaired = isPicture && row.file.info.type?.kind == .video
      return [
        AssetRepresentation(
          file: row.file, folder: row.folder, role: isPaired ? .pairedVideo : nil),
        AssetRepresentation(motionOf: row.file, folder: row.folder),
      ].compactMap(\.self)
    }
  }

  /// The file to show: the edited one, where there is one.
  public var defaultRepresentation: AssetRepresentation {
    AssetRepresentation(file: file, folder: folder)
  }

  /// The picture in full resolution, upright.
  ///
  /// - Throws: ``PhotoLibraryError``, such as ``PhotoLibraryError/unsupported(what:reason:)`` for formats that the
  ///   library only lists.
  public func fullResolutionImage() async throws(PhotoLibraryError) -> PixelBuffer {
    try await defaultRepresentation.fullResolutionImage()
  }

  /// The picture for a screen, upright: see ``AssetRepresentation/image(fitting:)``.
  ///
  /// - Parameter box: The greatest width and height, in pixels; smaller pictures keep their size.
  /// - Returns: The whole picture, with its proportions.
  /// - Throws: ``PhotoLibraryError``, such as ``PhotoLibraryError/unsupported(what:reason:)``.
  public func image(fitting box: Dimensions) async throws(PhotoLibraryError) -> PixelBuffer {
    try await defaultRepresentation.image(fitting: box)
  }
}
