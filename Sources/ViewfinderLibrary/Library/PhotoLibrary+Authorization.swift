import Foundation
import Viewfinder

/// Whether a program may use the photo library; `PHAuthorizationStatus` to Apple's apps.
public enum PhotoLibraryAuthorization: Hashable, Sendable {
  /// The program may show and save photos.
  case authorized
  /// The program may show photos, but save none.
  case readOnly(FolderProblem)
  /// The program may not read the folders, or they don't exist.
  case denied(FolderProblem)
}

extension PhotoLibrary {
  /// What the folders allow.
  ///
  /// Asynchronous, because a desktop's portal may have to ask the person one day.
  ///
  /// - Parameter configuration: Which folders; the default is the desktop's for pictures.
  /// - Returns: What the program may do, and what to do for more.
  public static func authorizationStatus(
    for configuration: Configuration = Configuration()
  ) async -> PhotoLibraryAuthorization {
    let result = await Blocking.run { () -> Result<[FilePath], FolderProblem> in
      Result { () throws(FolderProblem) in try LibraryPlaces(configuration).roots }
    }
    switch result {
    case .failure(let problem): return .denied(problem)
    case .success(let roots):
      guard let first = roots.first, let problem = FolderPermission(first).writeProblem else {
        return .authorized
      }
      return .readOnly(problem)
    }
  }

  /// What the folders allow: now, and after each change.
  ///
  /// The library looks every 3 seconds, because the system doesn't announce new rights or new
  /// disks.
  ///
  /// - Parameter configuration: Which folders; the default is the desktop's for pictures.
  /// - Returns: A stream for one reader; it ends when the reader's task is cancelled.
  public static func authorizationUpdates(
    for configuration: Configuration = Configuration()
  ) -> AsyncStream<PhotoLibraryAuthorization> {
    let last = Mutex<PhotoLibraryAuthorization?>(nil)
    return AsyncStream(unfolding: {
      while !Task.isCancelled {
        let status = await authorizationStatus(for: configuration)
        let isNew = last.withLock { last in
          defer { last = status }
          return last != status
        }
        if isNew { return status }
        try? await Task.sleep(for: .milliseconds(LibraryMonitor.rootInterval))
      }
      return nil
    })
  }

  /// Makes the folder for pictures where it is missing, and returns what the folders then allow.
  public static func requestAuthorization(
    for configuration: Configuration = Configuration()
  ) async -> PhotoLibraryAuthorization {
    await Blocking.run {
      // What can't be made is told by the status.
      for root in LibraryPlaces.wantedRoots(configuration) { try? root.makeFolder() }
    }
    return await authorizationStatus(for: configuration)
  }
}

/// What a folder allows this process.
struct FolderPermission {
  private let folder: FilePath
  private let status: FileStatus?
  private let code: Int32

  init(_ folder: FilePath) {
    self.folder = folder
    status = FileStatus(of: folder)
    code = status == nil ? errno : 0
  }

  /// Why it can't be read; `nil` when it can.
  var problem: FolderProblem? {
    let path = folder.description
    guard let status else {
      if code != ENOENT { return .unreachable(path: path, code: code) }
      let isThere = FileStatus(of: folder, followsLinks: false) != nil
      return isThere ? .leadsNowhere(path: path) : .missing(path: path)
    }
    guard status.kind == .folder else { return .notAFolder(path: path) }
    return allows(R_OK | X_OK) ? nil : .notReadable(path: path)
  }

  /// Why nothing can be saved in it; `nil` when it can.
  var writeProblem: FolderProblem? {
    if let problem { return problem }
    guard !allows(W_OK | X_OK) else { return nil }
    let path = folder.description
    return errno == EROFS ? .readOnlyDisk(path: path) : .notWritable(path: path)
  }

  private func allows(_ mode: Int32) -> Bool {
    unsafe folder.withCString { unsafe access($0, mode) } == 0
  }
}
