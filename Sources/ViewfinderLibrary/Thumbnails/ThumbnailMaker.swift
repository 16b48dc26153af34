import Foundation
import Viewfinder

/// Makes thumbnails from files, or takes them from the shared cache.
struct ThumbnailMaker: Sendable {
  /// `nil` where nothing is to be kept.
  var cache: ThumbnailCache?

  /// Larger files are no pictures that somebody looks at.
  private static let fileSizeLimit = 256 << 20
  /// A PNG is unpacked whole: 4 bytes for each pixel, and as many again to scale it.
  static let pngPixelLimit = 64_000_000

  /// The upright picture of a file, no larger than `size`.
  ///
  /// The square one is cut out of the next larger size of the whole picture, so that it is filled; that
  /// is the one in the cache.
  func thumbnail(of item: ThumbnailItem, size: ThumbnailSize, shape: ThumbnailShape = .whole)
    throws(PhotoLibraryError) -> PixelBuffer
  {
    switch shape {
    case .whole:
      return try whole(item, size)
    case .square:
      let picture = try whole(item, item.sizeForSquare(size))
      do { return try picture.squared(side: size.side) } catch {
        throw PhotoLibraryError(error, path: item.path)
      }
    }
  }

  private func whole(_ item: ThumbnailItem, _ size: ThumbnailSize) throws(PhotoLibraryError)
    -> PixelBuffer
  {
    if let cached = cache?.thumbnail(of: item, size: size) { return cached }
    if cache?.hasFailed(item) == true {
      throw .damaged(
        what: item.path.description, reason: "it couldn't be read before, and hasn't changed since")
    }
    let reader = try FileReader(item.path)
    let item = item.updated(reader.status)
    do {
      let picture = try PictureReader(item: item, reader: reader).picture(fitting: size.box)
      cache?.store(picture, of: item, size: size)
      return picture
    } catch {
      if case .damaged = error { cache?.storeFailure(of: item) }
      throw error
    }
  }

  /// Looks for the part of a file that shows its picture with the least work.
  private struct PictureReader {
    let item: ThumbnailItem
    let reader: FileReader

    func picture(fitting box: Dimensions) throws(PhotoLibraryError) -> PixelBuffer {
      if let picture = embedded(fitting: box) { return picture }
      let start = try reader.read(at: 0, count: 64)
      let png = PNGText.dimensions(start)
      guard png != nil || start.starts(with: [0xff, 0xd8, 0xff]) else {
        return try preview(fitting: box)
      }
      if let png, !fits(png) {
        throw .unsupported(
          what: item.path.description,
          reason: "\(png.width) x \(png.height) pixels of a PNG take too much memory")
      }
      let data = try reader.readAll(limit: fileSizeLimit)
      do { return try PixelBuffer(decoding: data, fitting: box) } catch {
        throw PhotoLibraryError(error, path: item.path)
      }
    }

    private func fits(_ size: (width: Int, height: Int)) -> Bool {
      let (pixels, overflows) = size.width.multipliedReportingOverflow(by: size.height)
      return !overflows && pixels <= pngPixelLimit
    }

    /// The smallest embedded picture that is as good as the whole one.
    ///
    /// A camera's thumbnail is always 160 × 120, with black bars where the picture has other proportions;
    /// that one shows something else.
    private func embedded(fitting box: Dimensions) -> PixelBuffer? {
      guard let size = item.info.dimensions?.fitted(into: box) else { return nil }
      for range in [item.info.thumbnail, item.info.preview] {
        guard let range, let (picture, hadDamage) = try? decode(range, fitting: box) else {
          continue
        }
        if !hadDamage, picture.dimensions.isNear(size) { return picture }
      }
      return nil
    }

    /// Any preview, for files that can't be decoded themselves.
    private func preview(fitting box: Dimensions) throws(PhotoLibraryError) -> PixelBuffer {
      var failure = PhotoLibraryError.unsupported(
        what: item.path.description, reason: "it has no preview in it")
      for range in [item.info.preview, item.info.thumbnail] {
        guard let range else { continue }
        do throws(PhotoLibraryError) {
          return try decode(range, fitting: box).buffer
        } catch {
          failure = error
        }
      }
      throw failure
    }

    private func decode(_ range: Range<Int>, fitting box: Dimensions) throws(PhotoLibraryError)
      -> (buffer: PixelBuffer, hadDamage: Bool)
    {
      guard range.count <= fileSizeLimit else {
        throw .damaged(what: item.path.description, reason: "its preview is too large")
      }
      let data = Data(try reader.read(at: range.lowerBound, count: range.count))
      // Its own orientation, if it has one, is the picture's, or of no meaning.
      let orientation = item.info.orientation
      do {
        return try PixelBuffer.decode(data, fitting: box, orientation: orientation)
      } catch {
        throw PhotoLibraryError(error, path: item.path)
      }
    }
  }
}

extension ThumbnailItem {
  /// The item with what is true of the file that was opened.
  ///
  /// When it is another one by now, all that is known of its inside may be wrong.
  fileprivate func updated(_ status: FileStatus) -> ThumbnailItem {
    var item = self
    item.status = status
    if status.size != self.status.size || status.modified != self.status.modified {
      item.info = MediaInfo(type: info.type)
    }
    return item
  }

  /// The size whose shorter side is enough for a square.
  fileprivate func sizeForSquare(_ size: ThumbnailSize) -> ThumbnailSize {
    guard let whole = info.dimensions else { return size }
    let shortest = { (size: Dimensions) in min(size.width, size.height) }
    let needed = min(size.side, shortest(whole))
    return size.andLarger.first { shortest(whole.fitted(into: $0.box)) >= needed }
      ?? .extraExtraLarge
  }
}
