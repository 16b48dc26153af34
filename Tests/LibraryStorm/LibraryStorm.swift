// `stdout` is a variable in the eyes of Swift 6.
@preconcurrency import Foundation
import ViewfinderLibrary

/// Several programs on one photo library, while somebody rearranges its files; Scripts/library-storm runs it.
///
/// usage: library-storm [--files N] [--operations N] [--seed S] [--programs N]
///
/// It makes a library of N files, opens it in as many programs, and has them save, add to albums, trash and restore, while
/// it renames, moves, copies, replaces, edits and deletes files itself, and kills a program now and then. When all is quiet,
/// it compares: the disk with what each program says, and what became of each file with what it had been. It prints what it
/// did and each violation, and exits with 1 if there is one.
@main enum LibraryStorm {
  static func main() async throws {
    // A program that was killed reads no more.
    signal(SIGPIPE, SIG_IGN)
    setvbuf(stdout, nil, _IOLBF, 0)
    if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "program" {
      return try await Program(base: Base(CommandLine.arguments[2])).run()
    }
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
      print("usage: library-storm [--files N] [--operations N] [--seed S] [--programs N]")
      exit(64)
    }
    let folder = FileManager.default.temporaryDirectory
      .appending(component: "library-storm-\(getpid())")
    defer { try? FileManager.default.removeItem(at: folder) }
    print("The seed is \(options.seed).")
    let violations = try await Storm(options, Base(folder.path)).run()
    for violation in violations { print("VIOLATION: \(violation)") }
    print(violations.isEmpty ? "No violations." : "\(violations.count) violations.")
    fflush(nil)
    if !violations.isEmpty {
      try? FileManager.default.removeItem(at: folder)
      exit(1)
    }
  }
}

struct Options {
  var files = 300
  var operations = 500
  var seed = UInt64.random(in: 0...999_999)
  var programs = 2

  /// Reads the arguments; `nil` for those that aren't understood.
  init?(_ arguments: some Collection<String>) {
    var rest = Array(arguments)[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst().flatMap(UInt64.init), value < 1 << 32 else { return nil }
      switch name {
      case "--files": files = max(Int(value), 1)
      case "--operations": operations = Int(value)
      case "--seed": seed = value
      case "--programs": programs = max(Int(value), 1)
      default: return nil
      }
    }
  }
}

/// The folders of a storm.
struct Base: Sendable {
  let url: URL

  init(_ path: String) { url = URL(fileURLWithPath: path, isDirectory: true) }

  var pictures: URL { url.appending(component: "Pictures") }
  /// Where files and folders are while they are out of the library.
  var outside: URL { url.appending(component: "outside") }
  var trash: URL { url.appending(component: "Trash") }

  func configuration(watches: Bool) -> PhotoLibrary.Configuration {
    var configuration = PhotoLibrary.Configuration(roots: [pictures])
    configuration.indexFolder = url.appending(component: "index")
    configuration.thumbnailFolder = url.appending(component: "thumbnails")
    configuration.trashFolder = trash
    configuration.watchesFolders = watches
    return configuration
  }
}

/// Numbers that a seed determines (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
