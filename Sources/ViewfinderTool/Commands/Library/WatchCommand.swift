import ArgumentParser
import Foundation
import ViewfinderLibrary

/// Tells what changes.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print what changes in the library, until Ctrl-C.",
    discussion: """
      JSON: one object per line: {"event": "watching", "assets"} at the beginning; {"event": \
      "inserted" | "updated" | "moved" | "removed", "id", "url", "fileName", "fileURL", "from"} \
      for assets, where “from” is the file:// URL before a move; {"event": "albumInserted" | \
      "albumUpdated" | "albumRemoved", "id", "url", "name"}; {"event": "everything", "assets"} \
      when too much has changed to list it.
      """)

  @OptionGroup(title: "Library options") var options: LibraryOptions

  func run() async throws {
    // What happened before isn't news.
    _ = try await options.openUpToDate()
    let library = try await options.open(isWatching: true)
    let changes = library.changes
    var reporter = try await ChangeReporter(library)
    try show(reporter.beginning)
    for await change in changes {
      for event in try await reporter.events(of: change) { try show(event) }
    }
  }

  private func show(_ event: ChangeEvent) throws {
    if options.json { try JSON.printLine(event) } else { print(Terminal.plain(event.text)) }
  }
}

/// Something that happened, in JSON.
struct ChangeEvent: Encodable {
  var event: String
  var id: String?
  var url: String?
  var name: String?
  var fileName: String?
  var fileURL: String?
  var from: String?
  var assets: Int?

  init(_ event: String) { self.event = event }

  /// The same for people.
  var text: String {
    switch event {
    case "watching": return "watching \(assets ?? 0) photos and videos; Ctrl-C ends"
    case "everything": return "everything may have changed; \(assets ?? 0) photos and videos"
    default:
      let what = name ?? fileURL.map { Self.path($0) } ?? url ?? ""
      return event + "  " + (from.map { "\(Self.path($0)) → " } ?? "") + what
    }
  }

  private static func path(_ url: String) -> String { URL(string: url).map(Terminal.path) ?? url }
}

/// Finds the names to what changed, and remembers those of what may go.
struct ChangeReporter {
  private let library: PhotoLibrary
  /// The default files' URLs.
  private var files: [UUID: String] = [:]
  private var albums: [UUID: Album] = [:]

  init(_ library: PhotoLibrary) async throws {
    self.library = library
    try await fetch()
  }

  private mutating func fetch() async throws {
    files = [:]
    for try await asset in try await library.album(.all).assets() {
      files[asset.id] = asset.fileURL.absoluteString
    }
    albums = try await currentAlbums()
  }

  private func currentAlbums() async throws -> [UUID: Album] {
    Dictionary(try await library.albums().map { ($0.id, $0) }) { first, _ in first }
  }

  /// How things are before the first change.
  var beginning: ChangeEvent { summary("watching") }

  private func summary(_ name: String) -> ChangeEvent {
    var event = ChangeEvent(name)
    event.assets = files.count
    return event
  }

  /// What a change comes to, one by one.
  mutating func events(of change: LibraryChange) async throws -> [ChangeEvent] {
    if change.isEverything {
      try await fetch()
      return [summary("everything")]
    }
    var events: [ChangeEvent] = []
    for (name, ids) in [
      ("removed", change.removed), ("moved", change.moved), ("updated", change.updated),
      ("inserted", change.inserted),
    ] {
      var found: [ChangeEvent] = []
      for id in ids { found.append(try await event(name, asset: id)) }
      events += found.sorted { ($0.fileURL ?? "") < ($1.fileURL ?? "") }
    }
    return try await events + albumEvents(of: change)
  }

  private mutating func event(_ name: String, asset id: UUID) async throws -> ChangeEvent {
    let old = files[id]
    let asset = try await library.asset(id: id)
    files[id] = asset?.fileURL.absoluteString
    var event = ChangeEvent(name)
    event.id = id.uuidString.lowercased()
    event.url = asset?.url.absoluteString
    event.fileURL = files[id] ?? old
    event.fileName = asset?.fileName ?? old.flatMap { URL(string: $0)?.lastPathComponent }
    if name == "moved" { event.from = old }
    return event
  }

  private mutating func albumEvents(of change: LibraryChange) async throws -> [ChangeEvent] {
    let kinds = [
      ("albumRemoved", change.removedAlbums), ("albumUpdated", change.updatedAlbums),
      ("albumInserted", change.insertedAlbums),
    ]
    guard kinds.contains(where: { !$0.1.isEmpty }) else { return [] }
    let old = albums
    albums = try await currentAlbums()
    return kinds.flatMap { name, ids in
      ids.map { id in
        let album = albums[id] ?? old[id]
        var event = ChangeEvent(name)
        event.id = id.uuidString.lowercased()
        event.url = album?.url.absoluteString
        event.name = album?.name
        return event
      }
    }
  }
}
