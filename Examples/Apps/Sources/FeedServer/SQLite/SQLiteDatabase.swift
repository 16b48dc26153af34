import Foundation
import GRDB
import WebServing

/// A database in a folder, for one process.
struct SQLiteDatabase: SQLDatabase {
  private let queue: DatabaseQueue

  /// Opens the database in a folder, which is made for this user alone where it is missing.
  init(in folder: URL) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let path = folder.appending(component: "backend.sqlite").path
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try Schema.migrate(queue, in: folder)
  }

  func read<T: Sendable>(
    _ body: @Sendable @escaping (any SQLSession) throws -> T
  ) async throws -> T {
    do { return try await queue.read { try body(SQLiteSession(db: $0)) } } catch {
      throw Self.webError(error)
    }
  }

  func snapshot<T: Sendable>(
    _ body: @Sendable @escaping (any SQLSession) throws -> T
  ) async throws -> T { try await read(body) }

  func write<T: Sendable>(
    _ body: @Sendable @escaping (any SQLSession) throws -> T
  ) async throws -> T {
    do { return try await queue.write { try body(SQLiteSession(db: $0)) } } catch {
      throw Self.webError(error)
    }
  }

  /// Without SQL, whose arguments are what is in the records.
  private static func webError(_ error: any Error) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    if error.resultCode == .SQLITE_FULL { return WebError.diskFull }
    return WebError(
      .serviceUnavailable, "The server's database has a problem (\(error.resultCode)).")
  }
}

/// A transaction; SQLite has one writer at a time.
private struct SQLiteSession: SQLSession {
  let db: Database

  func rows(_ statement: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
    let named = arguments.enumerated().map { ("\($0 + 1)", $1.databaseValue) }
    return try Row.fetchAll(
      try db.cachedStatement(sql: statement),
      arguments: StatementArguments(Dictionary(uniqueKeysWithValues: named))
    ).map { row in SQLRow(values: row.databaseValues.map(SQLValue.init)) }
  }

  func run(_ statement: String, _ arguments: [SQLValue]) throws {
    _ = try rows(statement, arguments)
  }

  func lock(person: Int64) {}
}

extension SQLValue {
  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .text(let value): value.databaseValue
    case .data(let value): value.databaseValue
    }
  }

  fileprivate init(_ value: DatabaseValue) {
    switch value.storage {
    case .int64(let value): self = .integer(value)
    case .double(let value): self = .integer(Int64(value))
    case .string(let value): self = .text(value)
    case .blob(let value): self = .data(value)
    case .null: self = .null
    }
  }
}
