import Foundation

/// A number that was measured, with a name.
struct Figure {
  enum Unit {
    case count, megabytes, seconds, milliseconds, ratio

    var isTime: Bool { self == .seconds || self == .milliseconds }

    /// A number in this unit; times are in seconds, sizes in bytes.
    func text(_ value: Double) -> String {
      switch self {
      case .count: String(Int(value))
      case .megabytes: String(format: "%.0f MB", value / Double(1 << 20))
      case .seconds: String(format: "%.3f s", value)
      case .milliseconds: String(format: "%.1f ms", value * 1000)
      case .ratio: String(format: "%.2f x", value)
      }
    }
  }

  let name: String
  let value: Double
  let unit: Unit
  /// The most that it may be.
  var limit: Double?

  var text: String { unit.text(value) }

  func isBroken(timesCount: Bool) -> Bool {
    guard let limit, timesCount || !unit.isTime else { return false }
    return value > limit
  }
}

/// All that is measured with some number of files.
struct Column {
  private(set) var figures: [Figure] = []

  private static let memoryLimit = Double(256 << 20)

  /// Makes the files, measures, and deletes them.
  init(measuring size: Int, _ photos: TestPhotos, in workspace: Workspace, samples: Int) throws {
    defer { workspace.remove() }
    try photos.write(size, to: workspace.photos)
    add("files", Double(size), .count)
    try scan(size, workspace)
    try open(size, workspace, samples)
    try readPages(workspace, samples)
    let shown = try workspace.run(.show)
    add("all albums with counts and posters", shown.seconds, .milliseconds)
    add("100 thumbnails, none cached", shown.thumbnails, .milliseconds)
    try rescan(size, workspace)
    try rescanChanged(photos, size, workspace)
  }

  private mutating func add(
    _ name: String, _ value: Double, _ unit: Figure.Unit, limit: Double? = nil
  ) {
    figures.append(Figure(name: name, value: value, unit: unit, limit: limit))
  }

  private mutating func scan(_ size: Int, _ workspace: Workspace) throws {
    let scan = try workspace.run(.scan)
    try expect(scan.filesRead == size, "The first scan read \(scan.filesRead) of \(size) files.")
    try expect(scan.progressReports > 1, "The first scan did not tell of its progress.")
    add("first scan", scan.seconds, .seconds)
    add("  CPU time", scan.processorSeconds, .seconds)
    add("  files per second", Double(size) / scan.seconds, .count)
    add("  memory at most", Double(scan.peakMemory), .megabytes, limit: Self.memoryLimit)
    add("  progress reports", Double(scan.progressReports), .count)
    add("  index", Double(try workspace.indexSize()), .megabytes)
  }

  private mutating func open(_ size: Int, _ workspace: Workspace, _ samples: Int) throws {
    var opened: [Figures] = []
    for _ in 0..<min(samples, 11) { opened.append(try workspace.run(.open)) }
    for figures in opened {
      try expect(
        figures.filesFound == size, "\(figures.filesFound) assets of \(size) were counted.")
    }
    let times = opened.map(\.seconds).sorted()
    add("warm open to albums and counts, median", times[times.count / 2], .milliseconds)
    add("  worst", times.last!, .milliseconds, limit: 0.3)
    add(
      "  memory at most", Double(opened.map(\.peakMemory).max()!), .megabytes,
      limit: Self.memoryLimit)
  }

  private mutating func readPages(_ workspace: Workspace, _ samples: Int) throws {
    let read = try workspace.run(.pages, samples: samples)
    let times = read.pages.values.joined().sorted()
    add("list of all, slowest order", read.lists.values.max()!, .milliseconds)
    add("page of 100 in 5 orders, median", times[times.count / 2], .milliseconds)
    add("  worst", times.last!, .milliseconds, limit: 0.02)
    add("  memory at most", Double(read.peakMemory), .megabytes, limit: Self.memoryLimit)
  }

  private mutating func rescan(_ size: Int, _ workspace: Workspace) throws {
    let start = ContinuousClock.now
    _ = try Child.run("/usr/bin/find", [workspace.photos.path, "-printf", "%s %T@ %C@ %i\\n"])
    let walking = start.secondsPassed
    let watch = try OpenWatch(workspace.photos)
    let scan = try workspace.run(.scan)
    try expect(scan.filesFound == size, "A rescan found \(scan.filesFound) of \(size) files.")
    add("rescan, nothing changed", scan.seconds, .milliseconds)
    add("  CPU time", scan.processorSeconds, .milliseconds)
    add("  x find -printf", scan.seconds / walking, .ratio)
    add("  memory at most", Double(scan.peakMemory), .megabytes, limit: Self.memoryLimit)
    add("  files opened, by inotify", Double(try watch.takeOpened().count), .count, limit: 0)
  }

  /// Also proves that the watch sees files that are opened.
  private mutating func rescanChanged(_ photos: TestPhotos, _ size: Int, _ workspace: Workspace)
    throws
  {
    let numbers = stride(from: 0, to: size, by: size / 100)
    var changed: Set<String> = []
    for number in numbers {
      let url = TestPhotos.url(number, in: workspace.photos)
      try photos.data(number + size).write(to: url)
      changed.insert(url.path)
    }
    let watch = try OpenWatch(workspace.photos)
    let scan = try workspace.run(.scan)
    let opened = Set(try watch.takeOpened().map(\.path))
    try expect(
      opened == changed, "\(opened.count) files were opened, not the \(changed.count) changed.")
    add("rescan, 100 files changed", scan.seconds, .milliseconds)
    add("  files opened, by inotify", Double(opened.count), .count, limit: 100)
  }
}

/// Ends the program where something isn't as it must be.
private func expect(_ holds: Bool, _ message: String) throws {
  if !holds { throw Failure(message) }
}

extension Workspace {
  /// A workspace inside.
  func part(_ name: String) -> Workspace { Workspace(base: base.appending(path: name)) }

  /// Runs a phase in a process of its own.
  fileprivate func run(_ phase: Phase, samples: Int = 1) throws -> Figures {
    let output = try Child.run(
      "/proc/self/exe", ["--samples", "\(samples)", phase.rawValue, base.path])
    return try JSONDecoder().decode(Figures.self, from: output)
  }

  /// What the index takes on the disk, in bytes.
  fileprivate func indexSize() throws -> Int {
    let files = FileManager.default.enumerator(
      at: index, includingPropertiesForKeys: [.fileSizeKey])
    var size = 0
    while let url = files?.nextObject() as? URL {
      size += try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    }
    return size
  }
}
