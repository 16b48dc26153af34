import ArgumentParser
import Foundation
import S3
import WebServing

/// How `feed-server` is run, and `cards-backend`, as it was called before.
public struct FeedServerOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Where everything is kept.", valueName: "folder"))
  var data: String?

  @Option(
    help: ArgumentHelp(
      "Where records are kept, if not in that folder: postgres://[USER@]HOST[:PORT][,HOST…]/DATABASE[?sslmode=…].",
      discussion: "The password is in PGPASSWORD or ~/.pgpass, as libpq has it.",
      valueName: "address"))
  var records: String?

  @Option(
    help: ArgumentHelp("With --records: how many connections, at most.", valueName: "number"))
  var connections = 16

  @Option(
    help: ArgumentHelp(
      "Where files are kept, if not in that folder: s3://BUCKET[/PREFIX][?region=REGION&endpoint=URL].",
      discussion: "The keys are in AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.",
      valueName: "address"))
  var blobs: String?

  @Option(help: ArgumentHelp("Where to listen.", valueName: "host[:port]"))
  var listen = ListenAddress(host: "127.0.0.1", port: 8090)

  @Option(
    help: ArgumentHelp(
      "Prints a new token for a person's device and ends; the one that it had before, if any, is void.",
      valueName: "name"))
  var addToken: String?

  @Option(
    help: ArgumentHelp("With --add-token: what the person calls the device.", valueName: "name"))
  var device = "first"

  @Option(help: ArgumentHelp("How many cards a person may have.", valueName: "number"))
  var maximumRecords = Feed.cards.maximumRecords

  @Option(help: ArgumentHelp("How many megabytes a person may have.", valueName: "MB"))
  var quota = Limits().bytes / 1_000_000

  @Option(
    help: ArgumentHelp(
      "How many days the trace of a deleted record is kept; who comes later begins anew.",
      valueName: "days"))
  var window = Int(Limits().window.components.seconds / 86_400)

  @Option(
    help: ArgumentHelp(
      "A file with the token that Prometheus shows to read /metrics; without it nobody can.",
      valueName: "file"))
  var metricsToken: String?

  @Flag(help: "Writes a line of JSON to standard error for each request, not only for trouble.")
  var logRequests = false

  /// Creates options for the parser to fill.
  public init() {}

  /// Refuses what can't be.
  public func validate() throws {
    guard (1...1_000_000_000).contains(maximumRecords) else {
      throw ValidationError("--maximum-records is a number from 1 to 1000000000.")
    }
    guard (1...1_000_000_000).contains(quota) else {
      throw ValidationError("--quota is a number of megabytes from 1 to 1000000000.")
    }
    guard (1...36_500).contains(window) else {
      throw ValidationError("--window is a number of days from 1 to 36500.")
    }
    guard (1...1000).contains(connections) else {
      throw ValidationError("--connections is a number from 1 to 1000.")
    }
    try Self.check(records: records, blobs: blobs)
  }

  /// Refuses addresses that aren't.
  static func check(records: String?, blobs: String?) throws {
    if let records, !records.hasPrefix("postgres://"), !records.hasPrefix("postgresql://") {
      throw ValidationError("--records is postgres://USER@HOST:PORT/DATABASE.")
    }
    if let blobs, S3Address(blobs) == nil {
      throw ValidationError(
        "--blobs is s3://BUCKET, s3://BUCKET/PREFIX?region=REGION or s3://BUCKET?endpoint=http://HOST:PORT."
      )
    }
  }

  /// Serves, or makes a token.
  ///
  /// - Parameter folder: Where everything is kept, where nothing else is asked for.
  /// - Throws: Why it can't.
  public func run(defaultFolder folder: String) async throws {
    let folder = URL(fileURLWithPath: data ?? folder, isDirectory: true)
    // Copies that share a database and a store need no folder.
    if records == nil || blobs == nil { try Self.prepare(folder) }
    let records = try await SQLRecords(try database(in: folder))
    if let addToken {
      let token = AccessToken()
      try await records.addDevice(device, of: addToken, token: BearerGuard.hash(token.text))
      return print(token.text)
    }
    var limits = Limits()
    limits.feeds[0].maximumRecords = maximumRecords
    limits.bytes = quota * 1_000_000
    limits.window = .seconds(window * 86_400)
    let operation = FeedServer.Operation(
      metricsToken: try metricsToken.map(Self.tokenHash), logsRequests: logRequests)
    try await FeedServer(
      records: records, blobs: try store(in: folder), limits: limits,
      hints: self.records.map { PostgresHints($0) }, operation: operation
    ).run(at: listen)
  }

  /// The hash of the token that a file has.
  private static func tokenHash(in file: String) throws -> Data {
    let text = try? String(contentsOfFile: file, encoding: .utf8)
    guard let token = AccessToken(text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "")
    else {
      throw ValidationError(
        "--metrics-token is a file that this program can read, with a token of 8 or more letters, digits and -._~."
      )
    }
    return BearerGuard.hash(token.text)
  }

  private func database(in folder: URL) throws -> any SQLDatabase {
    guard let records else { return try SQLiteDatabase(in: folder) }
    return try Self.postgres(records, connections: connections)
  }

  /// The database at an address.
  static func postgres(_ address: String, connections: Int) throws -> PostgresDatabase {
    do {
      return try PostgresDatabase(address, connections: connections)
    } catch let error as PostgresError {
      throw ValidationError(
        "The database of --records can't be used: \(error.words.trimmingCharacters(in: .whitespacesAndNewlines))"
      )
    }
  }

  private func store(in folder: URL) throws -> any BlobStore {
    try blobs.map(Self.store) ?? FolderBlobs(in: folder)
  }

  /// The store at an address, with the keys of the environment.
  static func store(_ address: String) throws -> any BlobStore {
    guard let address = S3Address(address) else { throw ValidationError("--blobs is s3://BUCKET.") }
    guard let keys = S3Keys.credentials(in: ProcessInfo.processInfo.environment) else {
      throw ValidationError(
        "--blobs needs the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.")
    }
    return S3Blobs(address, keys)
  }

  /// Makes the folder for this user alone, or keeps others out of it.
  private static func prepare(_ folder: URL) throws {
    let files = FileManager.default
    try files.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let mode = try files.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
    if mode ?? 0o700 & 0o077 != 0 {
      try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    }
  }
}
