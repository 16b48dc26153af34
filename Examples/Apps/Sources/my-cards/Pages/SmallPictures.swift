import CardModel
import CardStore
import Foundation
import Viewfinder

/// Cards' pictures as small as the list shows them: made when they are first asked for, and kept beside the cards.
///
/// They are named by the pictures that they are made of, so that none is ever out of date.
struct SmallPictures: Sendable {
  /// Two cards side by side on a phone with fine pixels.
  static let box = Dimensions(width: 384, height: 384)

  private let store: CardStore
  private let folder: URL

  /// Keeps them in a folder that is made when it is needed; those whose pictures have gone go with it.
  init(_ store: CardStore, folder: URL) {
    self.store = store
    self.folder = folder
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    for file in files ?? [] {
      let hash = PictureHash(file.deletingPathExtension().lastPathComponent)
      if hash.map(store.hasPicture) != true { try? FileManager.default.removeItem(at: file) }
    }
  }

  /// A small picture as JPEG; `nil` where there is no such picture.
  func jpeg(_ hash: PictureHash) throws -> Data? {
    let file = folder.appending(component: "\(hash).jpg")
    if store.hasPicture(hash), let data = try? Data(contentsOf: file), data.suffix(2) == Self.end {
      return data
    }
    guard let whole = try store.picture(hash) else { return nil }
    // Fine pixels show no more, and the first screen loads dozens of them.
    let small = try PixelBuffer(decoding: whole, fitting: Self.box).jpegData(quality: 0.7)
    // On a full disk it is made each time.
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try? small.write(to: file, options: .atomic)
    return small
  }

  /// The marker at a JPEG's end.
  private static let end = Data([0xff, 0xd9])
}
