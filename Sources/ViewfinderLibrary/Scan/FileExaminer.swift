import Foundation
import Viewfinder

/// A file that a scan came upon.
struct FoundFile: Sendable {
  var folder: FilePath
  var name: FilePath
  var status: FileStatus

  var path: FilePath { folder.appending(name) }
}

/// A file that was read as far as the library needs it.
struct ExaminedFile: Sendable {
  var found: FoundFile
  var content: ContentID
  var info: MediaInfo
  /// Whether the library lists it: a picture or a video, or what has the name of one.
  var isItem: Bool
}

/// Reads files' headers on several threads.
enum FileExaminer {
  private static let queue = DispatchQueue(
    label: "Viewfinder scan", qos: .utility, attributes: .concurrent)

  /// The files in the same order, without those that have vanished.
  static func examine(_ files: [FoundFile]) -> [ExaminedFile] {
    let work = Work(files)
    // Not concurrentPerform: from a thread that isn't Dispatch's own, it damaged memory (Swift 6.3, Linux).
    let group = DispatchGroup()
    let workers = min(ProcessInfo.processInfo.activeProcessorCount, 4, files.count / 8)
    for _ in 0..<workers { queue.async(group: group) { work.run() } }
    work.run()
    group.wait()
    return work.results
  }

  static func examine(_ file: FoundFile) -> ExaminedFile? {
    do {
      let reader = try FileReader(file.path)
      let content = try ContentID(of: reader)
      var info = try MediaReader.read(reader)
      if info.type == nil, info.damage == nil, file.hasMediaName {
        info.damage = "it holds no picture or video of a kind that is known"
      }
      var found = file
      found.status = reader.status
      // Whoever writes again within the same tick of the clock leaves the same times: look again.
      if Int64.now - found.status.changed < 50_000_000 { found.status.changed = 0 }
      return ExaminedFile(
        found: found, content: content, info: info, isItem: info.type != nil || file.hasMediaName)
    } catch .cannotRead(_, ENOENT) {
      return nil
    } catch {
      // An item with an error, never a missing one. Its content is known by name and time alone.
      var info = MediaInfo()
      info.damage = error.description
      let size = "\(file.status.size) \(file.status.changed)"
      return ExaminedFile(
        found: file, content: ContentID(hashing: [file.path.bytes, Array(size.utf8)]), info: info,
        isItem: file.hasMediaName)
    }
  }

  /// Files that threads take one after another.
  private final class Work: Sendable {
    private let files: [FoundFile]
    private let state: Mutex<(next: Int, results: [ExaminedFile?])>

    init(_ files: [FoundFile]) {
      self.files = files
      state = Mutex((0, Array(repeating: nil, count: files.count)))
    }

    func run() {
      while let index = take() {
        let result = FileExaminer.examine(files[index])
        state.withLock { $0.results[index] = result }
      }
    }

    private func take() -> Int? {
      state.withLock { state in
        guard state.next < files.count else { return nil }
        defer { state.next += 1 }
        return state.next
      }
    }

    var results: [ExaminedFile] { state.withLock { $0.results.compactMap(\.self) } }
  }
}

extension FoundFile {
  /// Whether the name is a picture's or a video's, so that people expect to see it.
  fileprivate var hasMediaName: Bool { Self.mediaExtensions.contains(name.pathExtension) }

  private static let mediaExtensions: Set<String> = [
    "jpg", "jpeg", "jpe", "jfif", "png", "gif", "bmp", "webp", "heic", "heif", "avif", "jxl", "jp2",
    "tif",
    "tiff", "dng", "nef", "nrw", "cr2", "cr3", "crw", "arw", "srf", "sr2", "orf", "rw2", "raf",
    "pef",
    "srw", "3fr", "iiq", "mp4", "m4v", "mov", "3gp", "mkv", "webm", "avi", "mts", "m2ts", "mpg",
    "mpeg",
    "wmv", "ogv",
  ]
}
