import Foundation
import Viewfinder

/// The thumbnails that all programs of a desktop share, as the freedesktop.org thumbnail
/// specification has them.
///
/// A cache that can't be read or written is no error: the library then makes thumbnails again each time.
struct ThumbnailCache: Sendable {
  let folder: FilePath

  /// Where desktops keep it: `thumbnails` in the user's cache; `nil` for a user without a home.
  static func standardFolder(_ folders: XDGFolders) -> FilePath? {
    folders.cache?.appending("thumbnails")
  }

  /// The picture from the cache, no larger than `size`; one of a larger size is scaled down.
  func thumbnail(of item: ThumbnailItem, size: ThumbnailSize) -> PixelBuffer? {
    guard serves(item) else { return nil }
    for stored in size.andLarger {
      guard let picture = read(item, stored) else { continue }
      guard stored != size else { return picture }
      guard let small = try? picture.scaled(toFit: size.box) else { return nil }
      store(small, of: item, size: size)
      return small
    }
    return nil
  }

  /// Writes the whole picture, scaled to `size`, for all programs.
  func store(_ thumbnail: PixelBuffer, of item: ThumbnailItem, size: ThumbnailSize) {
    guard serves(item), item.isSettled else { return }
    write(thumbnail, of: item, to: path(of: item, in: size.folderName))
  }

  /// Whether a thumbnail of this very file couldn't be made.
  func hasFailed(_ item: ThumbnailItem) -> Bool {
    guard serves(item) else { return false }
    return file(path(of: item, in: Self.failureFolder), about: item) != nil
  }

  /// Keeps programs from trying again before the file changes.
  func storeFailure(of item: ThumbnailItem) {
    guard serves(item), item.isSettled,
      let pixel = try? PixelBuffer(
        pixelFormat: .rgba32, dimensions: Dimensions(width: 1, height: 1), data: Data(count: 4))
    else { return }
    write(pixel, of: item, to: path(of: item, in: Self.failureFolder))
  }

  /// What the cache has for the item, in just this size.
  func status(of item: ThumbnailItem, size: ThumbnailSize) -> ThumbnailStatus {
    guard serves(item) else { return .missing }
    let path = path(of: item, in: size.folderName)
    if file(path, about: item) != nil { return .ready }
    if hasFailed(item) { return .failed }
    return FileStatus(of: path) == nil ? .missing : .outdated
  }

  /// The number goes up when pictures can be shown that couldn't.
  private static let failureFolder = "fail/viewfinder-2"

  /// Where an item's thumbnail is.
  func path(of item: ThumbnailItem, in folderName: String) -> FilePath {
    folder.appending(folderName).appending(md5(item.path.uri) + ".png")
  }

  /// Whether the item may have a thumbnail: not one that is a thumbnail itself, and none of what the
  /// user may not read (any more).
  private func serves(_ item: ThumbnailItem) -> Bool {
    guard item.path.isAbsolute, folder.isAbsolute, !item.path.isInside(folder),
      !item.path.isInside(folder.resolved ?? folder)
    else { return false }
    let code = unsafe item.path.withCString {
      unsafe faccessat(AT_FDCWD, $0, R_OK, AT_EACCESS)
    }
    return code == 0
  }
}

// Reading.
extension ThumbnailCache {
  /// 1024 × 1024 pixels take 4 MiB when nothing can be compressed.
  private static let sizeLimit = 8 << 20

  /// A thumbnail file that is about the item as it is now.
  private func file(_ path: FilePath, about item: ThumbnailItem)
    -> (bytes: Data, header: PNGText.Header)?
  {
    guard let bytes = try? FileReader(path).readAll(limit: Self.sizeLimit),
      let header = PNGText.read(Array(bytes)), header.texts["Thumb::URI"] == item.path.uri,
      let modified = header.texts["Thumb::MTime"], wholeSeconds(modified) == item.modifiedSeconds
    else { return nil }
    // A file that takes another's place may bring its time along, but hardly the same size.
    if let size = header.texts["Thumb::Size"], Int(size) != item.status.size { return nil }
    return (bytes, header)
  }

  /// Some programs write a fraction.
  private func wholeSeconds(_ text: String) -> Int64? {
    Int64(text.prefix { $0 != "." })
  }

