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
      On a terminal it prints a table, with paths as words for a shell; into a pipe or a file, the \
      path of each photo in a line of its own, byte for byte. Names may hold line ends: with -0, \
      “viewfinder library list -0 | xargs -0 …” takes any. All commands take what it prints.

      It lists files that can't be read, too, with the reason. Dates are those of the capture, by \
      the camera's clock or the file's name, or else of the file.

      JSON: {"album": {"id", "url", "name"}, "count", "offset", "assets": [{"id", "url", \
      "fileName", "fileURL", "kind": "photo" | "raw" | "video", "type", "width", "height", \
      "captureDate", "captureDateSource": "exif" | "xmp" | "iptc" | "container" | "sidecar" | "fileName", \
      "modificationDate", \
      "additionDate", "duration", "favorite", "burst", "error"}]}; “count” is the number without --offset and --limit.
      """)

  @Argument(help: ArgumentHelp("The album: its name, URL or folder.", valueName: "album"))
  var album = Path(SmartAlbum.all.rawValue)

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
    help: ArgumentHelp(
      "How many to list at most. (default: 100 in a table or JSON, all as paths)", valueName: "n"),
    transform: Value.count)
  var limit: Int?

  @Flag(
    name: [.customShort("0"), .customLong("print0")],
    help: "Print paths alone, each with a zero byte behind it.")
  var print0 = false

  @Flag(name: .shortAndLong, help: "Print the table, also where no terminal is.")
  var long = false

  func validate() throws {
    if [print0, long, options.library.json].count(where: \.self) > 1 {
      throw ValidationError("-0, --long and --json exclude each other.")
    }
  }

  /// Whether the paths alone are printed.
  private var isPaths: Bool {
    print0 || !(long || options.library.json || StandardOutput.isTerminal)
  }

  func run() async throws {
    let library = try await options.open()
    let album = try await library.album(named: album)
    let list = try await album.assets(assets.filter, order: order)
    let start = min(offset ?? 0, list.count)
    let end = start + min(limit ?? (isPaths ? .max : 100), list.count - start)
    if isPaths { return try await printPaths(of: list, start..<end) }
    let page = try await list.assets(in: start..<end)
    if options.library.json {
      return try JSON.print(
        Report(
          album: AlbumName(album), count: list.count, offset: start,
          assets: page.map(AssetReport.init)))
    }
    Terminal.table(
      [["DATE", "TYPE", "SIZE", "ID", "PATH", "PROBLEM"]]
        + page.map { asset in
          [
            asset.dateText, asset.contentType?.mimeType ?? "–",
            asset.dimensions?.description ?? "–",
            asset.id.uuidString.lowercased(), Terminal.path(asset.fileURL),
            asset.error?.reason ?? "",
          ]
        })
    if end < list.count {
      Terminal.progress("\(start + 1)–\(end) of \(list.count). More: --offset \(end)")
    }
  }

  private func printPaths(of list: AssetList, _ places: Range<Int>) async throws {
    let end: UInt8 = print0 ? 0 : 0x0a
    for start in stride(from: places.lowerBound, to: places.upperBound, by: 1000) {
      let page = try await list.assets(in: start..<min(start + 1000, places.upperBound))
      try StandardOutput.write(Data(page.flatMap { Path($0.fileURL).bytes + [end] }))
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
    return modificationDate.tableText
  }
}

extension Date {
  /// The local date and time, to the second.
  var tableText: String {
    formatted(
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
