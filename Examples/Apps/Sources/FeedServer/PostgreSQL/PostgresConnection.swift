import CLibPQ
import Foundation

/// How long PostgreSQL may take.
struct PostgresLimits: Sendable {
  /// For a connection to each of its hosts; whole seconds, and libpq has no less than two.
  ///
  /// The default is 3 seconds.
  var connection = 3
  /// For a statement, waiting for others included.
  ///
  /// The server ends it then, and is taken for lost where that isn't heard of within another second.
  ///
  /// The default is 10 seconds.
  var statement = Duration.seconds(10)
  /// For how long a request waits for a server that is away, such as while another takes its place.
  ///
  /// The default is 15 seconds.
  var patience = Duration.seconds(15)
}

/// A connection of libpq, used by one thread at a time; each call waits, but not for ever.
final class PostgresConnection {
  private let handle: OpaquePointer
  private let limits: PostgresLimits
  /// The names of statements that the server has prepared, and how many names were given.
  private var prepared: [String: String] = [:]
  private var names = 0

  /// Connects.
  ///
  /// What an address leaves open is as libpq has it: `PGPASSWORD`, `~/.pgpass`, a service file, TLS if the server
  /// has it.
  ///
  /// - Parameters:
  ///   - address: `postgres://…` with one host or several (libpq, section 34.1.1.2).
  ///   - limits: How long calls may take.
  /// - Throws: ``PostgresError`` of class 08.
  init(_ address: String, _ limits: PostgresLimits = PostgresLimits()) throws {
    let milliseconds = Int(limits.statement / .milliseconds(1))
    // Of doubled words the last counts: the address may say otherwise.
    let words = [
      ("connect_timeout", "\(limits.connection)"), ("tcp_user_timeout", "10000"),
      ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
      ("target_session_attrs", "read-write"),
      (
        "options",
        // A copy that vanished keeps nobody's rows for long.
        "-c statement_timeout=\(milliseconds) -c idle_in_transaction_session_timeout=\(milliseconds)"
      ),
      ("application_name", "feed-server"), ("dbname", address),
      // Records are JSON, in UTF-8.
      ("client_encoding", "UTF8"),
    ]
    let handle = withCStrings(words.map(\.0)) { names in
      withCStrings(words.map(\.1)) { values in PQconnectdbParams(names, values, 1) }
    }
    guard let handle else { throw PostgresError(state: "53200", words: "no memory") }
    guard PQstatus(handle) == CONNECTION_OK, PQsetnonblocking(handle, 1) == 0 else {
      let words = String(cString: PQerrorMessage(handle))
      PQfinish(handle)
      throw PostgresError(state: "08001", words: words)
    }
    self.handle = handle
    self.limits = limits
  }

  deinit { PQfinish(handle) }

  /// Whether it was lost.
  var isLost: Bool { PQstatus(handle) != CONNECTION_OK }

  /// Runs statements that have no arguments and give no rows.
  func run(_ statements: String) throws {
    guard PQsendQuery(handle, statements) == 1 else { throw lost() }
    let result = try lastResult(until: .now + limits.statement + .seconds(1))
    defer { PQclear(result) }
    try check(result)
  }

  /// Runs a statement; gives its rows.
  func rows(_ statement: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
    try exchange([PostgresStatement(statement, arguments)])
  }

  /// Sends statements together, and waits once for all of them (pipeline mode, libpq, section 34.5).
  ///
  /// Each is prepared the first time. After one that is refused none is run.
  ///
  /// - Returns: The rows of the last.
  /// - Throws: ``PostgresError``, with its place among the statements if the server refused one.
  func exchange(_ statements: [PostgresStatement]) throws -> [SQLRow] {
    guard PQenterPipelineMode(handle) == 1 else { throw lost() }
    /// What was sent: the statement, or its preparation under a name.
    var commands: [(place: Int, name: String?)] = []
    var new: [String: String] = [:]
    for (place, statement) in statements.enumerated() {
      if prepared[statement.text] == nil, new[statement.text] == nil {
        let name = "s\(names)"
        names += 1
        guard PQsendPrepare(handle, name, statement.text, 0, nil) == 1 else { throw lost() }
        new[statement.text] = name
        commands.append((place, name))
      }
      try send(statement, as: prepared[statement.text] ?? new[statement.text] ?? "")
      commands.append((place, nil))
    }
    guard PQpipelineSync(handle) == 1 else { throw lost() }
    let end = ContinuousClock.now + limits.statement + .seconds(1)
    var rows: [SQLRow] = []
    var failure: PostgresError?
    for (place, name) in commands {
      let result = try lastResult(until: end)
      defer { PQclear(result) }
      // What comes after a failure wasn't run.
      guard failure == nil else { continue }
      do {
        try check(result)
        if let name { prepared[statements[place].text] = name }
        if name == nil, place == statements.count - 1 { rows = Self.rows(result) }
      } catch var error as PostgresError {
        if !isLost { error.place = place }
        failure = error
      }
    }
    // The end of what was sent together.
    if failure == nil || !isLost { PQclear(try nextResult(until: end)) }
    let hasEnded = PQexitPipelineMode(handle) == 1
    if let failure { throw failure }
    guard hasEnded else { throw lost() }
    return rows
  }

