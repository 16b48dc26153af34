public import Foundation
public import Viewfinder

/// How to crop a picked photo's original.
public struct PhotoEdit: Hashable, Sendable {
  /// What the upright original is cropped to.
  public let crop: PhotoCrop
  /// The rectangle of the upright original that holds the crop's outline, in pixels.
  public let cropRectangle: CGRect
  /// How the person laid the picture under the frame; `nil` for a crop to the camera's outline.
  public let adjustment: PhotoAdjustment?
  /// The edges of the card that was found or shown; `nil` for other crops.
  public let correction: OutlineCorrection?

  /// The crop to the outline under which a photo was taken.
  init(outline: Outline, of size: Dimensions) throws(CaptureError) {
    cropRectangle = try outline.boundingBox(in: size)
    crop = PhotoCrop(outline: outline)
    (adjustment, correction) = (nil, nil)
  }

  /// The crop to a card's edges.
  init(_ correction: OutlineCorrection) {
    self.correction = correction
    adjustment = nil
    crop = correction.crop
    let size = correction.pictureSize
    let x = correction.corners.map { min(max($0.x, 0), 1) * Double(size.width) }.sorted()
    let y = correction.corners.map { min(max($0.y, 0), 1) * Double(size.height) }.sorted()
    cropRectangle = CGRect(x: x[0], y: y[0], width: x[3] - x[0], height: y[3] - y[0])
  }

  /// The crop to the frame under which the person laid the picture.
  init(_ adjustment: PhotoAdjustment) {
    self.adjustment = adjustment
    correction = nil
    cropRectangle = adjustment.cropRectangle
    crop = adjustment.crop
  }
}

/// A photo that can be cropped and converted.
enum PhotoContent: Sendable {
  /// A JPEG or PNG file.
  case file(Data)
  /// What another file was decoded to, upright, and its Exif data.
  case picture(PixelBuffer, exif: Data?)

  /// The file that comes of an edit, or of the whole photo.
  func edited(
    by edit: PhotoEdit?, _ fileType: PhotoFileType, named name: String
  ) throws(CaptureError) -> Data {
    let crop = edit?.crop ?? PhotoCrop()
    let encoding = PhotoEncoding(fileType: fileType)
    return switch self {
    case .file(let data): try crop.apply(to: data, name: name, as: encoding).data
    case .picture(let picture, let exif):
      try crop.apply(to: picture, exif: exif, name: name, as: encoding).data
    }
  }
}
