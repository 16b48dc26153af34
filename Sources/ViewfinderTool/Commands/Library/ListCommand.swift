import ArgumentParser
import Foundation
import Viewfinder
import ViewfinderLibrary

/// Lists assets.
struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the photos and videos of an album.",
    discussion: """
      It lists files that can't be read, too, with the reason. Dates are those of the capture, by \
      the camera's clock or the file's name, or else of the file.

      JSON: {"album": {"id", "url", "name"}, "count", "offset", "assets": [{"id", "url", \
      "fileName", "fileURL", "kind": "photo" | "raw" | "video", "type", "width", "height", \
      "captureDate", "captureDateSource": "exif" | "xmp" | "iptc" | "container" | "sidecar" | "fileName", \
      "modificationDate", \
      "additionDate", "duration", "favorite", "burst", "error"}]}; “count” is the number without --offset and --limit.
      """)

  @Argument(help: ArgumentHelp("The album: its name, URL or folder.", valueName: "album"))
  var album = SmartAlbum.all.rawValue

  @OptionGroup(title: "Library options") var options: LibraryReadOptions
  @OptionGroup(title: "Filter options") var assets: AssetFilterOptions

  @Option(
    help: ArgumentHelp(
      "oldest, newest, added (last added first), name, or album (as the person arranged them). "
        + "(default: the album's own)", valueName: "order"),
    completion: .list(["oldest", "newest", "added", "name", "album"]), transform: Value.assetOrder)
  var order: AssetOrder?

  @Option(
    help: ArgumentHelp("How many to skip at the beginning. (default: 0)", valueName: "n"),
    transform: Value.place)
  var offset: Int?

  @Option(
    help: ArgumentHelp("How many to list at most. (default: 100)", valueName: "n"),
    transform: Value.count)
  var limit: Int?

  func run() async throws {
    let library = try await options.open()
    let album = try await library.album(named: album)
    let list = try await album.assets(assets.filter, order: order)
    let start = min(offset ?? 0, list.count)
    let end = start + min(limit ?? 100, list.count - start)
    let page = try await list.assets(in: start..<end)
    if options.library.json {
      return try JSON.print(
        Report(
          album: AlbumName(album), count: list.count, offset: start,
          assets: page.map(AssetReport.init)))
    }
    Terminal.table(
      [["DATE", "TYPE", "SIZE", "NAME", "ID", "PROBLEM"]]
        + page.map { asset in
          [
            asset.dateText, asset.contentType?.mimeType ?? "–",
            asset.dimensions?.description ?? "–",
            asset.fileName, asset.id.uuidString.lowercased(), asset.error?.reason ?? "",
          ]
        })
    if end < list.count {
      Terminal.progress("\(start + 1)–\(end) of \(list.count). More: --offset \(end)")
    }
  }

  struct Report: Encodable {
    var album: AlbumName
    var count: Int
    var offset: Int
    var assets: [AssetReport]
  }
}

extension Asset {
  /// When it was taken, else last written, to the second and by the local clock.
  fileprivate var dateText: String {
    if let date = captureDate { return String(date.text.prefix(19)).replacing("T", with: " ") }
    return modificationDate.formatted(
      .verbatim(
        "\(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits)",
        timeZone: .current, calendar: Calendar(identifier: .gregorian)))
  }
}

extension PhotoLibraryError {
  /// What is wrong, without the file's name.
  var reason: String {
    switch self {
    case .damaged(_, let reason), .unsupported(_, let reason): reason
    default: description
    }
  }
}
