import CardModel
import Foundation
import GRDB
import ServerSupport
import Testing

@Suite("What waits for disks", .serialized)
struct WaitingTests {
  @Test("While many changes wait for the database, the wallet answers everything else")
  func busyDatabase() async throws {
    let folder = try WalletVisit.newFolder()
    defer { Scratch.remove(folder) }
    // One thread for all of Swift's own work.
    let server = try await WalletVisit.server(
      ["--no-camera"], in: folder, environment: ["LIBDISPATCH_COOPERATIVE_POOL_STRICT": "1"])
    let visitor = HTTPVisitor(server.address)
    #expect(try await visitor.ask("POST", "import", "_id,store\n1,Bakery\n") == 200)
    let id = try await visitor.wait(for: "the card", "cards") { $0["cards"][0]["id"].string }
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let database = try DatabaseQueue(
      path: folder.appending(path: "wallet/cards.sqlite").path, configuration: configuration)
    let start = ContinuousClock.now
    try await database.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<3 {
        group.addTask { try await visitor.ask("POST", "cards/\(id)/shown") }
      }
      // Until they are there, and wait.
      try await Task.sleep(for: .seconds(1))
      #expect(try await visitor.ask("GET", "wallet.css") == 200)
      try await database.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
      // None gave up, unless this machine is so busy that they waited for the wallet's ten seconds.
      let gaveUp = ContinuousClock.now - start > .seconds(9)
      for try await status in group { #expect(status == 204 || gaveUp && status == 503) }
    }
  }
}
