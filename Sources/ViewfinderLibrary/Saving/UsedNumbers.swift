import Viewfinder

/// The numbers that photos got last, so that folders of thousands needn't be read for each new one.
final class UsedNumbers: Sendable {
  struct Last: Sendable {
    /// Where the last photo is; where there is none yet, the folder around it.
    var directory: FilePath
    /// The last photo's number; 9999 means that the next one needs a new directory.
    var number: Int
    /// The highest number of any maker's directory.
    var highest: Int
  }

  private struct Key: Hashable {
    var root: FilePath
    var suffix: String
    var prefix: String
  }

  private let numbers = Mutex<[Key: Last]>([:])

  func last(_ root: FilePath, _ suffix: String, _ prefix: String) -> Last? {
    numbers.withLock { $0[Key(root: root, suffix: suffix, prefix: prefix)] }
  }

  func set(_ last: Last, _ root: FilePath, _ suffix: String, _ prefix: String) {
    numbers.withLock { $0[Key(root: root, suffix: suffix, prefix: prefix)] = last }
  }
}

extension FilePath {
  /// Whether no picture or video, original or edited, has this path with an ending.
  ///
  /// It asks for each ending that there may be: the time that this takes doesn't grow with the folder.
  var isFreeStem: Bool {
    let edited = folder.appending(PhotoName.edited(of: name))
    return [self, edited].allSatisfy { stem in
      FoundFile.mediaExtensions.allSatisfy { ending in
        [ending, ending.uppercased()].allSatisfy {
          FileStatus(of: stem.withExtension($0), followsLinks: false) == nil
        }
      }
    }
  }
}
