// Shares the photos of a library with a person's other devices, without a page.
//
// usage: PHOTO_STREAM_TOKEN=… photo-stream join http://192.168.1.5:8090
//        photo-stream watch
//        photo-stream status | send PHOTO… | leave; see --help
//        IMMICH_API_KEY=… photo-stream export immich https://photos.example
import ArgumentParser
import FeedClient
import Foundation
import PhotoStream
import TerminationSignals
import ViewfinderLibrary

@main struct PhotoStreamProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photo-stream",
    abstract: "Shares the photos of a library with a person's other devices.",
    discussion: """
      Photos that come into the library are sent; those of other devices come into the album “\(PhotoStream.albumName)”. \
      The stream has each for 30 days, and 1,000 at most, or as keep says; in the libraries they stay.
      """,
    subcommands: [
      Join.self, Watch.self, Status.self, Send.self, List.self, Get.self, Keep.self, Leave.self,
      Export.self,
    ])
}

/// Which library and which stream.
struct Place: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A folder with the photo library. (default: the desktop's folder for pictures)",
      valueName: "path"))
  var root: String?

  @Option(
    help: ArgumentHelp(
      "Where the library's index is kept. (default: the person's own data folder)",
      valueName: "path"))
  var index: String?

  @Option(
    help: ArgumentHelp(
      "Where the stream keeps what it knows. (default: photo-stream in the person's data folder)",
      valueName: "path"))
  var data: String?

  var folder: URL {
    data.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? StreamSettings.defaultFolder
  }

  func settings() throws -> StreamSettings {
    guard let settings = StreamSettings(in: folder) else {
      throw ValidationError("No stream was joined. Join one with photo-stream join URL.")
    }
    return settings
  }

  func library() async throws -> PhotoLibrary {
    var configuration = PhotoLibrary.Configuration()
    if let root { configuration.roots = [URL(fileURLWithPath: root, isDirectory: true)] }
    if let index { configuration.indexFolder = URL(fileURLWithPath: index, isDirectory: true) }
    return try await .open(configuration)
  }

  /// Opens the library and the stream.
  func open() async throws -> PhotoStream {
    let settings = try settings()
    return try PhotoStream(try await library(), settings, folder: folder)
  }
}

