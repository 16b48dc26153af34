import CardStore
import CardSync
import FeedClient
import FeedSync
import Foundation
import Synchronization
import ViewfinderPages
import WebServing

/// Keeps the wallet in agreement with the server that was given at the start, or joined by another device's code.
final class WalletSync: Sendable {
  /// Where other devices' cards come from.
  enum Place: Hashable, Sendable {
    /// A `cards.json` that is only read.
    case file(URL)
    /// A server.
    case server(DeviceCode)
  }

  /// A code that lets another device in.
  struct Invitation: Sendable {
    var id: String
    var code: DeviceCode
  }

  /// How long a code is shown, and a device may take to come with it.
  static let codeTime = Duration.seconds(300)

  private let store: CardStore
  private let file: URL
  private let place: StatusBoard<Place?>
  private let current = Mutex<CardSync?>(nil)
  /// Held while the place and its file change together.
  private let keeping = Mutex(())
  /// How it stands.
  let reports = LatestValue(WalletSyncReport())
  /// Whether the place was given at the start, and isn't a page's to change.
  let isGiven: Bool

  /// Takes the place that was given, or the one that was joined before.
  ///
  /// - Parameters:
  ///   - store: The cards.
  ///   - folder: Where a code that was joined by is kept, for this user alone.
  ///   - given: The place that was given.
  init(_ store: CardStore, folder: URL, given: Place?) {
    self.store = store
    file = folder.appending(component: "server.json")
    isGiven = given != nil
    let joined = (try? String(contentsOf: file, encoding: .utf8)).flatMap { DeviceCode($0) }
    place = StatusBoard(given ?? joined.map(Place.server))
  }

  /// The server and this device's token there; `nil` without one.
  var server: DeviceCode? {
    if case .server(let code) = place.status { code } else { nil }
  }

  // MARK: Other devices

  /// The person's devices.
  func devices() async throws -> [FeedClient.Device] { try await client().devices() }

  /// Lets another device in, which has ``codeTime`` to come: nobody's token stays valid.
  func invite(_ name: String) async throws -> Invitation {
    let client = try client()
    let device = try await client.addDevice(named: name)
    guard let server, let token = device.token else {
      throw FeedError.notUnderstood(address: client.address, reason: "it gives no token")
    }
    Task { try await client.removeDevice(device.id, ifUnusedAfter: Self.codeTime) }
    return Invitation(id: device.id, code: DeviceCode(server: server.server, token: token))
  }

  /// Lets a device in no more.
  func remove(_ id: String) async throws { try await client().removeDevice(id) }

  private func client() throws -> FeedClient {
    guard let server else { throw Self.isAlone }
    return Self.client(of: server)
  }

  private static let isAlone = WebError(
    .conflict, "This wallet shares its cards with no other device yet.", code: "alone")

  private static let isShared = WebError(
    .conflict, "This wallet gets other devices' cards already. Stop that first.", code: "joined")

  private static func client(of server: DeviceCode) -> FeedClient {
    FeedClient(url: server.server, token: server.token, feed: nil)
  }

  // MARK: This device

  /// Joins the server that a code of another device tells.
  func join(_ text: String) async throws {
    guard place.status == nil else { throw Self.isShared }
    guard let code = DeviceCode(text) else {
      throw WebError(
        .unprocessableContent,
        "That isn't a device's code. Show one on the other device: Settings, Devices, “Add a device”.",
        code: "noDeviceCode")
    }
    // It is noted as a device that came.
    _ = try await Self.client(of: code).account()
    try keeping.withLock { _ in
      guard place.status == nil else { throw Self.isShared }
      try PrivateFile.replace(file, with: Data(code.text.utf8))
      place.change { $0 = .server(code) }
    }
  }

  /// Exchanges no more; the cards stay here and at the server.
  func leave() async throws {
    guard !isGiven, server != nil else {
      throw WebError(
        .conflict, "What was given at the start ends there: start without it.", code: "given")
    }
    // A server that is away keeps the token, which nobody knows then.
    if let client = try? client(), let this = try? await client.devices().first(where: \.isThis) {
      try? await client.removeDevice(this.id)
    }
    try keeping.withLock { _ in
      try PrivateFile.remove(file)
      place.change { $0 = nil }
    }
  }

  // MARK: Running

  /// Exchanges until the task is cancelled.
  func run() async {
    var running: Task<Void, Never>?
    for await place in place.watch() {
      running?.cancel()
      await running?.value
      reports.change { $0 = WalletSyncReport() }
      let sync = place.map(sync)
      current.withLock { $0 = sync }
      guard let sync else { continue }
      running = Task { [self] in
        await withDiscardingTaskGroup { group in
          group.addTask { [self] in
            for await status in sync.statuses { tell(status, of: sync) }
          }
          // What waits to be sent changes with the cards.
          group.addTask { [self] in
            for await _ in store.changes() {
              tell(sync.status, of: sync)
              try? await Task.sleep(for: .seconds(1))
            }
          }
          await sync.run()
          group.cancelAll()
        }
      }
    }
    running?.cancel()
    await running?.value
  }

  /// Exchanges now, because somebody asks; what the server refused before is tried again.
  ///
  /// - Returns: How it stands then.
  /// - Throws: Why it doesn't work; it is tried again by itself.
  func syncNow() async throws -> WalletSyncReport {
    guard let sync = current.withLock({ $0 }) else { throw Self.isAlone }
    try await sync.sync(isAsked: true)
    return WalletSyncReport(sync.status, of: sync, in: store)
  }

  private func tell(_ status: SyncStatus, of sync: CardSync) {
    let report = WalletSyncReport(status, of: sync, in: store)
    reports.change { $0 = report }
  }

  private func sync(with place: Place) -> CardSync {
    var options = CardSync.Options()
    // Somebody who has just changed a card on another device looks here.
    options.interval = .seconds(10)
    options.longestPause = .seconds(60)
    switch place {
    case .file(let url):
      return CardSync(store: store, source: StaticBackend(url: url), target: nil, options: options)
    case .server(let code):
      let client = Self.client(of: code)
      return CardSync(store: store, source: client, target: client, options: options)
    }
  }
}
