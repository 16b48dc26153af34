import Foundation
import ServerSupport
import Testing

@Suite("Devices that join at the same moment") struct DeviceJoinTests {
  @Test("Of several codes one is joined and kept, and the others are refused")
  func onlyOne() async throws {
    let folders = try (0..<2).map { _ in try WalletVisit.newFolder() }
    defer { folders.forEach(Scratch.remove) }
    let backend = try await CardsBackend(in: folders[0])
    let first = try await WalletVisit.server(
      ["--no-camera", "--backend", backend.server.address], in: folders[0],
      environment: ["MY_CARDS_TOKEN": backend.token])
    let joining = try await WalletVisit.server(["--no-camera"], in: folders[1])
    let (inviting, visitor) = (HTTPVisitor(first.address), HTTPVisitor(joining.address))
    for round in 1...5 {
      var codes: [String] = []
      for number in 1...4 {
        let name = "Phone \(round).\(number)"
        let invitation = try await inviting.json("POST", "devices", #"{"name":"\#(name)"}"#)
        codes.append(try #require(invitation["code"].string))
      }
      let statuses = try await withThrowingTaskGroup { group in
        for code in codes {
          let body = String(decoding: try JSONEncoder().encode(["code": code]), as: UTF8.self)
          group.addTask { try await visitor.ask("POST", "join", body) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.sorted() == [204, 409, 409, 409])
      // What is kept for the next start is what works now.
      let kept = try String(
        contentsOf: folders[1].appending(path: "wallet/server.json"), encoding: .utf8)
      let number = try #require(codes.firstIndex(of: kept)) + 1
      let report = try await visitor.json("GET", "devices")
      let this = report["devices"].array?.first { $0["isThis"].bool == true }
      #expect(this?["name"].string == "Phone \(round).\(number)")
      #expect(try await visitor.ask("POST", "leave") == 204)
    }
    for server in [first, joining] { #expect(await server.end() == 0) }
    _ = try await backend.end()
  }
}
