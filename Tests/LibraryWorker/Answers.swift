import Foundation
import Viewfinder
import ViewfinderLibrary

/// Does what the lines of the standard input say, and answers each with a line: what came of it, or the error.
struct Answers {
  let bench: Bench
  private var library: PhotoLibrary?

  init(_ bench: Bench) { self.bench = bench }

  mutating func run() async {
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      do {
        LibraryWorker.tell(try await answer(words[0], words.count > 1 ? words[1] : ""))
      } catch {
        LibraryWorker.tell("error \(error)")
      }
    }
  }

  private mutating func answer(_ command: String, _ argument: String) async throws -> String {
    switch command {
    case "open":
      library = nil
      library = try await bench.open(watches: false)
      return "opened"
    case "status": return "\(await PhotoLibrary.authorizationStatus(for: bench.configuration))"
    case "peak": return "peak \(Self.peakMemory)"
    case "run": return "ran \(try shell(argument))"
    default: break
    }
    guard let library else { return "error: nothing is open" }
    switch command {
    case "update": return "updated \(try await library.update().filesFound)"
    case "list": return "listed \(try await library.album(.all).assets().count)"
    case "save":
      let number = Int(argument) ?? 0
      let asset = try await library.save([PhotoResource(.data(try bench.photo(number)))])
      return "saved \(asset.fileName)"
    case "add":
      try await bench.album("Edited", library).add([try await asset(argument, library)])
      return "added"
    case "album":
      return "has \(try await bench.names(bench.album("Edited", library)).joined(separator: ","))"
    case "show":
      return "shows \(try await asset(argument, library).fullResolutionImage().dimensions)"
    case "thumbnail":
      let picture = try await library.thumbnail(of: try await asset(argument, library))
      return "shows \(picture.dimensions)"
    case "fit":
      let box = Dimensions(width: 2000, height: 2000)
      let file = try await asset(argument, library).defaultRepresentation
      return "shows \(try await file.image(fitting: box).dimensions)"
    case "crop":
      let part = CGRect(x: 0.1, y: 0.1, width: 0.8, height: 0.8)
      let cropped = try await library.crop(
        asset(argument, library), to: CropRecipe(PhotoCrop(outline: .rectangle(part))))
      return "cropped \(cropped.dimensions.map { "\($0)" } ?? "nothing")"
    case "verify":
      let report = try await library.verify()
      return "verified \(report.damagedFiles.map(\.error))"
    default: return "error: what is \(command)?"
    }
  }

  /// The most memory that the process has had at once, in KiB.
  ///
  /// `getrusage` counts what the parent had before this program began, too.
  private static var peakMemory: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return line.split(separator: " ").compactMap { Int($0) }.first ?? .max
  }

  private func asset(_ name: String, _ library: PhotoLibrary) async throws -> Asset {
    try await library.asset(at: bench.pictures.appendingPathComponent(name))
  }

  /// Runs a command in the worker's folder, where it sees the worker's disks.
  private func shell(_ command: String) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = bench.base
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
