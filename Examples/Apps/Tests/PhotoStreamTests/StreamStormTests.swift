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

  @Test("Whatever the network does, in the end each device has each photo once")
  func storms() async throws {
    var pages = 0
    for seed in Self.first..<Self.first + Self.count {
      let storm = try await StreamStorm(seed: UInt64(seed))
      pages += try await storm.run(steps: 12)
    }
    #expect(pages > 0)
  }
}

/// Two devices and a server between which the world does what it likes.
private final class StreamStorm {
  private let scratch: Scratch
  private let seed: UInt64
  private let server: FeedServerProcess
  private var process: ServerProcess
  private let proxy: Proxy
  private let devices: [Device]
  private var random: SeededRandom
  private var photos: Set<Data> = []
  private var running: [Int: Task<Void, Never>] = [:]

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

  /// Lets a lot happen, then waits until all agree; gives how often somebody else answered.
  func run(steps: Int) async throws -> Int {
    proxy.rate = 0.25
    for index in devices.indices { try start(index) }
    for step in 0..<steps { try await self.step(step) }
    let pages = proxy.count.pages
    proxy.rate = 0
    for index in devices.indices {
      await stop(index)
      try start(index)
    }
    for device in devices {
      try await wait("all photos of storm \(seed)") { try await device.count() >= photos.count }
    }
    try await Task.sleep(for: .milliseconds(300))
    for index in devices.indices { await stop(index) }
    for device in devices {
      var files: [Data] = []
      for try await asset in try await device.library.album(.all).assets() {
        files.append(try await asset.defaultRepresentation.data())
      }
      #expect(files.count == photos.count, "storm \(seed): once each")
      #expect(Set(files) == photos, "storm \(seed): all of them")
    }
    let feed = FeedClient(
      url: try #require(URL(string: process.address)), token: server.token, feed: "photos")
    let entries = try await feed.changes(since: nil).entries
    let sent = entries.compactMap { StreamRecord($0.json)?.photo?.name }
    #expect(Set(sent) == Set(photos.map { BlobName(of: $0) }), "storm \(seed)")
    #expect(try await feed.missing().isEmpty)
    return pages
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
      await stop(index)
      try start(index)
    case 8:
      _ = await process.end(SIGKILL)
      process = try await ServerProcess("feed-server", ["--data", server.folder.path])
      proxy.redirect(to: process.port)
    default: try await Task.sleep(for: .milliseconds(Int.random(in: 0..<400, using: &random)))
    }
    try await Task.sleep(for: .milliseconds(Int.random(in: 0..<60, using: &random)))
  }

  private func start(_ index: Int) throws {
    let device = devices[index]
    let stream = try PhotoStream(
      device.library, device.settings, folder: device.folder.appending(component: "stream"))
    running[index] = Task { await stream.run() }
  }

  private func stop(_ index: Int) async {
    running[index]?.cancel()
    await running.removeValue(forKey: index)?.value
  }
}
