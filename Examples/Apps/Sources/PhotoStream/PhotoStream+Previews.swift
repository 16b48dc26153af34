import Checksums
import FeedClient
import Foundation
import Viewfinder
import ViewfinderLibrary

/// Small pictures, which come before all photos, and alone where photos come only when they are asked for.
extension PhotoStream {
  /// The longer side of a preview, in pixels.
  private static let side = 512

  /// A photo of the stream that isn't here.
  public struct Offered: Hashable, Sendable {
    /// The photo.
    public var photo: StreamPhoto
    /// Where its preview is, if it has come.
    public var preview: URL?
    /// Whether it comes: by itself, or because it was asked for.
    public var isComing: Bool
  }

  /// The photos that are in the stream and not here, the newest first.
  ///
  /// - Returns: The photos.
  /// - Throws: ``FeedError``, or the ledger's error.
  public func offered() async throws -> [Offered] {
    try await ledger().photos(.wanted).reversed().map { offer in
      Offered(
        photo: offer.photo, preview: preview(of: offer.photo.name),
        isComing: settings.fetchesAll || offer.isAsked)
    }
  }

  /// Asks for photos that don't come by themselves; they come when the stream runs.
  ///
  /// - Parameter photos: Their names.
  /// - Throws: ``FeedError``, or the ledger's error.
  public func ask(for photos: [BlobName]) async throws {
    let ledger = try await ledger()
    try await ledger.ask(for: photos)
    news.ring()
  }

  /// Where the preview of a photo is, if it has come.
  ///
  /// - Parameter photo: The photo's name.
  /// - Returns: A JPEG.
  public func preview(of photo: BlobName) -> URL? {
    let file = previewFile(of: photo)
    return FileManager.default.fileExists(atPath: file.path) ? file : nil
  }

  // MARK: Sending

  /// Sends a preview of a photo; `nil` where there can't be one, or the photo is small itself.
  func sendPreview(of asset: Asset, for offer: StreamLedger.Offer) async throws -> BlobName? {
    let box = Dimensions(width: Self.side, height: Self.side)
    guard let picture = try? await asset.image(fitting: box),
      let jpeg = try? picture.jpegData(quality: 0.7), jpeg.count < offer.photo.size
    else { return nil }
    let name = BlobName(of: jpeg)
    if try await !client.hasBlob(name) {
      try await client.putBlob(jpeg, as: name, type: "image/jpeg")
    }
    return name
  }

  // MARK: Receiving

  private func previewFile(of photo: BlobName) -> URL {
    folder.appending(path: "previews/\(photo).jpg")
  }

  /// Gets the previews that aren't here, and forgets those of photos that don't wait any more.
  ///
  /// What the server can't give keeps no photo away.
  func fetchPreviews(of photos: [StreamPhoto]) async throws {
    let names = Set(photos.map { "\($0.name).jpg" })
    let previews = folder.appending(component: "previews")
    let here = Set(try FileManager.default.contentsOfDirectory(atPath: previews.path))
    for name in here.subtracting(names) {
      try? FileManager.default.removeItem(at: previews.appending(component: name))
    }
    for photo in photos where !here.contains("\(photo.name).jpg") {
      guard let name = photo.preview else { continue }
      do {
        guard let jpeg = try await client.blob(name), BlobName(of: jpeg) == name else { continue }
        try jpeg.write(to: previewFile(of: photo.name), options: .atomic)
        board.change { $0.previews += 1 }
      } catch is FeedError {
        return
      }
    }
  }

  /// Forgets the preview of a photo that is here itself.
  func forgetPreview(of photo: StreamPhoto) {
    try? FileManager.default.removeItem(at: previewFile(of: photo.name))
  }
}
