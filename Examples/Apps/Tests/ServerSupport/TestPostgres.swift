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
    // It may be there: a server that starts again.
    try run("psql", "--quiet", "\(address)/postgres", "-c", "CREATE DATABASE \(name)")
    return "\(address)/\(name)"
  }

  /// Copies what the database of a folder has into that of another, as people do who back up.
  static func copyDatabase(of folder: URL, to copy: URL) throws {
    guard let to = try database(for: copy) else { return }
    let dump = copy.appending(component: "dump")
    try dumpDatabase(of: folder, to: dump, format: "custom")
    try run("pg_restore", "--dbname=\(to)", dump.path)
  }

  /// Writes what the database of a folder has into a file, for people to read if nothing else is asked for.
  public static func dumpDatabase(
    of folder: URL, to file: URL, format: String = "plain"
  ) throws {
    guard let from = try database(for: folder) else { return }
    try run("pg_dump", "--format=\(format)", "--file=\(file.path)", from)
  }

  private static func run(_ program: String, _ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
  }
}
