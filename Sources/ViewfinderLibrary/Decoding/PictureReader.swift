import Foundation
import Viewfinder

/// Reads the picture of a file, upright: whole, or with the least work for a given size.
struct PictureReader {
  let file: FileReader
  private let info: MediaInfo

  /// Opens a file of which `info` is known, as long as it is still the one with that `status`.
  init(_ path: FilePath, _ info: MediaInfo, _ status: FileStatus) throws(PhotoLibraryError) {
    file = try FileReader(path)
    let isSame = file.status.size == status.size && file.status.modified == status.modified
    self.info = isSame ? info : try MediaReader.read(file)
  }

  /// The picture in full resolution.
  func picture() throws(PhotoLibraryError) -> PixelBuffer {
    // What is in the file counts, whatever was said of it.
    try decode(MediaReader.read(file), fitting: nil)
  }

  /// The picture, or a preview in the file that looks the same, no larger than a box.
  ///
  /// Of what can't be decoded, such as raw files, it is the preview, which may be smaller than the box.
  func picture(fitting box: Dimensions) throws(PhotoLibraryError) -> PixelBuffer {
    if let picture = embedded(fitting: box) { return picture }
    let found = try MediaReader.read(file)
    do {
      return try decode(found, fitting: box)
    } catch {
      // A raw file whose maker isn't known is no good TIFF.
      let isOther = if case .unsupported = error { true } else { found.type == .tiff }
      guard isOther, let preview = try preview(fitting: box) else { throw error }
      return preview
    }
  }

  /// The file that a crop makes of the picture in full resolution, with its Exif data.
  ///
  /// An orientation takes the place of the file's own.
  func cropped(
    by crop: PhotoCrop, orientation: ImageOrientation?, as encoding: PhotoEncoding
  ) throws(PhotoLibraryError) -> CroppedPhoto {
    let found = try MediaReader.read(file)
    let name = file.path.description
    if found.type == .jpeg || found.type == .png {
      let data = try file.readAll(limit: FileReader.pictureSizeLimit)
      return try told { () throws(CaptureError) in
        try crop.apply(to: data, name: name, orientation: orientation, as: encoding)
      }
    }
    let picture = try decode(found, fitting: nil)
    let exif = try exif(found)
    return try told { () throws(CaptureError) in
      // The decoder has turned it as the file says.
      let turn = orientation.map { found.orientation.inverse.followed(by: $0) } ?? .up
      return try crop.apply(to: picture.oriented(turn), exif: exif, name: name, as: encoding)
    }
  }

  /// The file's Exif data (TIFF); `nil` where there are none.
  func exif() throws(PhotoLibraryError) -> Data? { try exif(MediaReader.read(file)) }

  private func exif(_ found: MediaInfo) throws(PhotoLibraryError) -> Data? {
    // No camera writes as much.
    guard let range = found.exif, range.count <= FileWindows.byteLimit else { return nil }
    return Data(try file.read(at: range.lowerBound, count: range.count))
  }

  private func decode(
    _ found: MediaInfo, fitting box: Dimensions?
  ) throws(PhotoLibraryError) -> PixelBuffer {
    guard let decoder = PictureDecoder(found.type) else {
      throw .unsupported(
        what: file.path.description, reason: PictureDecoder.reasonForNone(found.type))
    }
    if let reason = decoder.reasonAgainst(found.storedDimensions, fitting: box) {
      throw .unsupported(what: file.path.description, reason: reason)
    }
    return try told { () throws(CaptureError) in
      try decoder.picture(file, found, fitting: box)
    }
  }

  /// What goes wrong with the picture, in the library's words.
  private func told<R>(_ body: () throws(CaptureError) -> R) throws(PhotoLibraryError) -> R {
    do {
      return try body()
    } catch {
      throw PhotoLibraryError(error, path: file.path)
    }
  }
}

// Pictures inside of the file.
extension PictureReader {
  /// The smallest embedded picture that is as good as the whole one.
  ///
  /// Most cameras' thumbnails are 160 × 120, with black bars where the picture has other proportions;
  /// such a one shows something else. Viewfinder's are large enough for ``ThumbnailSize/large``.
  private func embedded(fitting box: Dimensions) -> PixelBuffer? {
    guard let size = info.dimensions?.fitted(into: box) else { return nil }
    for range in [info.thumbnail, info.preview] {
      guard let range, let (picture, hadDamage) = try? decode(range, fitting: box) else {
        continue
      }
      if !hadDamage, picture.dimensions.isNear(size) { return picture }
    }
    return nil
  }

  /// Any preview, for files that can't be decoded themselves; `nil` when there is none.
  private func preview(fitting box: Dimensions) throws(PhotoLibraryError) -> PixelBuffer? {
    var failure: PhotoLibraryError?
    for range in [info.preview, info.thumbnail] {
      guard let range else { continue }
      do throws(PhotoLibraryError) {
        return try decode(range, fitting: box).buffer
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return nil
  }

  private func decode(_ range: Range<Int>, fitting box: Dimensions) throws(PhotoLibraryError)
    -> (buffer: PixelBuffer, hadDamage: Bool)
  {
    guard range.count <= FileReader.pictureSizeLimit else {
      throw .damaged(what: file.path.description, reason: "its preview is too large")
    }
    let data = Data(try file.read(at: range.lowerBound, count: range.count))
    // Its own orientation, if it has one, is the picture's, or of no meaning.
    return try told { () throws(CaptureError) in
      try PixelBuffer.decode(data, fitting: box, orientation: info.orientation)
    }
  }
}