  private func send(_ statement: PostgresStatement, as name: String) throws {
    let values = statement.arguments.map(\.sent)
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
    let isTaken = PQsendQueryPrepared(
      handle, name, Int32(values.count), room.map { UnsafePointer($0) }, lengths, formats, 1)
    guard isTaken == 1 else { throw lost() }
  }

  private static func rows(_ result: OpaquePointer?) -> [SQLRow] {
    let columns = PQnfields(result)
    return (0..<PQntuples(result)).map { row in
      SQLRow(values: (0..<columns).map { value(result, row, $0) })
    }
  }

  // MARK: Waiting

  /// Waits for a command's result: the last one of several, for the caller to clear.
  private func lastResult(until end: ContinuousClock.Instant) throws -> OpaquePointer? {
    var last: OpaquePointer?
    do {
      while let next = try nextResult(until: end) {
        PQclear(last)
        last = next
      }
      return last
    } catch {
      PQclear(last)
      throw error
    }
  }

  private func nextResult(until end: ContinuousClock.Instant) throws -> OpaquePointer? {
    while true {
      let left = PQflush(handle)
      guard left >= 0 else { throw lost() }
      if left == 0, PQisBusy(handle) == 0 { return PQgetResult(handle) }
      let events = left > 0 ? POLLIN | POLLOUT : POLLIN
      guard try isReady(for: events, until: end) else { throw lost() }
      guard PQconsumeInput(handle) == 1 else { throw lost() }
    }
  }

  /// Waits until the server says something, or something else can be read, for some time; `false` when it is over.
  func awaitInput(or descriptor: Int32, for time: Duration) throws -> Bool {
    guard try isReady(for: POLLIN, or: descriptor, until: .now + time) else { return false }
    guard PQconsumeInput(handle) == 1 else { throw lost() }
    return true
  }

  /// Waits for the connection, or for something else to be read; `false` when the time is over.
  private func isReady(
    for events: Int32, or descriptor: Int32 = -1, until end: ContinuousClock.Instant
  ) throws -> Bool {
    // One that is negative is passed over (poll(2)).
    var files = [
      pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let milliseconds = (end - .now) / .milliseconds(1)
      guard milliseconds > 0 else { return false }
      let count = poll(&files, nfds_t(files.count), Int32(milliseconds.rounded(.up)))
      if count > 0 { return true }
      guard count == 0 || errno == EINTR else { throw lost() }
    }
  }

  /// What others said by `NOTIFY`, so far.
  func notifications() -> [String] {
    var payloads: [String] = []
    while let notice = PQnotifies(handle) {
      if notice.pointee.be_pid != PQbackendPID(handle) {
        payloads.append(String(cString: notice.pointee.extra))
      }
      PQfreemem(notice)
    }
    return payloads
  }

  // MARK: Errors

  /// An error of the connection, or of no answer.
  private func lost() -> PostgresError {
    PostgresError(state: "08006", words: String(cString: PQerrorMessage(handle)))
  }

  private func check(_ result: OpaquePointer?) throws {
    let status = PQresultStatus(result)
    guard status != PGRES_COMMAND_OK, status != PGRES_TUPLES_OK else { return }
    let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
    // Without a state it is libpq's own: the connection was lost.
    throw state.map { PostgresError(state: $0, words: String(cString: PQerrorMessage(handle))) }
      ?? lost()
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

/// A statement with what stands for `$1` and the others.
struct PostgresStatement {
  var text: String
  var arguments: [SQLValue]

  init(_ text: String, _ arguments: [SQLValue] = []) {
    (self.text, self.arguments) = (text, arguments)
  }
}

/// What PostgreSQL says of an error.
struct PostgresError: Error {
  /// SQLSTATE (PostgreSQL, appendix A).
  var state: String
  /// Its words, which may have what is in the records: for the keeper's terminal alone.
  var words: String
  /// Which of the statements that were sent together the server refused; `nil` if the connection was lost.
  var place: Int?

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
