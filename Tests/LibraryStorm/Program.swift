import Foundation
import ViewfinderLibrary

/// One of the programs that have the library open: keeps up with it, and does what it reads.
///
/// Each line that it reads is a ``Request`` in JSON, and it answers with a line, a ``Reply``.
struct Program {
  let base: Base

  struct Request: Codable, Sendable {
    enum Action: String, Codable {
      /// Saves the photo with the number into the album “Saved”.
      case save
      /// Adds the asset at the path to the album.
      case add
      case favorite
      case trash
      /// Restores what is at a place in the list of the trash.
      case restore
      /// Tells all that it heard of the library.
      case heard
      /// Tells all that the library lists after an update.
      case list
      case album
      case verify
    }

    var action: Action
    var number = 0
    var path = ""
    var album = ""
  }

  struct Reply: Codable, Sendable {
    var problem: String?
    /// The paths of assets, by their identifiers.
    var paths: [String: String] = [:]
    /// Identifiers, or what verification found.
    var found: [String] = []
  }

  func run() async throws {
    let library = try await PhotoLibrary.open(base.configuration(watches: true))
    let listener = Listener(library)
    try await listener.begin()
    tell(Reply())
    for await line in Self.lines {
      let reply: Reply
      do {
        let request = try JSONDecoder().decode(Request.self, from: Data(line.utf8))
        reply = try await answer(request, library, listener)
      } catch {
        reply = Reply(problem: "\(error)")
      }
      tell(reply)
    }
  }

  /// What comes in, read by a thread that may wait.
  private static var lines: AsyncStream<String> {
    AsyncStream { continuation in
      Thread.detachNewThread {
        while let line = readLine() { continuation.yield(line) }
        continuation.finish()
      }
    }
  }

  private func tell(_ reply: Reply) {
    let data = (try? JSONEncoder().encode(reply)) ?? Data()
    try? FileHandle.standardOutput.write(contentsOf: data + Data("\n".utf8))
  }

  private func answer(
    _ request: Request, _ library: PhotoLibrary, _ listener: Listener
  ) async throws -> Reply {
    let url = URL(fileURLWithPath: request.path)
    switch request.action {
    case .save:
      let asset = try await library.save(
        [PhotoResource(.data(NumberedPhoto.data(request.number)))],
        to: album(request.album, library))
      return Reply(paths: [asset.id.uuidString: asset.fileURL.path])
    case .add:
      let asset = try await library.asset(at: url)
      try await album(request.album, library).add([asset])
      return Reply(found: [asset.id.uuidString])
    case .favorite:
      let asset = try await library.asset(at: url)
      try await library.setFavorite(true, [asset])
      return Reply(found: [asset.id.uuidString])
    case .trash:
      try await library.trash([library.asset(at: url)])
      return Reply()
    case .restore:
      let trashed = try await library.trashedAssets()
      guard !trashed.isEmpty else { return Reply(problem: "There is no file in the trash.") }
      try await library.restore([trashed[request.number % trashed.count]], intoOwnFolder: true)
      return Reply()
    case .heard: return Reply(paths: await listener.paths)
    case .list:
      try await library.update()
      return Reply(paths: try await library.paths())
    case .album:
      let album =
        request.album == "favorites"
        ? library.album(.favorites) : try await album(request.album, library)
      return Reply(found: try await album.assets().all().map(\.id.uuidString))
    case .verify:
      let report = try await library.verify()
      let damage = (report.damagedFiles + report.damagedAlbums).map(\.error.description)
      return Reply(
        found: damage + [report.indexProblem].compactMap(\.self)
          + (report.newFiles + report.changedFiles + report.vanishedFiles).map {
            "not up to date: \($0.path)"
          })
    }
  }

  /// The album of a name, which the storm has laid down.
  private func album(_ name: String, _ library: PhotoLibrary) async throws -> Album {
    for album in try await library.albums() where album.kind == .made && album.name == name {
      return album
    }
    throw PhotoLibraryError.notFound(what: "album \(name)")
  }
}

/// Knows the library by its events alone, from a list at the start on.
private actor Listener {
  private let library: PhotoLibrary
  private(set) var paths: [String: String] = [:]
  private var task: Task<Void, Never>?

  init(_ library: PhotoLibrary) { self.library = library }

  func begin() async throws {
    // First the events, then the list: nothing is between them.
    let changes = library.changes
    paths = try await library.paths()
    task = Task { for await change in changes { await apply(change) } }
  }

  private func apply(_ change: LibraryChange) async {
    if change.isEverything {
      if let all = try? await library.paths() { paths = all }
      return
    }
    for id in change.removed { paths[id.uuidString] = nil }
    for id in change.inserted.union(change.moved).union(change.updated) {
      let asset = try? await library.asset(id: id)
      paths[id.uuidString] = asset?.fileURL.path
    }
  }
}

extension AssetList {
  func all() async throws -> [Asset] { try await assets(in: 0..<count) }
}

extension PhotoLibrary {
  /// The paths of all assets, by their identifiers.
  fileprivate func paths() async throws -> [String: String] {
    let assets = try await album(.all).assets().all()
    return Dictionary(assets.map { ($0.id.uuidString, $0.fileURL.path) }) { "\($0) and \($1)" }
  }
}
