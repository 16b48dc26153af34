import Foundation
import Synchronization
import ViewfinderLibrary

/// What is measured in a process of its own, so that its peak memory is that of nothing else.
enum Phase: String, CaseIterable {
  /// Opens the library without its own keeping up, and looks at all folders.
  case scan
  /// Opens it as programs do, up to the first numbers to show.
  case open
  /// Reads pages of 100, right after opening.
  case pages
  /// What a start page shows: albums with their counts and posters, and thumbnails.
  case show

  /// Runs it and prints the figures as JSON.
  func run(in workspace: Workspace, samples: Int) async throws {
    var figures = Figures()
    switch self {
    case .scan: try await figures.scan(workspace)
    case .open: try await figures.open(workspace)
    case .pages: try await figures.readPages(workspace, samples: samples)
    case .show: try await figures.show(workspace)
    }
    figures.peakMemory = try Figures.highWaterMark()
    figures.processorSeconds = Double(clock()) / Double(CLOCKS_PER_SEC)
    FileHandle.standardOutput.write(try JSONEncoder().encode(figures))
  }
}

/// What a phase measured; times in seconds, memory in bytes.
struct Figures: Codable {
  var seconds = 0.0
  /// CPU time of the whole phase, all threads.
  var processorSeconds = 0.0
  var peakMemory = 0
  /// What a scan found and read, and how often it told of its progress.
  var (filesFound, filesRead, progressReports) = (0, 0, 0)
  /// What making a list takes, and reading a page of it, by order.
  var lists: [String: Double] = [:]
  var pages: [String: [Double]] = [:]
  var albums = 0
  var thumbnails = 0.0

  fileprivate mutating func scan(_ workspace: Workspace) async throws {
    let reports = Atomic(0)
    let start = ContinuousClock.now
    let library = try await workspace.library(watches: false)
    let report = try await library.update { _ in reports.wrappingAdd(1, ordering: .relaxed) }
    seconds = start.secondsPassed
    (filesFound, filesRead, progressReports) = (
      report.filesFound, report.filesRead, reports.load(ordering: .relaxed)
    )
  }

  fileprivate mutating func open(_ workspace: Workspace) async throws {
    let start = ContinuousClock.now
    let library = try await workspace.library()
    let albums = try await library.albums()
    let counts = try await library.album(.all).counts()
    seconds = start.secondsPassed
    (self.albums, filesFound) = (albums.count, counts.all)
  }

  fileprivate mutating func readPages(_ workspace: Workspace, samples: Int) async throws {
    let library = try await workspace.library()
    for order in AssetOrder.allCases {
      var start = ContinuousClock.now
      let list = try await library.album(.all).assets(order: order)
      lists[order.rawValue] = start.secondsPassed
      let last = list.count / 100 - 1
      for number in [0, last / 2, last] + (0..<samples).map({ _ in Int.random(in: 0...last) }) {
        start = ContinuousClock.now
        let page = try await list.page(number)
        pages[order.rawValue, default: []].append(start.secondsPassed)
        guard page.count == 100 else { throw Failure("A page has \(page.count) assets.") }
      }
    }
  }

  fileprivate mutating func show(_ workspace: Workspace) async throws {
    let library = try await workspace.library()
    var start = ContinuousClock.now
    for album in try await library.albums() {
      _ = try await (album.counts(), album.poster())
      albums += 1
    }
    seconds = start.secondsPassed
    start = ContinuousClock.now
    let page = try await library.album(.recents).assets().page(0)
    try await withThrowingTaskGroup { group in
      for asset in page { group.addTask { _ = try await library.thumbnail(of: asset) } }
      try await group.waitForAll()
    }
    thumbnails = start.secondsPassed
  }

  /// The most memory that the process has had, in bytes.
  fileprivate static func highWaterMark() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let kilobytes = line?.split(whereSeparator: \.isWhitespace)[1] else { return 0 }
    return (Int(kilobytes) ?? 0) << 10
  }
}

extension ContinuousClock.Instant {
  var secondsPassed: Double { (.now - self) / .seconds(1) }
}
