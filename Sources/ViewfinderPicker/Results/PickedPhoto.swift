public import Foundation
public import Viewfinder
public import ViewfinderLibrary

/// A picked photo or video; the `info` of Apple's image picker, and `PHPickerResult`.
///
/// It reads and converts nothing until you ask for it.
public struct PickedPhoto: Identifiable, Sendable {
  enum Origin: Sendable {
    case captured(CapturedFile, CapturePhotoFacts)
    case asset(Asset)
  }

  /// What is known of a photo that was taken, without its bytes.
  struct CapturePhotoFacts: Sendable {
    var dimensions: Dimensions
    var type: ContentType
    var date: Date
  }

  /// Identifies the result; for an asset, its id.
  public let id: UUID
  /// Where it came from.
  public let source: ImagePicker.SourceType
  /// How the person cropped it; `nil` for the whole picture, even where the person could have cropped it.
  public internal(set) var edit: PhotoEdit?
  let origin: Origin

  init(_ photo: CapturePhoto, in file: CapturedFile, edit: PhotoEdit?) {
    id = UUID()
    source = .camera
    self.edit = edit
    origin = .captured(
      file,
      CapturePhotoFacts(
        dimensions: photo.resolvedSettings.photoDimensions,
        type: photo.fileType == .png ? .png : .jpeg, date: photo.date))
  }

  init(_ asset: Asset, from source: ImagePicker.SourceType) {
    id = asset.id
    self.source = source
    origin = .asset(asset)
  }

  /// The asset, for what came from the library.
  public var asset: Asset? {
    if case .asset(let asset) = origin { asset } else { nil }
  }

  /// Where the original is.
  ///
  /// The file of a photo that the camera took exists as long as a copy of this value does; copy it, or save it to the
  /// library, to keep it.
  public var originalURL: URL {
    switch origin {
    case .captured(let file, _): file.url
    case .asset(let asset): asset.fileURL
    }
  }

  /// What the original holds, by its content; `nil` when that isn't known.
  public var contentType: ContentType? {
    switch origin {
    case .captured(_, let facts): facts.type
    case .asset(let asset): asset.contentType
    }
  }

  /// Whether it is a picture or a video.
  public var mediaType: ImagePicker.MediaType { contentType?.kind == .video ? .movie : .image }

  /// The size of the upright original, in pixels; `nil` when it isn't known.
  public var originalDimensions: Dimensions? {
    switch origin {
    case .captured(_, let facts): facts.dimensions
    case .asset(let asset): asset.dimensions
    }
  }

  /// The rectangle of the upright original that the crop keeps, in pixels; `nil` for the whole.
  public var cropRectangle: CGRect? { edit?.cropRectangle }

  /// When it was taken; `nil` when that isn't known.
  public var date: Date? {
    switch origin {
    case .captured(_, let facts): facts.date
    case .asset(let asset): asset.captureDate?.instant
    }
  }
}

/// A picked photo's file in memory.
public struct PickedData: Sendable {
  /// The bytes.
  public let data: Data
  /// Their type, by their content.
  public let contentType: ContentType?
}
