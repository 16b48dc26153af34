import ArgumentParser
import Foundation
import Viewfinder
import ViewfinderLibrary

/// Which photo library, and how to tell of it.
struct LibraryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A folder with photos, and everything in it; repeatable. New photos and albums go to the "
        + "first. (default: the desktop's folder for pictures)", valueName: "path"))
  var root: [Path] = []

  @Option(
    help: ArgumentHelp(
      "The folder for the index. (default: viewfinder in XDG_DATA_HOME)", valueName: "path"))
  var index: Path?

  @Flag(help: "Print JSON.")
  var json = false

  /// The library that is meant.
  var configuration: PhotoLibrary.Configuration {
    var configuration = PhotoLibrary.Configuration()
    if !root.isEmpty { configuration.roots = root.map(\.url) }
    configuration.indexFolder = indexFolder
    configuration.watchesFolders = false
    // Nothing is shown twice.
    configuration.thumbnailLimits.memory = 0
    return configuration
  }

  /// SQLite's paths are text; a folder whose path is none is made first, so that it can be named otherwise.
  private var indexFolder: URL? {
    guard let index, !index.isText else { return index?.url }
    try? Destination.makeFolder(index)
    return URL(fileURLWithPath: index.textualPath)
  }

  /// Opens the library as its index has it; one that `isWatching` keeps up with other programs from then on.
  func open(isWatching: Bool = false) async throws -> PhotoLibrary {
    try checkRoots()
    var configuration = configuration
    configuration.watchesFolders = isWatching
    return try await PhotoLibrary.open(configuration)
  }

  /// Opens the library and brings the index up to date with the folders.
  func openUpToDate() async throws -> PhotoLibrary {
    let library = try await open()
    let progress = ProgressLine()
    let report = try await library.update { progress.show(scan: $0) }
    progress.clear()
    for problem in report.problems { Terminal.warn(problem) }
    return library
  }

  /// A folder that isn't there is a missing input, not a missing permission; the others are of use without it.
  func checkRoots() throws {
    let missing = root.filter { !$0.exists }
    let message = missing.map { "\($0.quoted) isn't there. Make it, or choose another folder." }
      .joined(separator: "\n")
    guard !missing.isEmpty, missing.count == root.count else {
      if !missing.isEmpty { Terminal.warn(message) }
      return
    }
    throw ToolError(message: message, exitStatus: EX_NOINPUT)
  }
}

/// Whether the folders are looked at first.
struct LibraryReadOptions: ParsableArguments {
  @OptionGroup(title: "Library options") var library: LibraryOptions

  @Flag(help: "Show what the index has, without looking at the folders first.")
  var noUpdate = false

  /// Opens the library as it is wanted.
  func open() async throws -> PhotoLibrary {
    noUpdate ? try await library.open() : try await library.openUpToDate()
  }
}

/// Which assets.
struct AssetFilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only photo (raw ones too), raw or video; repeatable.", valueName: "kind"),
    completion: .list(["photo", "raw", "video"]), transform: Value.assetKinds)
  var kind: [Set<ContentType.Kind>] = []

  @Flag(help: "Only favourites.")
  var favorites = false

  @Option(
    help: ArgumentHelp(
      "Only what was taken from then on: YYYY-MM-DD, or YYYY-MM-DDTHH:MM:SS, by the camera's "
        + "clock.", valueName: "time"),
    transform: Value.captureTimes)
  var since: Range<Date>?

  @Option(
    help: ArgumentHelp("Only what was taken until then, that day included.", valueName: "time"),
    transform: Value.captureTimes)
  var until: Range<Date>?

  func validate() throws {
    if let since, let until, since.lowerBound >= until.upperBound {
      throw ValidationError("--since is after --until.")
    }
  }

  /// What lets the wanted assets through.
  var filter: AssetFilter {
    var filter = AssetFilter()
    if !kind.isEmpty { filter.kinds = kind.reduce([]) { $0.union($1) } }
    filter.onlyFavorites = favorites
    if since != nil || until != nil {
      filter.captured =
        (since?.lowerBound ?? .distantPast)..<(until?.upperBound ?? .distantFuture)
    }
    return filter
  }
}

extension Value {
  static func assetKinds(_ text: String) throws -> Set<ContentType.Kind> {
    switch text.lowercased() {
    case "photo": return [.image, .rawImage]
    case "raw": return [.rawImage]
    case "video": return [.video]
    default: throw ArgumentProblem("a kind is photo, raw or video.")
    }
  }

  /// The day, or the second, that a text names in the zone of this computer.
  static func captureTimes(_ text: String) throws -> Range<Date> {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    for (format, unit) in [
      ("yyyy-MM-dd", Calendar.Component.day), ("yyyy-MM-dd'T'HH:mm:ss", .second),
    ] {
      formatter.dateFormat = format
      if let start = formatter.date(from: text), formatter.string(from: start) == text,
        let end = Calendar(identifier: .gregorian).date(byAdding: unit, value: 1, to: start)
      {
        return start..<end
      }
    }
    throw ArgumentProblem("a time is YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS, such as 2026-04-12.")
  }

  static func thumbnailSize(_ text: String) throws -> ThumbnailSize {
    switch text.lowercased() {
    case "normal": return .normal
    case "large": return .large
    case "x-large": return .extraLarge
    case "xx-large": return .extraExtraLarge
    default: throw ArgumentProblem("a size is normal, large, x-large or xx-large.")
    }
  }

  static func naming(_ text: String) throws -> PhotoNaming {
    switch text.lowercased() {
    case "dcf": return .dcf()
    case "date": return .dateTime
    default: throw ArgumentProblem("a naming is dcf or date.")
    }
  }

  static func assetOrder(_ text: String) throws -> AssetOrder {
    switch text.lowercased() {
    case "oldest": return .oldestFirst
    case "newest": return .newestFirst
    case "added": return .recentlyAddedFirst
    case "name": return .name
    case "album": return .manual
    default: throw ArgumentProblem("an order is oldest, newest, added, name or album.")
    }
  }

  static func place(_ text: String) throws -> Int {
    guard let place = Int(text), place >= 0 else {
      throw ArgumentProblem("a place is a whole number from 0.")
    }
    return place
  }
}
