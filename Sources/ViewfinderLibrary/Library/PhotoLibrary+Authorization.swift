import Foundation
import Viewfinder

/// Whether a program may use the photo library; `PHAuthorizationStatus` to Apple's apps.
public enum PhotoLibraryAuthorization: Hashable, Sendable {
  /// The program may show and save photos.
  case authorized
  /// The program may show photos, but save none; `advice` says what to do.
  case readOnly(advice: String)
  /// The program may not read the folders, or they don't exist; `advice` says what to do.
  case denied(advice: String)
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
    let result = await Blocking.run { () -> Result<[FilePath], PhotoLibraryError> in
      Result { () throws(PhotoLibraryError) in try LibraryPlaces(configuration).roots }
    }
    switch result {
    case .failure(.notAuthorized(let advice)): return .denied(advice: advice)
    case .failure(let error): return .denied(advice: error.description)
    case .success(let roots):
      guard let first = roots.first, let problem = FolderPermission(first).writeProblem else {
        return .authorized
      }
      return .readOnly(advice: problem)
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

  /// Why it can't be read, and what to do; `nil` when it can.
  var problem: String? {
    guard let status else {
      if code != ENOENT { return "\(folder) can't be reached: \(errorText(code))." }
      return FileStatus(of: folder, followsLinks: false) == nil
        ? "\(folder) isn't there. Make it, or choose another folder."
        : "\(folder) leads to a folder that isn't there. Make that, or choose another folder."
    }
    guard status.kind == .folder else { return "\(folder) is no folder. Choose another one." }
    guard allows(R_OK | X_OK) else {
      return "\(folder) may not be read. As its owner, allow it: chmod u+rx \(quoted)."
    }
    return nil
  }

  /// Why nothing can be saved in it, and what to do; `nil` when it can.
  var writeProblem: String? {
    if let problem { return problem }
    guard allows(W_OK | X_OK) else {
      return errno == EROFS
        ? "\(folder) is on a read-only file system. Choose another folder for new photos."
        : "Nothing may be saved in \(folder). As its owner, allow it: chmod u+w \(quoted)."
    }
    return nil
  }

  private func allows(_ mode: Int32) -> Bool {
    unsafe folder.withCString { unsafe access($0, mode) } == 0
  }

  private var quoted: String { "'" + folder.description.replacing("'", with: "'\\''") + "'" }
}
