import Checksums
import FeedClient
import Foundation
import ServerSupport
import Testing
import ViewfinderLibrary

@testable import PhotoStream

@Suite("Random storms on the photo stream", .serialized)
struct StreamStormTests {
  /// `VIEWFINDER_SEQUENCES`, and which is the first, to repeat one.
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["VIEWFINDER_SEQUENCES"].flatMap { Int($0) } ?? 6
  private static let first = environment["VIEWFINDER_FIRST_SEQUENCE"].flatMap { Int($0) } ?? 0
  private static let steps = 12

  @Test(
    "Whatever the network does, and however the programs end, each device has each photo once in the end"
  )
  func storms() async throws {
    var (photos, kills, pages) = (0, 0, 0)
    for seed in Self.first..<Self.first + Self.count {
      let storm = try await StreamStorm(seed: UInt64(seed))
      try await storm.run(steps: Self.steps)
      (photos, kills, pages) = (
        photos + storm.photos.count, kills + storm.kills, pages + storm.proxy.count.pages
      )
    }
    print(
      "\(Self.count) storms: \(Self.count * Self.steps) steps, \(photos) photos, \(kills) kills, \(pages) answers of others"
    )
    #expect(kills > 0 && pages > 0)
  }
}

/// Two devices and a server, all programs of their own, between which the world does what it likes.
private final class StreamStorm {
  private let scratch: Scratch
  private let seed: UInt64
  private let server: FeedServerProcess
  private var process: ServerProcess
  let proxy: Proxy
  private let devices: [Device]
  private var random: SeededRandom
  private(set) var photos: Set<Data> = []
  private(set) var kills = 0
  private var running: [Int: Process] = [:]

  init(seed: UInt64) async throws {
    self.seed = seed
    random = SeededRandom(seed: seed &* 7919 &+ 1)
    scratch = try Scratch()
    server = try await FeedServerProcess(in: scratch.url.appending(component: "server"))
    process = server.process
    proxy = try Proxy(to: process.port, seed: seed)
    var devices: [Device] = []
    for name in ["phone", "desk"] {
      devices.append(
        try await Device(name, in: scratch, proxy.url.absoluteString, token: server.token))
    }
    self.devices = devices
  }

  /// Lets a lot happen, then waits until all agree.
  func run(steps: Int) async throws {
    proxy.rate = 0.25
    for index in devices.indices { try start(index) }
    for step in 0..<steps { try await self.step(step) }
    proxy.rate = 0
    for index in devices.indices {
      stop(index, SIGTERM)
      try start(index)
    }
    for device in devices {
      try await wait("all photos of storm \(seed)") { try await device.count() >= photos.count }
    }
    // One that came to both devices at once may still wait to be sent.
    let feed = FeedClient(
      url: try #require(URL(string: process.address)), token: server.token, feed: "photos")
    try await wait("all photos of storm \(seed) in the stream") {
      try await sent(feed).isSuperset(of: photos.map { BlobName(of: $0) })
    }
    try await Task.sleep(for: .milliseconds(300))
    for index in devices.indices { stop(index, SIGTERM) }
    for device in devices {
      _ = try await device.library.update()
      var files: [Data] = []
      for try await asset in try await device.library.album(.all).assets() {
        files.append(try await asset.defaultRepresentation.data())
      }
      #expect(files.count == photos.count, "storm \(seed): once each")
      #expect(Set(files) == photos, "storm \(seed): all of them")
    }
    #expect(try await sent(feed) == Set(photos.map { BlobName(of: $0) }), "storm \(seed)")
    #expect(try await feed.missing().isEmpty)
  }

  private func sent(_ feed: FeedClient) async throws -> Set<BlobName> {
    let entries = try await feed.changes(since: nil).entries
    return Set(entries.compactMap { StreamRecord($0.json)?.photo?.name })
  }

  private func step(_ number: Int) async throws {
    let index = Int.random(in: 0..<2, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<5:
      photos.insert(try await devices[index].add("\(seed) \(number)"))
    case 5:
      // The same on both.
      for device in devices { photos.insert(try await device.add("\(seed) \(number)")) }
    case 6..<8:
      stop(index, chance(0.8) ? SIGKILL : SIGTERM)
      try start(index)
    case 8:
      kills += 1
      _ = await process.end(SIGKILL)
      process = try await FeedServerProcess.start(in: server.folder)
      proxy.redirect(to: process.port)
    default:
      try await Task.sleep(for: .milliseconds(Int.random(in: 0..<400, using: &random)))
    }
    try await Task.sleep(for: .milliseconds(Int.random(in: 0..<60, using: &random)))
  }

  private func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &random) < probability
  }

  /// Starts the program, beside which the test uses the same library.
  private func start(_ index: Int) throws {
    let device = devices[index]
    let stream = device.folder.appending(component: "stream")
    try device.settings.keep(in: stream)
    let process = Process()
    process.executableURL = ServerProcess.folder.appending(component: "photo-stream")
    process.arguments = [
      "watch", "--root", device.pictures.path, "--data", stream.path,
      "--index", device.folder.appending(component: "index").path,
    ]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    running[index] = process
  }

  private func stop(_ index: Int, _ signal: Int32) {
    guard let process = running.removeValue(forKey: index) else { return }
    if signal == SIGKILL { kills += 1 }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    // It may not have come to listen to signals yet.
    let isTooEarly = process.terminationReason == .uncaughtSignal
    if signal == SIGTERM { #expect(isTooEarly || process.terminationStatus == 0) }
  }
}
