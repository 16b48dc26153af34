import Foundation

/// Albums that fill themselves.
public enum SmartAlbum: String, Sendable, CaseIterable {
  /// Everything in the library.
  case all
  /// Everything, the newest arrivals first.
  case recents
  /// The photos that were saved: those in `DCIM`.
  case cameraRoll = "camera-roll"
  /// Videos.
  case videos
  /// Favourites.
  case favorites
  /// Bursts.
  case bursts
  /// Pictures of the screen.
  case screenshots
}

/// Which album.
enum AlbumKey: Hashable, Sendable {
  case smart(SmartAlbum)
  /// A folder's photos, by its absolute path.
  case folder(FilePath)
  /// An album that the person made.
  case made(UUID)

  /// The identifier under which changes are logged and members listed.
  var id: UUID {
    switch self {
    case .made(let id): id
    case .smart(let kind): UUID(hashing: [Array("smart album \(kind.rawValue)".utf8)])
    case .folder(let path): UUID(hashing: [Array("folder album ".utf8), path.bytes])
    }
  }

  /// Whether a person puts assets into it, in an order of their own.
  var isFilledByHand: Bool {
    switch self {
    case .made, .smart(.favorites): true
    case .smart, .folder: false
    }
  }

  /// Favourites are kept like an album that the person made.
  static let favorites = AlbumKey.smart(.favorites).id
}
