import Foundation

/// Which files of a folder are one asset: a raw picture beside its JPEG, HEIC beside JPEG, an edited version
/// beside its original, the pictures of a burst, the picture and the video of a Live Photo.
enum AssetGrouping {
  /// Splits files with the same stem into assets, the default file of each first.
  static func groups(of files: [FileRow]) -> [[FileRow]] {
    var rest = files.filter { $0.isItem && $0.info.type != nil }
    var groups = files.filter { $0.isItem && $0.info.type == nil }.map { [$0] }
    rest.sort { ($0.rank, $0.name) < ($1.rank, $1.name) }
    while let first = rest.first {
      var group: [FileRow] = []
      rest.removeAll { file in
        guard group.isEmpty || belongs(file, to: group, first) else { return false }
        group.append(file)
        return true
      }
      group.sort { $0.showsBefore($1) }
      groups.append(group)
    }
    return groups
  }

  /// An edited version belongs to an original: its name alone proves nothing.
  private static func belongs(_ file: FileRow, to group: [FileRow], _ first: FileRow) -> Bool {
    guard let type = file.info.type, let firstType = first.info.type else { return false }
    if first.role == .edited { return false }
    if first.role == .burstMember || file.role == .burstMember { return first.role == file.role }
    if type.kind == .video, firstType.kind != .video {
      // Apple's Live Photos; else a video of that name is its own.
      return file.info.contentIdentifier != nil
        && group.contains { $0.info.contentIdentifier == file.info.contentIdentifier }
    }
    if firstType.kind == .video, type.kind != .video { return false }
    if file.role == .edited { return true }
    if type.kind == .rawImage { return true }
    // One picture in two formats: only cameras write these pairs. A PNG beside a JPEG is a picture of its
    // own.
    return firstType == .jpeg && [.heic, .avif].contains(type)
      && !group.contains { $0.info.type == type && $0.role != .edited }
  }

  /// The identifier of the asset that files make together: one that they had, if possible.
  ///
  /// `isTaken` tells whether a file outside the group has that identifier, or belongs to an asset that
  /// has it.
  static func identifier(of group: [FileRow], isTaken: (UUID) throws -> Bool) rethrows -> UUID? {
    let members = group.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
    let established = members.filter { $0.isDefault || $0.asset != $0.id }
    for file in established {
      if members.contains(where: { $0.id == file.asset }) { return file.asset }
      if try !isTaken(file.asset) { return file.asset }
    }
    return members.first?.id
  }
}

extension AssetGrouping {
  /// Which of several files stands for all: smaller before larger.
  static func rank(_ role: AssetRepresentation.Role, _ type: ContentType?) -> Int {
    switch (role, type) {
    case (.edited, _): 7
    case (.burstMember, _): 4
    case (_, .jpeg): 0
    case (_, .heic), (_, .avif): 1
    case (_, let type) where type?.kind == .rawImage: 3
    case (_, let type) where type?.kind == .video: 6
    default: 2
    }
  }
}

extension FileRow {
  fileprivate var rank: Int { AssetGrouping.rank(role, info.type) }

  /// Which one is shown: the last edited one, then the one that stands for all.
  fileprivate func showsBefore(_ other: FileRow) -> Bool {
    if isVideo != other.isVideo { return other.isVideo }
    if role == .edited, other.role == .edited { return other.name < name }
    if (role == .edited) != (other.role == .edited) { return role == .edited }
    let cover = (isBurstCover, other.isBurstCover)
    if cover.0 != cover.1 { return cover.0 }
    return (rank, name) < (other.rank, other.name)
  }

  private var isVideo: Bool { info.type?.kind == .video }

  private var isBurstCover: Bool {
    role == .burstMember && name.description.uppercased().contains("COVER")
  }
}

/// What a file's name says of the asset to which it belongs.
struct AssetName: Hashable, Sendable {
  /// The same for all files of an asset, in whatever case they are written.
  let stem: FilePath
  let role: AssetRepresentation.Role

  init(_ name: FilePath) {
    if let burst = Self.burst(name.stem) {
      (stem, role) = (burst, .burstMember)
      return
    }
    let photo = PhotoName(name)
    stem = FilePath(bytes: photo.stem.bytes.map(\.asciiLowercased))
    role = photo.role == .edited ? .edited : .original
  }

  /// What the names of a burst's pictures have in common: in `00001IMG_00001_BURST20240102030405678_COVER` the
  /// time, in `IMG_20240102_030405_BURST001` what comes before the number.
  private static func burst(_ stem: FilePath) -> FilePath? {
    let bytes = stem.bytes.map(\.asciiLowercased)
    let word = Array("burst".utf8)
    guard bytes.count > word.count,
      let start = (0..<bytes.count - word.count).first(where: { bytes[$0...].starts(with: word) })
    else { return nil }
    let digits = bytes[(start + word.count)...].prefix(while: \.isASCIIDigit)
    guard digits.count >= 3 else { return nil }
    let isTime = digits.count >= 14
    return FilePath(bytes: isTime ? word + digits : Array(bytes[..<(start + word.count)]))
  }
}
