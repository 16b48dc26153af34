import Foundation
import Viewfinder

/// Puts new photos into a folder, each under a name that nothing had.
///
/// A file is there whole or not at all, and the files of one photo all or none; when a call returns,
/// they are on the disk. Savers of any threads and processes may work in one folder: its lock makes them
/// take turns at choosing names. (A process killed in the moment between the names of two files of one
/// photo leaves the first ones, each of them whole.)
///
/// Calls wait for the disk: they don't belong on Swift's shared threads.
struct PhotoSaver: Sendable {
  /// Where a file's bytes come from.
  enum Source: Hashable, Sendable {
    case data(Data)
    /// A file that stays where it is.
    case copy(FilePath)
    /// A file that is taken away from where it is, when all is saved.
    case move(FilePath)
  }

  /// One file of a photo.
  struct File: Hashable, Sendable {
    var source: Source
    /// What it is, told from its content: the ending of its name follows from it.
    var type: ContentType
    var role = PhotoName.Role.original
    /// What is written otherwise than it is in the source.
    var splice: FileSplice?
  }

  /// Where photos go; it is made when there is none.
  let folder: FilePath
  let naming: PhotoNaming
  /// What is known of names that are taken, so that folders of thousands needn't be read for each photo.
  var usedNumbers = UsedNumbers()

  /// A photo whose files are on the disk and wait for their names; one thread at a time has it.
  struct Pending: @unchecked Sendable {
    fileprivate let files: [PendingFile]
    fileprivate let endings: [Ending]
    fileprivate let date: CaptureDate

    /// What the files hold.
    func contents() throws(PhotoLibraryError) -> [ContentID] {
      try files.map { file throws(PhotoLibraryError) in try file.content() }
    }
  }

  fileprivate struct Ending: Hashable {
    var role: PhotoName.Role
    var pathExtension: String
  }

  /// Saves the files of one photo under one stem, such as an original, its raw file and its edited
  /// version.
  ///
  /// - Parameters:
  ///   - files: At most one for each role and type.
  ///   - date: When the photo was taken.
  /// - Returns: Their paths, in the same order.
  /// - Throws: ``PhotoLibraryError``; nothing was saved or moved then.
  func save(_ files: [File], date: CaptureDate) throws(PhotoLibraryError) -> [FilePath] {
    try publish([prepare(files, date: date)])[0]
  }

  /// Writes a photo's files, which takes long, without names.
  func prepare(_ files: [File], date: CaptureDate) throws(PhotoLibraryError) -> Pending {
    let endings = files.map { file in
      Ending(role: file.role, pathExtension: naming.pathExtension(of: file.type))
    }
    guard !files.isEmpty, Set(endings).count == files.count else {
      throw .invalidRequest(
        reason: "A photo has one or more files, and at most one of each role and type.")
    }
    let root = try naming.root(in: folder)
    try root.makeFolder()
    let pending = try files.map { file throws(PhotoLibraryError) in
      try PendingFile(file.source, splice: file.splice, in: root)
    }
    return Pending(files: pending, endings: endings, date: date)
  }

  /// Gives photos their names, all or none of them.
  ///
  /// - Returns: The paths of each photo's files, in their order.
  /// - Throws: ``PhotoLibraryError``; the files have no names then, or those that they had.
  func publish(_ photos: [Pending]) throws(PhotoLibraryError) -> [[FilePath]] {
    let paths = try name(photos, in: naming.root(in: folder))
    for folder in Set(paths.compactMap { $0.first?.folder }) {
      FileSystem.syncFolder(of: folder.appending("x").bytes)
    }
    for file in photos.flatMap(\.files) {
      file.syncSource()
      file.finish()
    }
    return paths
  }

  private func name(
    _ photos: [Pending], in root: FilePath
  ) throws(PhotoLibraryError) -> [[FilePath]] {
    let lock = try LibraryLock(folder: root)
    defer { lock.release() }
    do throws(PhotoLibraryError) {
      var candidates = try naming.candidates(in: root, usedNumbers)
      return try photos.map { photo throws(PhotoLibraryError) in
        try name(photo, &candidates)
      }
    } catch {
      for file in photos.flatMap(\.files).reversed() { file.withdraw() }
      throw error
    }
  }

  private func name(
    _ photo: Pending, _ candidates: inout NameCandidates
  ) throws(PhotoLibraryError) -> [FilePath] {
    candidate: while true {
      let stem = try candidates.next(photo.date)
      let paths = photo.endings.map { ending in
        let name = ending.role == .original ? stem.name : PhotoName.edited(of: stem.name)
        return stem.folder.appending(name.withExtension(ending.pathExtension))
      }
      for (file, path) in zip(photo.files, paths) {
        let code = file.publish(at: path)
        // A program that doesn't know of the lock was faster.
        if code == EEXIST { continue candidate }
        guard code == 0 else { throw .cannotWrite(path: path.description, code: code) }
      }
      return paths
    }
  }

  /// Saves the edited version of a photo beside it, under the name that ``PhotoName`` gives it.
  ///
  /// - Parameters:
  ///   - original: The photo's own file, in any folder.
  ///   - source: Where the bytes come from.
  ///   - type: What they are.
  ///   - replacesExisting: Whether an older edited version gives way; never the original.
  /// - Returns: Its path.
  /// - Throws: ``PhotoLibraryError/cannotWrite(path:code:)`` with `EEXIST` when there is an edited
  ///   version that may not be replaced.
  func saveEdited(
    of original: FilePath, _ source: Source, type: ContentType, replacesExisting: Bool = false
  ) throws(PhotoLibraryError) -> FilePath {
    let path = Self.edited(of: original, type)
    let file = try PendingFile(source, in: original.folder)
    let code = file.publish(at: path, replacesExisting: replacesExisting)
    guard code == 0 else { throw .cannotWrite(path: path.description, code: code) }
    FileSystem.syncFolder(of: path.bytes)
    file.syncSource()
    file.finish()
    return path
  }
}

extension PhotoSaver {
  /// Where the edited version of a photo belongs.
  static func edited(of original: FilePath, _ type: ContentType) -> FilePath {
    let isDCF = DCFName.fileNumber(original.name) != nil
    let ending = isDCF ? type.pathExtension.uppercased() : type.pathExtension
    return original.folder.appending(PhotoName.edited(of: original.name).withExtension(ending))
  }
}

extension FilePath {
  /// The name with a dot and `pathExtension` behind it.
  func withExtension(_ pathExtension: String) -> FilePath {
    FilePath(bytes: bytes + Array(".\(pathExtension)".utf8))
  }
}
