import CLibPQ
import Foundation

/// A connection of libpq; each call waits, so it belongs on a thread of its own.
final class PostgresConnection {
  private let handle: OpaquePointer
  /// The names of statements that the server has prepared.
  private var prepared: [String: String] = [:]

  /// Connects.
  ///
  /// What an address leaves open is as libpq has it: `PGPASSWORD`, `~/.pgpass`, a service file, TLS if the server
  /// has it.
  ///
  /// - Parameter address: `postgres://…` with one host or several (libpq, section 34.1.1.2).
  /// - Throws: ``PostgresError`` of class 08.
  init(_ address: String) throws {
    // Of doubled words the last counts: the address may say otherwise.
    let words = [
      ("connect_timeout", "5"), ("tcp_user_timeout", "10000"), ("keepalives_idle", "10"),
      ("keepalives_interval", "5"), ("target_session_attrs", "read-write"),
      ("options", "-c statement_timeout=20s -c idle_in_transaction_session_timeout=30s"),
      ("application_name", "feed-server"), ("dbname", address),
      // Records are JSON, in UTF-8.
      ("client_encoding", "UTF8"),
    ]
    let handle = withCStrings(words.map(\.0)) { names in
      withCStrings(words.map(\.1)) { values in PQconnectdbParams(names, values, 1) }
    }
    guard let handle else { throw PostgresError(state: "53200", words: "no memory") }
    guard PQstatus(handle) == CONNECTION_OK else {
      let words = String(cString: PQerrorMessage(handle))
      PQfinish(handle)
      throw PostgresError(state: "08001", words: words)
    }
    self.handle = handle
  }

  deinit { PQfinish(handle) }

  /// Whether it was lost.
  var isLost: Bool { PQstatus(handle) != CONNECTION_OK }

  /// Runs statements that have no arguments and give no rows.
  func run(_ statements: String) throws {
    let result = PQexec(handle, statements)
    defer { PQclear(result) }
    try check(result)
  }

  /// Runs a statement, which is prepared the first time.
  func rows(_ statement: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
    let name = try prepare(statement)
    let values = arguments.map(\.sent)
    let lengths = values.map { Int32($0?.bytes.count ?? 0) }
    let formats = values.map { $0?.format ?? 0 }
    // Texts end with 0; what has a length may have one more.
    let room = values.map { value in
      value.map { value in
        let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: value.bytes.count + 1)
        pointer.initialize(repeating: 0, count: value.bytes.count + 1)
        value.bytes.copyBytes(
          to: UnsafeMutableRawBufferPointer(start: pointer, count: value.bytes.count))
        return pointer
      }
    }
    defer { for pointer in room { pointer?.deallocate() } }
    let result = PQexecPrepared(
      handle, name, Int32(values.count), room.map { UnsafePointer($0) }, lengths, formats, 1)
    defer { PQclear(result) }
    try check(result)
    let columns = PQnfields(result)
    return (0..<PQntuples(result)).map { row in
      SQLRow(values: (0..<columns).map { Self.value(result, row, $0) })
    }
  }

  private func prepare(_ statement: String) throws -> String {
    if let name = prepared[statement] { return name }
    let name = "s\(prepared.count)"
    let result = PQprepare(handle, name, statement, 0, nil)
    defer { PQclear(result) }
    try check(result)
    prepared[statement] = name
    return name
  }

  private func check(_ result: OpaquePointer?) throws {
    let status = PQresultStatus(result)
    guard status != PGRES_COMMAND_OK, status != PGRES_TUPLES_OK else { return }
    let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
    let words = String(cString: PQerrorMessage(handle))
    // Without a state it is libpq's own: the connection was lost.
    throw PostgresError(state: state ?? "08006", words: words)
  }

  /// What a column has, as it is sent in binary.
  private static func value(_ result: OpaquePointer?, _ row: Int32, _ column: Int32) -> SQLValue {
    guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column) else {
      return .null
    }
    let bytes = UnsafeRawBufferPointer(
      start: start, count: Int(PQgetlength(result, row, column)))
    switch PQftype(result, column) {
    case TypeNumber.bytea: return .data(Data(bytes))
    case TypeNumber.int2, TypeNumber.int4, TypeNumber.int8:
      let isNegative = bytes.first.map { $0 & 0x80 != 0 } ?? false
      return .integer(bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) })
    default: return .text(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// PostgreSQL's numbers for types (`pg_type.dat`).
  private enum TypeNumber {
    static let bytea: Oid = 17
    static let int8: Oid = 20
    static let int2: Oid = 21
    static let int4: Oid = 23
  }
}

/// What PostgreSQL says of an error.
struct PostgresError: Error {
  /// SQLSTATE (PostgreSQL, appendix A).
  var state: String
  /// Its words, which may have what is in the records: for the keeper's terminal alone.
  var words: String

  /// Whether the same may go well on another connection: it was lost, the server is ending or starting, or it is
  /// another server's standby.
  var isOfConnection: Bool {
    state.hasPrefix("08") || state.hasPrefix("57P") || state == "25006"
  }

  /// Whether others were in the way (`serialization_failure`, `deadlock_detected`).
  var isOfOthers: Bool { state == "40001" || state == "40P01" }
}

extension SQLValue {
  /// As an argument: numbers and texts as text, bytes as they are; `nil` for `NULL`.
  fileprivate var sent: (bytes: Data, format: Int32)? {
    switch self {
    case .null: nil
    case .integer(let value): (Data(String(value).utf8), 0)
    case .text(let value): (Data(value.utf8), 0)
    case .data(let value): (value, 1)
    }
  }
}

/// Calls with texts as C has them, and `NULL` after the last.
private func withCStrings<T>(
  _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> T
) -> T {
  let copies = texts.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies.map { UnsafePointer($0) } + [nil])
}
