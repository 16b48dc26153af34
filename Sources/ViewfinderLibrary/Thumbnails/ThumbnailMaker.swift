import Foundation
import Viewfinder

/// A thumbnail that is made, before it is kept.
struct MadeThumbnail: Sendable {
  let picture: PixelBuffer
  /// Writes it to the shared cache, where it isn't yet: whoever waits for the picture needn't wait for that.
  var keep: (@Sendable () -> Void)?
}

/// Makes thumbnails from files, or takes them from the shared cache.
struct ThumbnailMaker: Sendable {
  /// `nil` where nothing is to be kept.
  var cache: ThumbnailCache?
  /// The programs that make what this library can't.
  var programs = DesktopThumbnailers()

  /// The upright picture of a file, no larger than `size`.
  ///
  /// The square one is cut out of the next larger size of the whole picture, so that it is filled; that
  /// is the one in the cache. A program that works on it is ended once `isCancelled` says so.
  func make(
    _ item: ThumbnailItem, size: ThumbnailSize, shape: ThumbnailShape = .whole,
    isCancelled: () -> Bool = { false }
  ) throws(PhotoLibraryError) -> MadeThumbnail {
    switch shape {
    case .whole:
      return try whole(item, size, isCancelled)
    case .square:
      let made = try whole(item, item.sizeForSquare(size), isCancelled)
      do {
        return MadeThumbnail(picture: try made.picture.squared(side: size.side), keep: made.keep)
      } catch {
        throw PhotoLibraryError(error, path: item.path)
      }
    }
  }

  private func whole(
    _ item: ThumbnailItem, _ size: ThumbnailSize, _ isCancelled: () -> Bool
  ) throws(PhotoLibraryError) -> MadeThumbnail {
    if let cached = cache?.thumbnail(of: item, size: size) {
      return MadeThumbnail(picture: cached)
    }
    if cache?.hasFailed(item) == true {
      throw .damaged(
        what: item.path.description, reason: "it couldn't be read before, and hasn't changed since")
    }
    let reader = try PictureReader(item.path, item.info, item.status)
    var item = item
    item.status = reader.file.status
    do {
      let picture = try picture(reader, item, size, isCancelled)
      return MadeThumbnail(picture: picture) { [cache, item] in
        cache?.store(picture, of: item, size: size)
      }
    } catch {
      if case .damaged = error { cache?.storeFailure(of: item) }
      throw error
    }
  }

  private func picture(
    _ reader: PictureReader, _ item: ThumbnailItem, _ size: ThumbnailSize,
    _ isCancelled: () -> Bool
  ) throws(PhotoLibraryError) -> PixelBuffer {
    do throws(PhotoLibraryError) {
      return try reader.picture(fitting: size.box)
    } catch .unsupported(let what, let reason) {
      // What a decoder here refuses for its size, a program needn't try.
      guard PictureDecoder(item.info.type) == nil else {
        throw .unsupported(what: what, reason: reason)
      }
    }
    let picture = try programs.thumbnail(of: item, size: size, isCancelled: isCancelled)
    // The program has opened the file by its name.
    guard FileStatus(of: item.path) == item.status else {
      throw .cannotRead(path: item.path.description, code: ESTALE)
    }
    return picture
  }
}

extension ThumbnailItem {
  /// The size whose shorter side is enough for a square.
  fileprivate func sizeForSquare(_ size: ThumbnailSize) -> ThumbnailSize {
    guard let whole = info.dimensions else { return size }
    let shortest = { (size: Dimensions) in min(size.width, size.height) }
    let needed = min(size.side, shortest(whole))
    return size.andLarger.first { shortest(whole.fitted(into: $0.box)) >= needed }
      ?? .extraExtraLarge
  }
}
