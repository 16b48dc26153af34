import Foundation

/// Two database servers: one that is written to, and one that follows it and can take its place.
public struct PostgresPair: Sendable {
  /// The one that is written to.
  public let primary: PostgresNode
  /// The one that follows it.
  public let standby: PostgresNode

  /// Starts both.
  public init() async throws {
    primary = try await PostgresNode()
    standby = try await PostgresNode(following: primary)
  }

  /// What a server that uses them is started with: whichever of them takes writes.
  public var options: [String] {
    ["--records", primary.address(of: "postgres", or: [standby]), "--connections", "4"]
  }

  /// Waits until the standby has all records, and lets it hear of no more.
  public func silence() async throws {
    let count = "SELECT count(*) FROM record"
    try await wait("the standby to have all records") {
      try (try? standby.query(count)) == primary.query(count)
    }
    try standby.query("ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()")
    try await wait("the standby to hear of no more") {
      try standby.query("SELECT count(*) FROM pg_stat_wal_receiver") == "0"
    }
  }

  /// Kills the primary and lets the standby take its place.
  public func failOver() throws {
    primary.kill()
    try standby.promote()
  }
}
