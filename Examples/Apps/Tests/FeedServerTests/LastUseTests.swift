import Foundation
import ServerSupport
import Testing

@testable import FeedServer

@Suite("When a device was here last")
struct LastUseTests {
  private let scratch: Scratch
  private let database: any SQLDatabase
  private let records: SQLRecords
  private let token = BearerGuard.hash("token")

  init() async throws {
    scratch = try Scratch()
    if let address = try TestPostgres.database(for: scratch.url) {
      database = try PostgresDatabase(address, connections: 2)
    } else {
      database = try SQLiteDatabase(in: scratch.url)
    }
    records = try await SQLRecords(database)
    try await records.addDevice("first", of: "anna", token: token)
  }

  private func written() async throws -> Int? {
    try await database.read { try $0.row("SELECT seen FROM device")?.optionalInteger(0) }
  }

  private func shown() async throws -> Date? {
    let visitor = try #require(try await records.visitor(token: token))
    return try await records.devices(of: visitor.person).first?.seen
  }

  @Test("No request writes it; what many left is written at once, and shown before")
  func later() async throws {
    for _ in 0..<5 { #expect(try await shown() != nil) }
    #expect(try await written() == nil)
    #expect(try await records.writeLastUses() == 1)
    #expect(try await written() != nil)
  }

  @Test("It costs one write a day, however often the device comes")
  func daily() async throws {
    let now = Int(Date.now.timeIntervalSince1970)
    for (age, writes) in [(0, 0), (86_000, 0), (86_500, 1)] {
      try await database.write { _ = try $0.rows("UPDATE device SET seen = $1", now - age) }
      for _ in 0..<3 { _ = try await records.visitor(token: token) }
      #expect(try await records.writeLastUses() == writes, "after \(age) s")
    }
    #expect(try await records.writeLastUses() == 0)
    #expect(try #require(try await written()) >= now)
  }
}
