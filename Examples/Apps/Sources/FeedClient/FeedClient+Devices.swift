import Foundation

extension FeedClient {
  /// A device of the person.
  public struct Device: Codable, Hashable, Sendable {
    /// Names it at the server.
    public var id: String
    /// What the person calls it.
    public var name: String
    /// When it was let in.
    public var made: Date?
    /// When it was at the server last; `nil` if never.
    public var seen: Date?
    /// What it calls itself in records; `nil` where it never said, or the server has no word for that.
    public var client: String?
    /// Whether it is the one that asks.
    public var isThis: Bool
    /// What the server knows it by, which is told once: to whoever lets it in.
    public var token: String?
  }

  private struct Devices: Codable {
    var devices: [Device]
  }

  /// Asks which devices the person has.
  ///
  /// - Returns: The devices, by name.
  /// - Throws: ``FeedError``.
  public func devices() async throws -> [Device] {
    let answer = try await exchange.send(
      .GET, url.appending(path: "v1/devices"), limit: exchange.limits.page)
    guard answer.status == 200 else { throw answer.error(from: address) }
    return try read(Devices.self, answer).devices
  }

  /// Lets another device of the person's in.
  ///
  /// - Parameter name: What the person calls it.
  /// - Returns: The device, with its token.
  /// - Throws: ``FeedError``.
  public func addDevice(named name: String) async throws -> Device {
    let body = HTTPBody(try JSONEncoder().encode(["name": name]))
    let answer = try await exchange.send(
      .POST, url.appending(path: "v1/devices"), ["Content-Type": "application/json"], body: body,
      limit: exchange.limits.page)
    guard answer.status == 201 else { throw answer.error(from: address) }
    return try read(Device.self, answer)
  }

  /// Lets a device in no more.
  ///
  /// - Parameter id: The device.
  /// - Throws: ``FeedError``.
  public func removeDevice(_ id: String) async throws {
    let answer = try await exchange.send(
      .DELETE, url.appending(path: "v1/devices").appending(component: id), limit: 1 << 20)
    guard answer.status == 204 else { throw answer.error(from: address) }
  }

  /// Lets a device in no more unless it was at the server within some time: its token may lie around.
  ///
  /// - Parameters:
  ///   - id: The device.
  ///   - time: How long it has.
  /// - Throws: ``FeedError``.
  public func removeDevice(_ id: String, ifUnusedAfter time: Duration) async throws {
    try await Task.sleep(for: time)
    if try await devices().contains(where: { $0.id == id && $0.seen == nil }) {
      try await removeDevice(id)
    }
  }

  /// Says what this device calls itself in records, so that others find its name by that.
  ///
  /// Servers of before have no word for it, and nothing is said then.
  ///
  /// - Parameter client: What it calls itself, in at most 100 characters.
  /// - Throws: ``FeedError``.
  public func introduce(as client: String) async throws {
    let body = HTTPBody(try JSONEncoder().encode(["client": client]))
    let answer = try await exchange.send(
      .PUT, url.appending(path: "v1/me"), ["Content-Type": "application/json"], body: body,
      limit: 1 << 20)
    guard [204, 404, 405].contains(answer.status) else { throw answer.error(from: address) }
  }

  private func read<T: Decodable>(_ type: T.Type, _ answer: HTTPAnswer) throws -> T {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    do { return try decoder.decode(type, from: answer.body) } catch {
      if answer.isPage { throw FeedError.intercepted(address: address) }
      throw FeedError.notUnderstood(
        address: address, reason: "it doesn't say which devices there are")
    }
  }
}
