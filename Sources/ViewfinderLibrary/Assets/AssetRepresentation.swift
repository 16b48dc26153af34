public import Foundation
public import Viewfinder

/// A file of an asset; `ALAssetRepresentation` and `PHAssetResource` to Apple's apps.
public struct AssetRepresentation: Identifiable, Sendable {
  /// What a file is to its asset.
  public enum Role: Int, Sendable, CaseIterable {
    /// The picture or video as it was taken.
    case original
    /// A version that somebody edited.
    case edited
    /// One of the pictures of a burst.
    case burstMember
    /// The moment around the press: the video of a Live Photo, or the one in the file of a motion photo.
    case pairedVideo
  }

  let file: FileRow
  let folder: FilePath
  /// Of a motion photo's video, its place in the file.
  private let motion: Range<Int>?

  /// What the file is to its asset.
  public let role: Role

  init(file: FileRow, folder: FilePath, role: Role? = nil) {
    (self.file, self.folder, self.role, motion) = (file, folder, role ?? file.role, nil)
  }

  /// The video in a motion photo's file.
  init?(motionOf file: FileRow, folder: FilePath) {
    guard let range = file.info.motion else { return nil }
    (self.file, self.folder, role, motion) = (file, folder, .pairedVideo, range)
  }

  /// Whether it is only a part of a file, whose other part is another representation.
  var isPart: Bool { motion != nil }

  /// Identifies the file, wherever it goes and whatever it is called.
  public var id: UUID {
    motion == nil ? file.id : UUID(hashing: [Array("motion \(file.id)".utf8)])
  }

  /// The file's name, with U+FFFD for bytes that aren't UTF-8.
  public var fileName: String { file.name.description }

  /// Where the file is.
  public var fileURL: URL { path.url }

  /// Which of the file's bytes it is: all, but for a motion photo's video, which lies behind the picture.
  public var byteRange: Range<Int> { motion ?? 0..<file.status.size }

  /// What the file holds, by its content; `nil` when that isn't known.
  public var contentType: ContentType? { motion == nil ? file.info.type : .mpeg4 }

  /// The size in bytes.
  public var size: Int { byteRange.count }

  /// Width and height of the upright picture, in pixels; `nil` when they aren't known.
  public var dimensions: Dimensions? { motion == nil ? file.info.dimensions : nil }

  /// How the stored pixels are turned and mirrored.
  public var orientation: ImageOrientation { file.info.orientation }

  /// When it was taken, as the camera recorded it; `nil` when it didn't.
  public var captureDate: CaptureDate? { file.info.captureDate }

  /// Where it was taken; `nil` when the camera didn't say.
  public var location: GeoPosition? { file.info.position }

  /// Why it can't be shown, when something is wrong with it.
  public var error: PhotoLibraryError? {
    file.info.damage.map { .damaged(what: path.description, reason: $0) }
  }

  var path: FilePath { folder.appending(file.name) }
}

extension AssetRepresentation {
  /// The bytes, or some of them.
  ///
  /// - Parameter range: Which bytes, from 0 on, clamped to what there is; the default is all.
  /// - Returns: The bytes as they are on the disk.
  /// - Throws: ``PhotoLibraryError/cannotRead(path:code:)``.
  public func data(in range: Range<Int>? = nil) async throws(PhotoLibraryError) -> Data {
    try await Blocking.run { [path, motion] () throws(PhotoLibraryError) in
      let file = try FileReader(path)
      let whole = (motion ?? 0..<file.size).clamped(to: 0..<file.size)
      let part = (range ?? 0..<whole.count).clamped(to: 0..<whole.count)
      return Data(try file.read(at: whole.lowerBound + part.lowerBound, count: part.count))
    }
  }

  /// What the file's Exif data say about how it was taken.
  ///
  /// - Returns: What is in the file now; an empty value for a file without Exif data.
  /// - Throws: ``PhotoLibraryError/cannotRead(path:code:)``.
  public func metadata() async throws(PhotoLibraryError) -> AssetMetadata {
    try await Blocking.run { [path] () throws(PhotoLibraryError) in
      try MediaReader.read(FileReader(path)).metadata
    }
  }

  /// The file's Exif data as they are: TIFF, from the byte order on.
  ///
  /// - Returns: What is in the file now; `nil` for a file without Exif data, and for a raw file that is TIFF itself.
  /// - Throws: ``PhotoLibraryError/cannotRead(path:code:)``.
  public func exifData() async throws(PhotoLibraryError) -> Data? {
    try await read { (file) throws(PhotoLibraryError) in try file.exif() }
  }

  /// The picture in full resolution, upright.
  ///
  /// The library decodes JPEG, PNG, TIFF (the first page in full size), GIF (the first picture) and BMP, and with the
  /// package's traits WebP and HEIF these formats, too. It doesn't decode the pixels of raw files; ``image(fitting:)``
  /// shows the camera's own picture of them.
  ///
  /// - Throws: ``PhotoLibraryError``, such as ``PhotoLibraryError/unsupported(what:reason:)`` for formats that the
  ///   library only lists.
  public func fullResolutionImage() async throws(PhotoLibraryError) -> PixelBuffer {
    try await read { (file) throws(PhotoLibraryError) in try file.picture() }
  }

  /// The picture for a screen, upright; Apple's `fullScreenImage`.
  ///
  /// It takes the least work that gives the picture: an embedded preview that looks the same, a decoder that scales, or
  /// the camera's own picture in a raw file.
  ///
  /// - Parameter box: The greatest width and height, in pixels; smaller pictures keep their size.
  /// - Returns: The whole picture, with its proportions.
  /// - Throws: ``PhotoLibraryError``, such as ``PhotoLibraryError/unsupported(what:reason:)`` for formats that the
  ///   library only lists and that have no preview.
  public func image(fitting box: Dimensions) async throws(PhotoLibraryError) -> PixelBuffer {
    try await read { (file) throws(PhotoLibraryError) in try file.picture(fitting: box) }
  }

  private func read<R: Sendable>(
    _ body: @escaping @Sendable (PictureReader) throws(PhotoLibraryError) -> R
  ) async throws(PhotoLibraryError) -> R {
    try await Blocking.run { () throws(PhotoLibraryError) in try body(reader()) }
  }

  /// Reads the file's picture while the caller waits.
  func reader() throws(PhotoLibraryError) -> PictureReader {
    try PictureReader(path, file.info, file.status)
  }
}

extension PhotoLibraryError {
  /// What a picture's decoder found, in the library's words.
  init(_ error: CaptureError, path: FilePath) {
    switch error {
    case .unsupportedImage(_, let reason):
      self = .unsupported(what: path.description, reason: reason)
    case .badImageData(_, let reason): self = .damaged(what: path.description, reason: reason)
    case .invalidSettings(let reason): self = .invalidRequest(reason: reason)
    case .cannotRead(_, let code): self = .cannotRead(path: path.description, code: code)
    case .cannotWrite(let target, let code): self = .cannotWrite(path: target, code: code)
    case .system(_, let code, _): self = .cannotRead(path: path.description, code: code)
    default: self = .damaged(what: path.description, reason: error.description)
    }
  }
}
