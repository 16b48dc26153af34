import Foundation
import Viewfinder

/// A file that a scan came upon.
struct FoundFile: Sendable {
  var folder: FilePath
  var name: FilePath
  var status: FileStatus
  var sidecar: Sidecar?

  var path: FilePath { folder.appending(name) }
}

/// A file that was read as far as the library needs it.
struct ExaminedFile: Sendable {
  var found: FoundFile
  var content: ContentID
  var info: MediaInfo
  /// Whether the library lists it: a picture or a video, or what has the name of one.
  var isItem: Bool
  var completeness = Completeness.unknown

  /// For how long a file that isn't whole may be silent before it counts as one that stays so, in nanoseconds.
  private static let patience: Int64 = 10_000_000_000

  /// Whether somebody wrote to it lately.
  var isFresh: Bool {
    let age = Int64.now - found.status.modified
    return age >= 0 && age < Self.patience
  }
}

/// Reads files' headers on several threads.
enum FileExaminer {
  private static let queue = DispatchQueue(
    label: "Viewfinder scan", qos: .utility, attributes: .concurrent)

  /// Begins to read files while the caller does something else.
  static func begin(_ files: [FoundFile]) -> Examination {
    // Not concurrentPerform: from a thread that isn't Dispatch's own, it damaged memory (Swift 6.3, Linux).
    let examination = Examination(files)
    let workers = min(ProcessInfo.processInfo.activeProcessorCount, 4, (files.count + 7) / 8)
    for _ in 0..<workers { queue.async(group: examination.group) { examination.run() } }
    return examination
  }

  /// What a file holds; `nil` for one that has vanished.
  static func examine(_ file: FoundFile) -> ExaminedFile? {
    do {
      let reader = try FileReader(file.path)
      let ends = try FileEnds(reader)
      var info = try MediaReader.read(reader)
      if info.type == nil, info.damage == nil, file.hasMediaName {
        info.damage = "it holds no picture or video of a kind that is known"
      }
      if let sidecar = file.sidecar { info.add(sidecar, of: file) }
      let completeness = Completeness(of: reader, info, ends)
      info.isIncomplete = completeness == .incomplete
      var found = file
      found.status = reader.status
      // Whoever writes again within the same tick of the clock leaves the same times: look again.
      if Int64.now - found.status.changed < 50_000_000 { found.status.changed = 0 }
      return ExaminedFile(
        found: found, content: ends.content, info: info,
        isItem: info.type != nil || file.hasMediaName, completeness: completeness)
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
}

/// Files that threads read one after another.
final class Examination: Sendable {
  fileprivate let group = DispatchGroup()
  private let files: [FoundFile]
  private let state: Mutex<(next: Int, results: [ExaminedFile?])>

  fileprivate init(_ files: [FoundFile]) {
    self.files = files
    state = Mutex((0, Array(repeating: nil, count: files.count)))
  }

  fileprivate func run() {
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

  /// What they hold, in the same order, when all are read; the caller helps.
  ///
  /// It is `nil` for one that has vanished.
  func results() -> [ExaminedFile?] {
    run()
    group.wait()
    return state.withLock { $0.results }
  }
}

extension MediaInfo {
  /// Takes over what a sidecar says, if it can be read and speaks of this file.
  fileprivate mutating func add(_ sidecar: Sidecar, of file: FoundFile) {
    guard type != nil, let reader = try? FileReader(file.folder.appending(sidecar.name)),
      let xmp = (try? XMPSidecar.read(reader)).flatMap({ $0 }),
      XMPSidecar.applies(xmp, to: file.name)
    else { return }
    add(sidecar: xmp)
  }
}

extension FoundFile {
  /// Whether the name is a picture's or a video's, so that people expect to see it.
  fileprivate var hasMediaName: Bool { Self.mediaExtensions.contains(name.pathExtension) }

  static let mediaExtensions: Set<String> = [
    "jpg", "jpeg", "jpe", "jfif", "png", "gif", "bmp", "webp", "heic", "heif", "avif", "jxl", "jp2",
    "tif",
    "tiff", "dng", "nef", "nrw", "cr2", "cr3", "crw", "arw", "srf", "sr2", "orf", "rw2", "raf",
    "pef",
    "srw", "3fr", "iiq", "mrw", "x3f", "mp4", "m4v", "mov", "3gp", "mkv", "webm", "avi", "mts",
    "m2ts", "mpg",
    "mpeg",
    "wmv", "ogv",
  ]
}