  private func read(_ item: ThumbnailItem, _ size: ThumbnailSize) -> PixelBuffer? {
    guard let (bytes, header) = file(path(of: item, in: size.folderName), about: item) else {
      return nil
    }
    let dimensions = Dimensions(width: header.width, height: header.height)
    guard dimensions.width <= size.side, dimensions.height <= size.side else { return nil }
    // Some programs forget to turn the picture, or take a camera's thumbnail with black bars. Of a video, pixels
    // needn't be square.
    if item.info.type?.kind != .video, let original = item.info.dimensions,
      !dimensions.isNear(original.fitted(into: size.box))
    {
      return nil
    }
    return try? PixelBuffer(decoding: bytes)
  }
}

// Writing.
extension ThumbnailCache {
  private func write(_ thumbnail: PixelBuffer, of item: ThumbnailItem, to path: FilePath) {
    // The folder first: what can't be kept isn't compressed.
    guard makeFolder(path.folder), let png = try? thumbnail.converted(to: .rgba32).quickPNGData()
    else { return }
    write(PNGText.inserting(texts(of: item), into: png), to: path)
  }

  private func texts(of item: ThumbnailItem) -> KeyValuePairs<String, String> {
    // What isn't known is empty, and then left out.
    let dimensions = item.info.dimensions
    return [
      "Thumb::URI": item.path.uri,
      "Thumb::MTime": String(item.modifiedSeconds),
      "Thumb::Size": String(item.status.size),
      "Thumb::Mimetype": item.info.type?.mimeType ?? "",
      "Thumb::Image::Width": dimensions.map { String($0.width) } ?? "",
      "Thumb::Image::Height": dimensions.map { String($0.height) } ?? "",
      "Software": "Viewfinder",
    ]
  }

  /// Makes a folder and those above it that are missing, for the user alone.
  private func makeFolder(_ path: FilePath) -> Bool {
    if makeOneFolder(path) { return true }
    guard errno == ENOENT, path.folder != path, !path.folder.bytes.isEmpty else { return false }
    return makeFolder(path.folder) && makeOneFolder(path)
  }

  /// Whether the folder is there now; else `errno` says why.
  private func makeOneFolder(_ path: FilePath) -> Bool {
    unsafe path.withCString { path in
      guard unsafe mkdir(path, 0o700) == 0 else { return errno == EEXIST }
      // Whatever the umask.
      return unsafe chmod(path, 0o700) == 0
    }
  }

  /// Writes the file whole, for the user alone; its name stays what it was where that fails.
  ///
  /// It isn't worth waiting for the disk: the library makes again what a power cut damages.
  private func write(_ bytes: Data, to path: FilePath) {
    guard var draft = try? FileDraft(for: path.bytes), fchmod(draft.descriptor, 0o600) == 0,
      FileSystem.write(bytes, to: draft.descriptor) == 0
    else { return }
    _ = draft.publish(replacesExisting: true)
  }
}

// Clearing away.
extension ThumbnailCache {
  /// Removes what killed programs with this library left; what other programs' files are called is something else.
  func removeLeftovers() {
    for name in ThumbnailSize.allCases.map(\.folderName) + [Self.failureFolder] {
      folder.appending(name).removeLeftovers { Self.isName($0) }
    }
  }

  /// Whether a file may be an item's: 32 hexadecimal digits.
  private static func isName(_ name: FilePath) -> Bool {
    name.pathExtension == "png" && name.stem.bytes.count == 32
      && name.stem.bytes.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }
}

extension FilePath {
  fileprivate var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }
}

extension ThumbnailItem {
  /// Seconds since 1970, as thumbnails have it.
  var modifiedSeconds: Int64 {
    let (seconds, rest) = status.modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest < 0 ? seconds - 1 : seconds
  }

  /// Whether a further change would show in the file's time, which thumbnails have in seconds only.
  ///
  /// A file that is being written may get another content without another time, and a thumbnail of the
  /// first one would stay.
  fileprivate var isSettled: Bool {
    let now = Int64(time(nil))
    return modifiedSeconds > now || now - modifiedSeconds >= 2
  }
}

extension Dimensions {
  /// Whether both are the same but for rounding, 2 % at most.
  func isNear(_ other: Dimensions) -> Bool {
    abs(width - other.width) <= max(1, other.width / 50)
      && abs(height - other.height) <= max(1, other.height / 50)
  }
}
