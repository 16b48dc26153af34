import Foundation
import WebServing

/// A database of PostgreSQL, for as many copies of this server as there are.
struct PostgresDatabase: SQLDatabase {
  private let pool: PostgresPool
  private let address: String
  private let limits: PostgresLimits

  /// How often a transaction is tried that others were in the way of.
  private static let maximumTries = 10

  /// Connects, and makes what tables are missing.
  ///
  /// - Parameters:
  ///   - address: `postgres://…`, or other words that libpq knows.
  ///   - connections: How many, at most.
  ///   - limits: How long it may take.
  /// - Throws: ``PostgresError``.
  init(
    _ address: String, connections: Int = 16, limits: PostgresLimits = PostgresLimits()
  ) throws {
    self.address = address
    self.limits = limits
    pool = PostgresPool(connections: connections)
    // Who changes large tables takes long, and others wait meanwhile.
    var patient = limits
    patient.statement = .seconds(600)
    try PostgresSchema.migrate(PostgresConnection(address, patient))
  }

  func read<T: Sendable>(
    _ body: @Sendable @escaping (any SQLSession) throws -> T
  ) async throws -> T {
    try await run { try body(PostgresSession($0)) }
  }

  func snapshot<T: Sendable>(
    _ body: @Sendable @escaping (any SQLSession) throws -> T
  ) async throws -> T {
    try await run { connection in
      try Self.transaction(
        connection, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", body)
    }
  }

  func write<T: Sendable>(
    _ body: @Sendable @escaping (any SQLSession) throws -> T
  ) async throws -> T {
    try await run { connection in
      try Self.transaction(connection, "BEGIN ISOLATION LEVEL READ COMMITTED", body)
    }
  }

  /// Writes all or nothing on a connection of its own, once, on this thread, however long it takes.
  func writeAll<T>(_ body: (any SQLSession) throws -> T) throws -> T {
    var patient = limits
    patient.statement = .seconds(600)
    do {
      let connection = try PostgresConnection(address, patient)
      return try Self.transaction(connection, "BEGIN ISOLATION LEVEL SERIALIZABLE", body)
    } catch let error as PostgresError {
      throw error.webError
    } catch is UnknownEnd {
      throw WebError.databaseAway
    }
  }

  /// The connection was lost when a transaction was to end: nobody knows whether it counts.
  fileprivate struct UnknownEnd: Error {}

  private static func transaction<T>(
    _ connection: PostgresConnection, _ begin: String, _ body: (any SQLSession) throws -> T
  ) throws -> T {
    let session = PostgresSession(connection, begin: begin)
    do {
      let result = try body(session)
      try session.commit()
      return result
    } catch {
      session.cancel()
      throw error
    }
  }

  /// Does something on a thread that may wait, again where that can help.
  private func run<T: Sendable>(
    _ work: @Sendable @escaping (PostgresConnection) throws -> T
  ) async throws -> T {
    let end = ContinuousClock.now + limits.patience
    return try await withCheckedThrowingContinuation { continuation in
      let isTaken = pool.add { connection in
        continuation.resume(with: Result { try attempt(work, &connection, until: end) })
      }
      if !isTaken { continuation.resume(throwing: WebError.databaseBusy) }
    }
  }

  private func attempt<T>(
    _ work: (PostgresConnection) throws -> T, _ connection: inout PostgresConnection?,
    until end: ContinuousClock.Instant
  ) throws -> T {
    var tries = 0
    while true {
      // Who waited in line for too long has gone.
      guard ContinuousClock.now < end else { throw WebError.databaseAway }
      do {
        if connection?.isLost != false { connection = try PostgresConnection(address, limits) }
        return try work(connection!)
      } catch is UnknownEnd {
        connection = nil
        throw WebError.databaseAway
      } catch let error as PostgresError {
        tries += 1
        if error.isOfConnection {
          connection = nil
          Thread.sleep(forTimeInterval: .random(in: 0.05...0.3))
        } else if error.isOfOthers, tries < Self.maximumTries {
          Thread.sleep(forTimeInterval: .random(in: 0...0.02))
        } else {
          throw error.webError
        }
      }
    }
  }
}

/// A transaction, or a connection outside of one.
///
/// Within a transaction, what gives no rows waits until something else is sent.
private final class PostgresSession: SQLSession {
  private let connection: PostgresConnection
  private let isTransaction: Bool
  /// What is to be sent, the beginning of the transaction included.
  private var waiting: [PostgresStatement] = []
  private var hasBegun = false

  /// How many statements wait at most.
  private static let maximumWaiting = 64

  init(_ connection: PostgresConnection, begin: String? = nil) {
    self.connection = connection
    isTransaction = begin != nil
    if let begin { waiting = [PostgresStatement(begin)] }
  }

  func rows(_ statement: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
    waiting.append(PostgresStatement(statement, arguments))
    return try send()
  }

  func run(_ statement: String, _ arguments: [SQLValue]) throws {
    waiting.append(PostgresStatement(statement, arguments))
    if !isTransaction || waiting.count >= Self.maximumWaiting { _ = try send() }
  }

  func lock(person: Int64) throws {
    try run("SELECT 1 FROM person WHERE key = $1 FOR UPDATE", person)
  }

  private func send() throws -> [SQLRow] {
    defer { waiting = [] }
    hasBegun = isTransaction
    return try connection.exchange(waiting)
  }

  /// Ends the transaction; all that was written counts from then on.
  func commit() throws {
    if !hasBegun {
      // Nothing was done.
      guard waiting.count > 1 else { return }
      // The connection may be gone for long; on another one all goes well.
      _ = try send()
    }
    waiting.append(PostgresStatement("COMMIT"))
    let last = waiting.count - 1
    do {
      _ = try send()
    } catch let error as PostgresError where error.isOfConnection {
      // What was refused before it came to the end doesn't count.
      if let place = error.place, place < last { throw error }
      throw PostgresDatabase.UnknownEnd()
    }
  }

  /// Ends the transaction as if nothing had been done.
  func cancel() {
    if hasBegun { try? connection.run("ROLLBACK") }
  }
}

extension PostgresError {
  /// Without PostgreSQL's words, which may have what is in the records.
  fileprivate var webError: WebError {
    if state == "53100" { return .diskFull }
    return WebError(.serviceUnavailable, "The server's database has a problem (\(state)).")
  }
}

extension WebError {
  fileprivate static let databaseAway = WebError(
    .serviceUnavailable, "The server's database is away. Try again in a moment.")
  fileprivate static let databaseBusy = WebError(
    .serviceUnavailable, "The server's database has too much to do. Try again in a moment.")
}
