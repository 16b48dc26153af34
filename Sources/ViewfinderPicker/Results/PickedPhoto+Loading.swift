public import Foundation
public import Viewfinder
import ViewfinderLibrary

extension PickedPhoto {
  /// Which of the two versions to load.
  public enum Version: Hashable, Sendable {
    /// As it was taken.
    case original
    /// As the person cropped it; the original where they didn't.
    case edited
  }

  /// The format to load; `PHPickerConfiguration.AssetRepresentationMode`.
  public enum Encoding: Hashable, Sendable {
    /// The file's own: a PNG stays a PNG, byte for byte.
    case current
    /// JPEG, which every program reads; videos stay as they are.
    case compatible
  }

  /// The file's bytes.
  ///
  /// Cancelling the task ends the work. Crops and conversions keep the Exif data.
  ///
  /// - Parameters:
  ///   - version: The default is the edited one.
  ///   - encoding: The default is the file's own format. Crops of other formats than JPEG and PNG are JPEGs.
  ///   - progress: Receives how far it is, from 0 to 1, on another thread.
  /// - Returns: The bytes, with their true type.
  /// - Throws: ``PickerError/library(_:)`` for a file that is gone, damaged or in a format that the library
  ///   doesn't decode, ``PickerError/camera(_:)`` for a crop that fails, ``PickerError/cancelled``.
  public func data(
    _ version: Version = .edited, as encoding: Encoding = .current,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(PickerError) -> PickedData {
    let edit = version == .edited ? edit : nil
    let needsWork = edit != nil || (encoding == .compatible && needsConversion)
    guard needsWork else {
      return PickedData(data: try await read(progress), contentType: contentType)
    }
    let original = try await photoContent { progress($0 * 0.5) }
    let fileType = contentType == .png && encoding == .current ? PhotoFileType.png : .jpeg
    let result = try await offThread { [name] () throws(CaptureError) in
      try original.edited(by: edit, fileType, named: name)
    }
    progress(1)
    return PickedData(data: result, contentType: fileType == .png ? .png : .jpeg)
  }

  /// Writes the file: it is there whole, or not at all.
  ///
  /// - Parameters:
  ///   - url: Where the file goes; its folder must exist.
  ///   - version: The default is the edited one.
  ///   - encoding: The default is the file's own format.
  ///   - replacesExisting: Whether to replace a file of that name. The default is `false`.
  /// - Throws: As ``data(_:as:progress:)`` does, and ``PickerError/camera(_:)`` with
  ///   `cannotWrite`.
  public func write(
    to url: URL, _ version: Version = .edited, as encoding: Encoding = .current,
    replacesExisting: Bool = false
  ) async throws(PickerError) {
    let file = try await data(version, as: encoding)
    try await offThread { () throws(CaptureError) in
      try PhotoFile.write(file.data, to: url, replacesExisting: replacesExisting)
    }
  }

  /// The picture for a screen, upright.
  ///
  /// - Parameters:
  ///   - box: The greatest width and height, in pixels; smaller pictures keep their size.
  ///   - version: The default is the edited one.
  /// - Returns: The picture, with its proportions.
  /// - Throws: As ``data(_:as:progress:)`` does.
  public func image(fitting box: Dimensions, _ version: Version = .edited) async throws(PickerError)
    -> PixelBuffer
  {
    if version == .original || edit == nil, case .asset(let asset) = origin {
      do {
        return try await asset.image(fitting: box)
      } catch {
        throw PickerError(error)
      }
    }
    let file = try await data(version, as: .compatible)
    return try await offThread { () throws(CaptureError) in
      try PixelBuffer(decoding: file.data, fitting: box)
    }
  }

  // MARK: Steps

  /// What the file is called.
  var name: String { originalURL.lastPathComponent }

  private var needsConversion: Bool { mediaType == .image && contentType != .jpeg }

  /// How much is read at once.
  private static let chunk = 1 << 20

  private func read(_ progress: @Sendable (Double) -> Void) async throws(PickerError) -> Data {
    do {
      guard case .asset(let asset) = origin else {
        let url = originalURL
        let data = try await offThread { () throws(CaptureError) in
          do {
            return try Data(contentsOf: url)
          } catch {
            throw .cannotRead(path: url.path, code: ENOENT)
          }
        }
        progress(1)
        return data
      }
      let file = asset.defaultRepresentation
      var data = Data(capacity: file.size)
      while true {
        try Task.checkCancellation()
        let part = try await file.data(in: data.count..<data.count + Self.chunk)
        data += part
        progress(min(Double(data.count) / Double(max(file.size, 1)), 1))
        if part.count < Self.chunk { return data }
      }
    } catch {
      throw PickerError(error)
    }
  }

  /// The original, to be cropped or converted.
  private func photoContent(
    _ progress: @Sendable (Double) -> Void
  ) async throws(PickerError) -> PhotoContent {
    if contentType == .jpeg || contentType == .png { return .file(try await read(progress)) }
    guard case .asset(let asset) = origin, mediaType == .image else {
      throw .invalidRequest(reason: "\(name) is a video: it can't be cropped.")
    }
    let file = asset.defaultRepresentation
    do {
      let (picture, exif) = try await (file.fullResolutionImage(), file.exifData())
      progress(1)
      return .picture(picture, exif: exif)
    } catch {
      throw PickerError(error)
    }
  }
}