extension PhotoStreamProgram {
  struct Join: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Joins a stream.",
      discussion:
        "The token is read from the environment variable PHOTO_STREAM_TOKEN, or as a line.")

    @Argument(help: ArgumentHelp("Where feed-server is.", valueName: "url")) var address: String
    @Option(help: ArgumentHelp("What others are told that photos come from.", valueName: "name"))
    var device = ProcessInfo.processInfo.hostName
    @Option(
      help: ArgumentHelp(
        "Sends photos that came into the library since a day, too, such as 2026-11-01.",
        valueName: "day"))
    var since: String?
    @Flag(
      help: ArgumentHelp(
        "Gets small previews of others' photos, and a photo when you ask for it with get: for lines that cost."
      ))
    var previews = false
    @Option(
      help: ArgumentHelp(
        "Sends the photos of one camera alone, such as “Canon EOS 5D”, as the library names it.",
        valueName: "name"))
    var camera: String?
    @Flag(
      help: ArgumentHelp(
        "Sends JPEGs of \(PhotoStream.copySide) pixels in place of larger photos, which stay as they are."
      ))
    var smaller = false
    @Flag(help: "Sends copies that don't say where photos were taken; the photos stay as they are.")
    var withoutPlace = false
    @OptionGroup var place: Place

    func run() async throws {
      let url = try webAddress(address)
      if let camera { try await checkCamera(camera) }
      let token = ProcessInfo.processInfo.environment["PHOTO_STREAM_TOKEN"] ?? readLine() ?? ""
      guard !token.isEmpty else { throw ValidationError("PHOTO_STREAM_TOKEN has no token.") }
      let account = try await FeedClient(url: url, token: token, feed: "photos").account()
      let settings = StreamSettings(
        url: url, token: token, device: device, since: try since.map(day) ?? .now,
        fetchesAll: !previews, camera: camera, sendsSmaller: smaller,
        leavesPlaceOut: withoutPlace)
      try settings.keep(in: place.folder)
      print("You share photos as \(account.person.name). Keep photo-stream watch running.")
    }

    /// Refuses a camera of which the library has no photo: nothing would be sent.
    private func checkCamera(_ name: String) async throws {
      let library = try await place.library()
      _ = try await library.update()
      let known = try await library.cameras().map(\.name)
      guard !known.contains(name) else { return }
      throw ValidationError(
        known.isEmpty
          ? "The library has no photo that names its camera. Take one first, or leave out --camera."
          : "The library has no photo of the camera “\(name)”. Give one of these to --camera: "
            + known.map { "“\($0)”" }.joined(separator: ", ") + ".")
    }
  }

  struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sends and receives until you interrupt it.")

    @OptionGroup var place: Place

    func run() async throws {
      let running = Task { try await share() }
      // A first look at a library may take its time: from the beginning on.
      let watch = Interruption.watch { running.cancel() }
      try await running.value
      withExtendedLifetime(watch) {}
    }

    private func share() async throws {
      let stream = try await place.open()
      let telling = Task { await tellChanges(of: stream.statuses, words(for:)) }
      await stream.run()
      telling.cancel()
    }
  }

  struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Tells how much waits.")

    @Flag(help: "Tells it as JSON.") var json = false
    @OptionGroup var place: Place

    func run() async throws {
      let status = try await place.open().overview()
      if json {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return tell(String(decoding: try encoder.encode(status), as: UTF8.self))
      }
      tell("You share photos as \(status.person ?? "somebody").")
      tell(words(for: status))
      for problem in status.problems { tell(problem.message) }
    }
  }

  struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sends photos of the library that were there before, too, when watch runs.")

    @Argument(help: ArgumentHelp("Their files.", valueName: "photo")) var photos: [String]
    @OptionGroup var place: Place

    func run() async throws {
      let stream = try await place.open()
      var assets: [Asset] = []
      for path in photos {
        assets.append(try await stream.library.asset(at: URL(fileURLWithPath: path)))
      }
      let count = try await stream.offer(assets)
      tell("\(count) of \(photos.count) will be sent.")
    }
  }

  struct Leave: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Leaves the stream; photos stay where they are.")

    @OptionGroup var place: Place

    func run() async throws {
      _ = try place.settings()
      try StreamSettings.forget(in: place.folder)
    }
  }
}

/// What goes on, in a line.
private func words(for status: StreamStatus) -> String {
  func share(_ transfer: StreamStatus.Transfer) -> String {
    "\(transfer.name), \(transfer.done * 100 / max(transfer.size, 1)) %"
  }
  if let reason = status.reason { return reason.message }
  let parts = [
    status.sending.map { "Sending \(share($0))." },
    status.fetching.map { "Receiving \(share($0))." },
    status.waiting > 0 ? "\(status.waiting) to send." : nil,
    status.wanted > 0 ? "\(status.wanted) to fetch." : nil,
  ]
  let words = parts.compactMap { $0 }.joined(separator: " ")
  if !words.isEmpty { return words }
  return status.phase == .joining ? "Asking the server." : "All photos are exchanged."
}

/// An address that a person gave.
func webAddress(_ text: String) throws -> URL {
  guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
    url.host() != nil
  else { throw ValidationError("The address begins with http:// or https://.") }
  return url
}

/// The beginning of a day that a person gave.
func day(_ text: String) throws -> Date {
  let days = DateFormatter()
  days.locale = Locale(identifier: "en_US_POSIX")
  days.dateFormat = "yyyy-MM-dd"
  guard let day = days.date(from: text) else {
    throw ValidationError("--since is a day such as 2026-11-01.")
  }
  return day
}

/// Tells what goes on when that is something else, the newest after a while each.
func tellChanges<Status>(
  of statuses: AsyncStream<Status>, _ words: (Status) -> String
) async {
  var last = ""
  for await status in statuses where words(status) != last {
    last = words(status)
    tell(last)
    try? await Task.sleep(for: .milliseconds(500))
  }
}

/// Prints a line at once, also into a pipe.
func tell(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
