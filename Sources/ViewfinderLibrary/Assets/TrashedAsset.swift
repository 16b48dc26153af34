public import Foundation

/// A photo or video in the trash with all its files, or another file or folder that came out of a library.
public struct TrashedAsset: Identifiable, Hashable, Sendable {
  /// The asset's identifier, which it has again once it is restored; `nil` for what the library doesn't know as an asset.
  public let assetID: UUID?
  /// Its files: originals first, sidecar files such as crop recipes last.
  public let files: [TrashedFile]

  init(assetID: UUID?, files: [TrashedFile]) {
    self.assetID = assetID
    self.files = files.sorted { $0.rank < $1.rank }
  }

  /// Where its first file is in the trash: no other has that place.
  public var id: URL { files[0].fileURL }

  /// The file that stands for it: the edited one, where there is one.
  var shownFile: TrashedFile { files.first { $0.isEdited } ?? files[0] }

  /// When it was put there, to the second; `nil` when that isn't known.
  public var deletionDate: Date? { files[0].deletionDate }

  /// Where its first file was.
  public var originalURL: URL { files[0].originalURL }

  /// The first file's name, with U+FFFD for bytes that aren't UTF-8.
  public var fileName: String { files[0].original.name.description }

  /// The files that were put there together and have the name of one photo.
  ///
  /// - Parameters:
  ///   - files: What is in the trash, the last first; the result has their order.
  ///   - asset: Tells the asset of a file, if the library knows it.
  /// - Returns: All of them, each once.
  static func groups(of files: [TrashedFile], asset: (TrashedFile) -> UUID?) -> [TrashedAsset] {
    var order: [Key] = []
    var groups: [Key: [TrashedFile]] = [:]
    for file in files {
      let key = Key(file)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(file)
    }
    return order.flatMap { split(groups[$0] ?? [], asset) }
  }

  private struct Key: Hashable {
    var folder: FilePath
    var stem: FilePath
    var date: TrashDate

    init(_ file: TrashedFile) {
      let photo = Sidecars.photo(of: file.original)
      (folder, stem, date) = (photo.folder, AssetName(photo.name).stem, file.date)
    }
  }

  /// Photos of one name that went into the trash within the same second are told apart where the library knows them.
  private static func split(
    _ files: [TrashedFile], _ asset: (TrashedFile) -> UUID?
  ) -> [TrashedAsset] {
    var parts: [(id: UUID?, files: [TrashedFile])] = []
    for file in files.sorted(by: { $0.rank < $1.rank }) {
      let id = asset(file)
      let photo = Sidecars.photo(of: file.original)
      let owner = parts.firstIndex { part in
        guard let id else {
          return part.files.contains { $0.original == photo || $0.original.stem == photo.name }
        }
        return part.id == nil || part.id == id
      }
      // What tells nothing of itself goes with the first.
      if let place = owner ?? (id == nil ? parts.indices.first : nil) {
        parts[place].files.append(file)
        parts[place].id = parts[place].id ?? id
      } else {
        parts.append((id, [file]))
      }
    }
    return parts.map { TrashedAsset(assetID: $0.id, files: $0.files) }
  }
}

extension TrashedFile {
  /// Originals before edited versions before sidecars.
  fileprivate var rank: (Int, FilePath) {
    if Sidecars.isSidecar(original) { return (2, original) }
    return (isEdited ? 1 : 0, original)
  }

  fileprivate var isEdited: Bool {
    !Sidecars.isSidecar(original) && AssetName(original.name).role == .edited
  }
}
