import Foundation
import Viewfinder

/// The user's trash, shared with desktops: the freedesktop.org Trash specification 1.0.
///
/// Only ``delete(_:)`` ever deletes: where there is no trash for a file, an error says so.
struct Trash: Sendable {
  /// The trash for files of its own file system; the others have theirs at their top.
  let home: FilePath?

  /// Puts a file into the trash.
  func put(
    _ path: FilePath, at date: TrashDate = .now
  ) throws(PhotoLibraryError) -> TrashedFile {
    guard path.bytes.first == UInt8(ascii: "/") else {
      throw .invalidRequest(reason: "\(path) must be a whole path to be put into the trash.")
    }
    guard let status = FileStatus(of: path, followsLinks: false) else {
      throw .cannotRead(path: path.description, code: errno)
    }
    if let home, home.nearestStatus?.device == status.device {
      do throws(TrashFolder.Failure) {
        return try TrashFolder(path: home, top: nil).take(path, at: date)
      } catch {
        // One file system may be mounted in two places, between which nothing can be moved.
        guard error.code == EXDEV else { throw Self.failure(path, home, error.code) }
      }
    }
    let folder = try TrashFolder.atTop(of: path, device: status.device)
    do throws(TrashFolder.Failure) {
      return try folder.take(path, at: date)
    } catch {
      throw Self.failure(path, folder.path, error.code)
    }
  }

  /// Puts the files of one photo into the trash, all or none, with one date.
  func put(_ paths: [FilePath]) throws(PhotoLibraryError) -> [TrashedFile] {
    let date = TrashDate.now
    var trashed: [TrashedFile] = []
    for path in paths {
      do throws(PhotoLibraryError) {
        trashed.append(try put(path, at: date))
      } catch {
        let stuck = trashed.reversed().filter { (try? restore([$0])) == nil }
        guard stuck.isEmpty else {
          let done = Set(stuck.map(\.original))
          throw .incomplete(
            done: stuck.map(\.fileURL), left: paths.filter { !done.contains($0) }.map(\.url),
            because: error)
        }
        throw error
      }
    }
    return trashed
  }

  /// Puts the files of one photo back, all or none; never over others.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - place: Where each goes; the default is where it was.
  /// - Returns: Where they are.
  /// - Throws: ``PhotoLibraryError/cannotWrite(path:code:)`` with `EEXIST` when something else has one of
  ///   the names now; all stay in the trash then.
  @discardableResult
  func restore(
    _ files: [TrashedFile], to place: (TrashedFile) -> FilePath = { $0.original }
  ) throws(PhotoLibraryError) -> [FilePath] {
    let places = files.map(place)
    // What fails is best found before anything moves.
    for (file, place) in zip(files, places) {
      guard FileStatus(of: file.file, followsLinks: false) != nil else {
        throw .notFound(what: "file \(file.original) in the trash any more")
      }
      guard FileStatus(of: place, followsLinks: false) == nil else {
        throw .cannotWrite(path: place.description, code: EEXIST)
      }
    }
    for (index, (file, place)) in zip(files, places).enumerated() {
      do throws(PhotoLibraryError) {
        try place.folder.makeFolder()
        let code = file.file.moveToFree(place)
        guard code == 0 else { throw Self.failure(restoring: file, to: place, code) }
      } catch {
        let stuck = (0..<index).filter { places[$0].moveToFree(files[$0].file) != 0 }
        guard stuck.isEmpty else {
          for index in stuck { files[index].info.unlink() }
          let left = files.indices.filter { !stuck.contains($0) }
          throw .incomplete(
            done: stuck.map { places[$0].url }, left: left.map { files[$0].fileURL },
            because: error)
        }
        throw error
      }
    }
    for place in places { FileSystem.syncFolder(of: place.bytes) }
    for file in files { file.info.unlink() }
    return places
  }

  /// Deletes a file or folder in the trash for good.
  func delete(_ file: TrashedFile) throws(PhotoLibraryError) {
    let code = file.file.removeTree()
    guard code == 0 || code == ENOENT else {
      throw .cannotWrite(path: file.file.description, code: code)
    }
    // Last: who is killed in between leaves a name that desktops clear away, and not a file that none shows.
    file.info.unlink()
  }

  /// What was put into the trash out of some folders, the last first.
  ///
  /// - Parameter folders: The folders, which may be gone; what was below them counts, too.
  /// - Returns: The files and folders, wherever their trash is.
  func contents(of folders: [FilePath]) -> [TrashedFile] {
    var trashes = [home].compactMap(\.self).map { TrashFolder(path: $0, top: nil) }
    var devices: Set<UInt64> = []
    for folder in folders {
      guard let status = folder.nearestStatus, devices.insert(status.device).inserted else {
        continue
      }
      trashes += TrashFolder.atTop(around: folder)
    }
    // Of thousands of folders, most lie in another.
    let outer = folders.sorted().reduce(into: [FilePath]()) { outer, folder in
      if outer.last.map({ !folder.isInside($0) }) ?? true { outer.append(folder) }
    }
    return trashes.flatMap { $0.contents() }
      .filter { file in
        // Other programs also write down paths that lead through links.
        let real = file.original.folder.resolved?.appending(file.original.name)
        return outer.contains { (real ?? file.original).isInside($0) }
      }
      .sorted { ($1.date, $0.original) < ($0.date, $1.original) }
  }

  static func failure(_ path: FilePath, _ trash: FilePath, _ code: Int32) -> PhotoLibraryError {
    .notTrashed(path: path.description, trash: trash.description, code: code)
  }

  private static func failure(
    restoring file: TrashedFile, to place: FilePath, _ code: Int32
  ) -> PhotoLibraryError {
    guard code == EXDEV else { return .cannotWrite(path: place.description, code: code) }
    return .onOtherDisk(path: file.file.description, folder: place.folder.description)
  }
}

extension FilePath {
  /// What is at a path, or at the nearest folder around it that there is.
  fileprivate var nearestStatus: FileStatus? {
    var path = self
    while !path.bytes.isEmpty {
      if let status = FileStatus(of: path) { return status }
      guard path != path.folder else { return nil }
      path = path.folder
    }
    return nil
  }

  /// Removes a file, or a folder with all that is in it, through no link; returns 0 or an `errno`.
  fileprivate func removeTree() -> Int32 {
    guard let status = FileStatus(of: self, followsLinks: false) else { return errno }
    guard status.kind == .folder else { return unlink() }
    do throws(PhotoLibraryError) {
      for name in try names() {
        let code = appending(name).removeTree()
        guard code == 0 || code == ENOENT else { return code }
      }
    } catch {
      guard case .cannotRead(_, let code) = error else { return EIO }
      return code
    }
    return unsafe withCString { unsafe rmdir($0) } == 0 ? 0 : errno
  }
}
