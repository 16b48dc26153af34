import Foundation

/// Two database servers: one that is written to, and one that follows it and can take its place.
public struct PostgresPair: Sendable {
  /// The one that is written to.
  public let primary: PostgresNode
  /// The one that follows it.
  public let standby: PostgresNode

  /// Starts both.
  public init() throws {
    primary = try PostgresNode()
    standby = try PostgresNode(following: primary)
  }

  /// What a server that uses them is started with: whichever of them takes writes.
  public var options: [String] {
    ["--records", primary.address(of: "postgres", or: [standby]), "--connections", "4"]
  }

  /// Waits until the standby has all records, and lets it hear of no more.
  public func silence() async throws {
    let count = "SELECT count(*) FROM record"
    while (try? standby.query(count)) != (try primary.query(count)) {
      try await Task.sleep(for: .milliseconds(20))
    }
    try standby.query("ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()")
    while try standby.query("SELECT count(*) FROM pg_stat_wal_receiver") != "0" {
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Kills the primary and lets the standby take its place.
  public func failOver() throws {
    primary.kill()
    try standby.promote()
  }
}
