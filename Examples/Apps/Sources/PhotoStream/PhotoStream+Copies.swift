import Checksums
import ErrorWords
import FeedClient
import Foundation
import Viewfinder
import ViewfinderLibrary

/// Copies that are sent in photos' places: smaller ones of large photos, and some that don't say where they were taken.
/// The photos themselves stay as they are.
///
/// To the other devices a copy is a photo like any other. What can't be made twice the same is kept until the server has
/// it.
extension PhotoStream {
  /// The longer side of a smaller copy, in pixels: enough for a screen.
  public static let copySide = 2048
  /// The quality of smaller copies, and of JPEGs in place of files of other kinds, which shall look the same.
  private static let quality = 0.85, bestQuality = 0.95

  /// Sends smaller copies of the photos that the server doesn't take as they are, when the stream runs.
  ///
  /// - Returns: Of how many; not of those that are small already.
  /// - Throws: ``FeedError``, or the ledger's error.
  public func sendSmallerCopies() async throws -> Int {
    let ledger = try await ledger()
    var count = 0
    for offer in try await ledger.photos(.refused) where !offer.isCopy {
      guard try await library.asset(id: offer.asset)?.isLarge == true else { continue }
      try await ledger.sendCopy(of: offer.photo.name)
      count += 1
    }
    if count > 0 { kick.ring() }
    return count
  }

  /// Where copies are until they are sent.
  private var copies: URL { folder.appending(component: "outgoing") }

  private func copyFile(_ name: BlobName) -> URL { copies.appending(component: "\(name).jpg") }

  /// What was made to be sent under a name; `nil` for a photo that goes as it is.
  func keptCopy(_ name: BlobName) -> Data? { try? Data(contentsOf: copyFile(name)) }

  /// Forgets a copy that needn't be sent any more.
  func forgetCopy(_ name: BlobName) { try? FileManager.default.removeItem(at: copyFile(name)) }

  /// Forgets the copies that nothing waits for, such as those of a stream that was left.
  func forgetCopies(but waiting: [StreamLedger.Offer]) throws {
    let names = Set(waiting.map { copyFile($0.photo.name).lastPathComponent })
    for name in try FileManager.default.contentsOfDirectory(atPath: copies.path)
    where !names.contains(name) {
      try? FileManager.default.removeItem(at: copies.appending(component: name))
    }
  }

  /// Makes a copy to be sent in a photo's place, as the settings and the offer say.
  ///
  /// - Parameters:
  ///   - asset: The photo.
  ///   - offer: What is to be sent of it, which may be a copy already.
  /// - Returns: What is to be sent; `nil` for a photo that goes as it is.
  /// - Throws: ``PlaceStays``, `PhotoLibraryError` for a photo that can't be read, or why the copy can't be written.
  func copy(
    of asset: Asset, for offer: StreamLedger.Offer
  ) async throws -> StreamLedger.Offer? {
    let file = asset.defaultRepresentation
    let isSmaller = (offer.isCopy || settings.sendsSmaller) && asset.isLarge
    let kept = keptCopy(offer.photo.name)
    // One that waits may have been made before smaller ones were wanted.
    var content = offer.isCopy || !isSmaller ? kept : nil
    if content == nil, isSmaller { content = await smallerCopy(of: file) }
    let isSmallCopy = isSmaller && content != nil
    if settings.leavesPlaceOut { content = try await placeless(content, of: file) ?? content }
    guard let jpeg = content else { return nil }
    let name = BlobName(of: jpeg)
    if name == offer.photo.name, kept != nil { return offer }
    try jpeg.write(to: copyFile(name), options: .atomic)
    var copy = offer
    copy.isCopy = offer.isCopy || isSmallCopy
    (copy.photo.name, copy.photo.size, copy.photo.type) = (name, jpeg.count, "image/jpeg")
    if file.contentType != .jpeg {
      let title = (file.fileName as NSString).deletingPathExtension
      copy.photo.fileName = "\(title).jpg"
    }
    return copy
  }

  /// The picture fit for a screen; `nil` where that is no smaller, or it can't be decoded.
  private func smallerCopy(of file: AssetRepresentation) async -> Data? {
    let box = Dimensions(width: Self.copySide, height: Self.copySide)
    guard let picture = try? await file.image(fitting: box),
      let jpeg = try? await Self.jpeg(picture, of: file, quality: Self.quality),
      jpeg.count < file.size
    else { return nil }
    return jpeg
  }

  /// A picture of a file, upright, with the file's Exif data.
  private static func jpeg(
    _ picture: PixelBuffer, of file: AssetRepresentation, quality: Double
  ) async throws -> Data {
    let exif = try? await file.exifData()
    return try PhotoCrop().apply(
      to: picture, exif: exif, name: file.fileName, as: PhotoEncoding(quality: quality)
    ).data
  }

  // MARK: Without the place

  /// A photo that doesn't say where it was taken; `nil` for one that doesn't say it anyway.
  ///
  /// A JPEG's picture stays as it is, bit by bit; files of other kinds become JPEGs.
  ///
  /// - Parameters:
  ///   - copy: The smaller copy that is to be sent; `nil` for the photo itself.
  ///   - file: The photo's file.
  /// - Returns: A JPEG.
  /// - Throws: ``PlaceStays`` where it can't be taken out; `PhotoLibraryError` for a file that can't be read.
  private func placeless(_ copy: Data?, of file: AssetRepresentation) async throws -> Data? {
    do {
      if copy != nil || file.contentType == .jpeg {
        let data = if let copy { copy } else { try await file.data() }
        if let clean = PlacelessJPEG(data) { return clean.saidMore ? clean.data : nil }
      } else if file.location == nil {
        return nil
      }
      let picture = try await file.fullResolutionImage()
      let jpeg = try await Self.jpeg(picture, of: file, quality: Self.bestQuality)
      if let clean = PlacelessJPEG(jpeg) { return clean.data }
      // Nothing is said by what can't be read.
      return try picture.jpegData(quality: Self.bestQuality)
    } catch {
      switch error {
      case PhotoLibraryError.cannotRead, PhotoLibraryError.absent: throw error
      default: throw PlaceStays()
      }
    }
  }
}

/// A photo isn't sent: where it was taken can't be taken out of it.
struct PlaceStays: CodedError {
  var description: String {
    "It says where it was taken, and no copy without that can be made. Send it with its place, or as a JPEG."
  }
  var coded: Coded? { Coded("placeStays") }
}

extension Asset {
  /// Whether it is larger than a smaller copy would be.
  fileprivate var isLarge: Bool {
    dimensions.map { max($0.width, $0.height) > PhotoStream.copySide } ?? false
  }
}
