import ArgumentParser
import Foundation
import ViewfinderLibrary

/// Makes thumbnails.
struct ThumbnailsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thumbnails",
    abstract: "Make the thumbnails that are missing, for all programs of the desktop.",
    discussion: """
      They go to the cache that file managers use (thumbnails in XDG_CACHE_HOME). It skips files \
      of kinds that have no thumbnails. The exit code is 65 when a picture is damaged.

      JSON: {"size", "made", "ready" (those that already existed), "skipped", "failed": \
      [{"url", "fileName", "fileURL", "error"}]}
      """)

  @Argument(help: ArgumentHelp("The album: its name, URL or folder.", valueName: "album"))
  var album = Path(SmartAlbum.all.rawValue)

  @OptionGroup(title: "Library options") var options: LibraryReadOptions

  @Option(
    help: ArgumentHelp(
      "normal (128 pixels), large (256), x-large (512) or xx-large (1024). (default: large)",
      valueName: "size"),
    completion: .list(["normal", "large", "x-large", "xx-large"]), transform: Value.thumbnailSize)
  var size: ThumbnailSize?

  func run() async throws {
    let library = try await options.open()
    let list = try await library.album(named: album).assets()
    let size = size ?? .large
    let progress = ProgressLine()
    var report = Report(size: size.side)
    for start in stride(from: 0, to: list.count, by: 100) {
      let page = try await list.assets(in: start..<min(start + 100, list.count))
      for (asset, outcome) in try await outcomes(of: page, size, library) {
        report.add(outcome, of: asset)
      }
      progress.show("\(min(start + 100, list.count)) of \(list.count)")
    }
    progress.clear()
    if options.library.json { try JSON.print(report) } else { report.printForPeople() }
    if let worst = report.worstExitStatus { throw ReportedFailure(exitStatus: worst) }
  }

  fileprivate enum Outcome: Sendable {
    case made
    case ready
    case notKept
    case failed(PhotoLibraryError)
  }

  /// What became of each asset, several of which are worked on at once.
  private func outcomes(
    of assets: [Asset], _ size: ThumbnailSize, _ library: PhotoLibrary
  ) async throws -> [(Asset, Outcome)] {
    let workers = ThumbnailLimits().workers
    return try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
      var results = [Outcome?](repeating: nil, count: assets.count)
      for (place, asset) in assets.enumerated() {
        if place >= workers, let (done, outcome) = try await group.next() {
          results[done] = outcome
        }
        group.addTask {
          try Task.checkCancellation()
          return (place, await Self.outcome(of: asset, size, library))
        }
      }
      for try await (done, outcome) in group { results[done] = outcome }
      return zip(assets, results).compactMap { asset, outcome in outcome.map { (asset, $0) } }
    }
  }

  private static func outcome(
    of asset: Asset, _ size: ThumbnailSize, _ library: PhotoLibrary
  ) async -> Outcome {
    if await library.thumbnailStatus(of: asset, size: size) == .ready { return .ready }
    do throws(PhotoLibraryError) {
      await settle(asset)
      _ = try await library.thumbnail(of: asset, size: size)
      let isKept = await library.thumbnailStatus(of: asset, size: size) == .ready
      return isKept ? .made : .notKept
    } catch {
      return .failed(error)
    }
  }

  /// Waits until a file is old enough: caches know its time in seconds only, so that nothing is kept of a file
  /// that was written to just now.
  private static func settle(_ asset: Asset) async {
    let age = -asset.modificationDate.timeIntervalSinceNow
    if (0..<2).contains(age) { try? await Task.sleep(for: .seconds(2 - age)) }
  }

  struct Report: Encodable {
    struct Failure: Encodable {
      var url: String
      var fileName: String
      var fileURL: String
      var error: String
    }

    var size: Int
    var made = 0
    var ready = 0
    var skipped = 0
    var failed: [Failure] = []
    private(set) var worstExitStatus: Int32?

    init(size: Int) { self.size = size }

    private enum CodingKeys: CodingKey { case size, made, ready, skipped, failed }

    fileprivate mutating func add(_ outcome: Outcome, of asset: Asset) {
      switch outcome {
      case .made: made += 1
      case .ready: ready += 1
      case .failed(.unsupported): skipped += 1
      case .notKept:
        add(
          "The thumbnail of \(Terminal.path(asset.fileURL)) can't be kept: is the cache writable, "
            + "and the file not being written to?", EX_IOERR, asset)
      case .failed(let error): add(error.description, error.exitStatus, asset)
      }
    }

    private mutating func add(_ error: String, _ exitStatus: Int32, _ asset: Asset) {
      failed.append(
        Failure(
          url: asset.url.absoluteString, fileName: asset.fileName,
          fileURL: asset.fileURL.absoluteString, error: error))
      worstExitStatus = max(worstExitStatus ?? 0, exitStatus)
    }

    func printForPeople() {
      for failure in failed { Terminal.warn(Terminal.plain(failure.error)) }
      print("\(made) made, \(ready) there already, \(skipped) skipped, \(failed.count) failed")
    }
  }
}
