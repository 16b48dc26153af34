import Foundation

/// The PostgreSQL that tests are to use, as `Tests/with-postgres` starts it.
public enum TestPostgres {
  /// Its address without a database; `nil` where tests are to use SQLite.
  public static let address = ProcessInfo.processInfo.environment["VIEWFINDER_POSTGRES"]

  /// The address of a database that belongs to a folder, which is made where it is missing; `nil` for SQLite.
  public static func database(for folder: URL) throws -> String? {
    guard let address else { return nil }
    // FNV-1a, which is the same in every process.
    let hash = folder.standardizedFileURL.path.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    let name = "feed_\(String(hash, radix: 16))"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["psql", "--quiet", "\(address)/postgres", "-c", "CREATE DATABASE \(name)"]
    // It may be there: a server that starts again.
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return "\(address)/\(name)"
  }
}
