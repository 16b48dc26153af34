public import Foundation
public import Viewfinder

/// How a picked photo is cropped; the crop can be repeated from the original at any time.
public struct PhotoEdit: Hashable, Sendable {
  /// The outline on the upright original.
  public let outline: Outline
  /// The rectangle of the upright original that holds the outline, in pixels.
  public let cropRectangle: CGRect
  /// How the person laid the picture under the frame; `nil` where the camera's outline says it.
  public let adjustment: PhotoAdjustment?
  /// What is done, one after the other.
  private let crops: [PhotoCrop]

  /// The crop to the outline under which a photo was taken.
  init(outline: Outline, of size: Dimensions) throws(CaptureError) {
    cropRectangle = try outline.boundingBox(in: size)
    self.outline = outline
    adjustment = nil
    crops = [PhotoCrop(outline: outline)]
  }

  /// The crop to the frame under which the person laid the picture.
  init(_ adjustment: PhotoAdjustment) {
    self.adjustment = adjustment
    cropRectangle = adjustment.cropRectangle
    let size = adjustment.frameSize
    let corners = adjustment.quadrilateral
    var radius: Double?
    if case .card(let card) = adjustment.shape { radius = card.cornerRadius / card.width }
    guard adjustment.angle != 0 else {
      let frame = CGRect(
        x: corners.topLeft.x, y: corners.topLeft.y, width: corners.topRight.x - corners.topLeft.x,
        height: corners.bottomLeft.y - corners.topLeft.y)
      // The radius is in units of the whole picture's width.
      outline =
        radius.map { .roundedRectangle(frame, cornerRadius: $0 * frame.width) }
        ?? .rectangle(frame)
      crops = [PhotoCrop(outline: outline)]
      return
    }
    outline = .quadrilateral(corners)
    var turned = PhotoCrop(
      outline: outline,
      rectifiedSize: Dimensions(
        width: max(Int(size.width.rounded()), 1), height: max(Int(size.height.rounded()), 1)))
    guard let radius else {
      crops = [turned]
      return
    }
    // Corners are cut off when the picture is upright; in between nothing is lost.
    turned.fileType = .png
    let whole = CGRect(x: 0, y: 0, width: 1, height: 1)
    crops = [turned, PhotoCrop(outline: .roundedRectangle(whole, cornerRadius: radius))]
  }

  /// Makes the cropped photo; it keeps the Exif data.
  func apply(
    to original: PhotoContent, name: String, fileType: PhotoFileType
  ) throws(CaptureError) -> CroppedPhoto {
    var last = crops[crops.count - 1]
    last.fileType = fileType
    var content = original
    for crop in crops.dropLast() { content = .file(try content.cropped(by: crop, name: name).data) }
    return try content.cropped(by: last, name: name)
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
    if let edit { return try edit.apply(to: self, name: name, fileType: fileType).data }
    var whole = PhotoCrop()
    whole.fileType = fileType
    return try cropped(by: whole, name: name).data
  }

  fileprivate func cropped(by crop: PhotoCrop, name: String) throws(CaptureError) -> CroppedPhoto {
    switch self {
    case .file(let data): try crop.apply(to: data, name: name)
    case .picture(let picture, let exif): try crop.apply(to: picture, exif: exif, name: name)
    }
  }
}
