import Foundation

/// A database that answers SQL: all rules of people's records stand above it, once.
///
/// Statements are in the words that SQLite and PostgreSQL share, with `$1`, `$2`, … for arguments.
protocol SQLDatabase: Sendable {
  /// Reads; each statement sees what is newest.
  func read<T: Sendable>(
    _ body: @Sendable @escaping (any SQLSession) throws -> T
  ) async throws -> T

  /// Reads; all statements see the same.
  func snapshot<T: Sendable>(
    _ body: @Sendable @escaping (any SQLSession) throws -> T
  ) async throws -> T

  /// Writes all or nothing; the body may be run again where others were in its way.
  ///
  /// What it returns is on the disk.
  func write<T: Sendable>(
    _ body: @Sendable @escaping (any SQLSession) throws -> T
  ) async throws -> T
}

/// A transaction, or a place where statements are run.
protocol SQLSession {
  /// Runs a statement.
  ///
  /// - Returns: The rows that it gives.
  func rows(_ statement: String, _ arguments: [SQLValue]) throws -> [SQLRow]

  /// Runs a statement whose rows nobody needs.
  ///
  /// Within a transaction it may wait, and what is wrong with it be told by a later one, or when the transaction ends.
  func run(_ statement: String, _ arguments: [SQLValue]) throws

  /// Lets nobody else write what is a person's until the transaction ends.
  func lock(person: Int64) throws
}

extension SQLSession {
  /// Runs a statement; gives its rows.
  func rows(_ statement: String, _ arguments: any SQLArgument...) throws -> [SQLRow] {
    try rows(statement, arguments.map(\.value))
  }

  /// Runs a statement whose rows nobody needs, as above.
  func run(_ statement: String, _ arguments: any SQLArgument...) throws {
    try run(statement, arguments.map(\.value))
  }

  /// Runs a statement; gives its first row.
  func row(_ statement: String, _ arguments: any SQLArgument...) throws -> SQLRow? {
    try rows(statement, arguments.map(\.value)).first
  }
}

/// What a column may hold.
enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case data(Data)
}

/// What stands for `$1` and the others.
protocol SQLArgument {
  var value: SQLValue { get }
}

extension Int: SQLArgument { var value: SQLValue { .integer(Int64(self)) } }
extension Int64: SQLArgument { var value: SQLValue { .integer(self) } }
extension String: SQLArgument { var value: SQLValue { .text(self) } }
extension Data: SQLArgument { var value: SQLValue { .data(self) } }

/// A row, whose columns are counted from 0.
struct SQLRow: Sendable {
  let values: [SQLValue]

  /// An integer, or 0 for `NULL`.
  func integer(_ column: Int) -> Int { optionalInteger(column) ?? 0 }
  /// A key, or 0 for `NULL`.
  func key(_ column: Int) -> Int64 { Int64(integer(column)) }

  /// An integer.
  func optionalInteger(_ column: Int) -> Int? {
    if case .integer(let value) = values[column] { Int(value) } else { nil }
  }

  /// A text, or an empty one for `NULL`.
  func text(_ column: Int) -> String { optionalText(column) ?? "" }

  /// A text.
  func optionalText(_ column: Int) -> String? {
    if case .text(let value) = values[column] { value } else { nil }
  }

  /// Bytes, or none for `NULL`.
  func data(_ column: Int) -> Data {
    if case .data(let value) = values[column] { value } else { Data() }
  }
}
