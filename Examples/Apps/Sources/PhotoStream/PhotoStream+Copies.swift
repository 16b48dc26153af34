import Checksums
import FeedClient
import Foundation
import Viewfinder
import ViewfinderLibrary

/// Smaller copies of large photos, which are sent in their place; the photos themselves stay as they are.
///
/// To the other devices a copy is a photo like any other. No copy can be made twice: it is kept until the server has it.
extension PhotoStream {
  /// The longer side of a copy, in pixels: enough for a screen.
  public static let copySide = 2048
  private static let quality = 0.85

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
    if count > 0 { kick.yield() }
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
    let names = Set(waiting.map { "\($0.photo.name).jpg" })
    for name in try FileManager.default.contentsOfDirectory(atPath: copies.path)
    where !names.contains(name) {
      try? FileManager.default.removeItem(at: copies.appending(component: name))
    }
  }

  /// Makes a copy to be sent in a photo's place.
  ///
  /// - Parameters:
  ///   - asset: The photo.
  ///   - offer: What is to be sent of it, which may be a copy already.
  /// - Returns: What is to be sent; `nil` for a photo that goes as it is, since it is small, or no smaller copy can be made.
  /// - Throws: Why the copy can't be written.
  func smallerCopy(
    of asset: Asset, for offer: StreamLedger.Offer
  ) async throws -> StreamLedger.Offer? {
    if FileManager.default.fileExists(atPath: copyFile(offer.photo.name).path) { return offer }
    let file = asset.defaultRepresentation
    guard asset.isLarge, let jpeg = await Self.jpeg(of: file), jpeg.count < file.size else {
      return nil
    }
    let name = BlobName(of: jpeg)
    try jpeg.write(to: copyFile(name), options: .atomic)
    var copy = offer
    copy.isCopy = true
    (copy.photo.name, copy.photo.size, copy.photo.type) = (name, jpeg.count, "image/jpeg")
    if file.contentType != .jpeg {
      let title = (file.fileName as NSString).deletingPathExtension
      copy.photo.fileName = "\(title).jpg"
    }
    return copy
  }

  /// The picture upright and fit for a screen, with the file's Exif data; `nil` where it can't be decoded.
  private static func jpeg(of file: AssetRepresentation) async -> Data? {
    let box = Dimensions(width: copySide, height: copySide)
    guard let picture = try? await file.image(fitting: box) else { return nil }
    let exif = try? await file.exifData()
    return try? PhotoCrop().apply(
      to: picture, exif: exif, name: file.fileName, as: PhotoEncoding(quality: quality)
    ).data
  }
}

extension Asset {
  /// Whether it is larger than a copy would be.
  fileprivate var isLarge: Bool {
    dimensions.map { max($0.width, $0.height) > PhotoStream.copySide } ?? false
  }
}
