import BrowserSupport
import CardModel
import CardStore
import Foundation
import FoundationNetworking
import ServerSupport
import Testing

@testable import CardExchange

@Suite("What the programs write of cards") struct DiscretionTests {
  /// What is on the card, and what only some may know.
  private static let secrets = [
    "Zanzibar", "7610312345", "quittengelb", "Schrebergarten", "Visitor-6f1c-b7e2-40a9",
    "Stranger-9d2e-51c3",
  ]
  private static let table = """
    _id,store,note,cardid,barcodetype
    1,Zanzibar,quittengelb,7610312345,EAN_13

    """

  @Test("Neither the wallet nor the backend writes anything of cards, pictures and tokens")
  func silence() async throws {
    let folder = try WalletVisit.newFolder()
    defer { Scratch.remove(folder) }
    let backend = try await CardsBackend(in: folder)
    let token = try TokenFile("Visitor-6f1c-b7e2-40a9")
    defer { token.remove() }
    let server = try await WalletVisit.server(
      ["--no-camera", "--backend", backend.server.address] + token.options,
      in: folder, environment: ["MY_CARDS_TOKEN": backend.token])
    let wallet = HTTPVisitor(server.address, token: "Visitor-6f1c-b7e2-40a9")
    let archive = try TestZip.make([
      ("catima.csv", Data(Self.table.utf8)),
      ("card_1_front.png", WalletVisit.grey(90, 86, 54)),
    ])
    try await wallet.ask("POST", "import", archive)
    let id = try await wallet.wait(for: "the card", "cards") { $0["cards"][0]["id"].string }
      .lowercased()
    let hash = try #require(
      try await wallet.json("GET", "cards/\(id)")["card"]["front"]["picture"].string)
    try await backend.wait(for: id)
    try await refusals(wallet, id)
    try await brokenImports(wallet)
    try await refusals(HTTPVisitor(backend.server.address, token: backend.token), of: id)
    // A photo of the library that is damaged, and the card's own.
    try await damagedPhoto(wallet, in: folder)
    let picture = folder.appending(path: "wallet/pictures/\(hash).jpg")
    try Data("no picture any more".utf8).write(to: picture)
    #expect(try await wallet.ask("GET", "pictures/\(hash)") == 404)
    // An edit that can't be sent.
    let backendOutput = try await backend.end()
    let edit = #"{"changes":{"note":"Schrebergarten"},"before":{"note":"quittengelb"}}"#
    #expect(try await wallet.ask("PUT", "cards/\(id)", edit) == 204)
    #expect(try await wallet.ask("GET", "export") == 200)
    // It tries at once.
    try await Task.sleep(for: .seconds(1))
    #expect(await server.end() == 0)
    for output in [await server.output, backendOutput] {
      // The first line is the address for the person who started it.
      let (address, rest) = (output.prefix { $0 != "\n" }, output.drop { $0 != "\n" })
      #expect(address.hasPrefix("http://127.0.0.1:"))
      for secret in Self.secrets + [hash, id, backend.token] {
        #expect(!rest.contains(secret))
      }
    }
  }

  private func refusals(_ wallet: HTTPVisitor, _ id: String) async throws {
    let long = String(repeating: "Zanzibar", count: 1000)
    for (body, status) in [
      (#"{"changes":{"name":"\#(long)"}}"#, 422), (#"{"changes":{"Schrebergarten":1}}"#, 400),
      (#"{"changes":{"cardId":7610312345}}"#, 400), (#"{"changes":{"note":"quittengelb"}"#, 400),
    ] {
      #expect(try await wallet.ask("PUT", "cards/\(id)", body) == status)
    }
    let other = UUID().uuidString
    #expect(
      try await wallet.ask("PUT", "cards/\(other)", #"{"changes":{"name":"Zanzibar"}}"#) == 410)
    // No EAN-13.
    #expect(try await wallet.ask("GET", "cards/\(id)/barcode.svg") == 422)
    #expect(try await wallet.ask("GET", "cards?text=Schrebergarten") == 200)
    #expect(try await wallet.ask("GET", "Zanzibar?Schrebergarten") == 404)
    let stranger = HTTPVisitor(wallet.address, token: "Stranger-9d2e-51c3")
    #expect(try await stranger.ask("GET", "cards/\(id)") == 401)
    let site = ["Origin": "https://evil.example"]
    #expect(try await wallet.ask("DELETE", "cards/\(id)", fields: site) == 403)
  }

  private func brokenImports(_ wallet: HTTPVisitor) async throws {
    for table in [
      "nonsense of Zanzibar", "_id,store\nquittengelb,Zanzibar\n", "_id,store\n2,\"Zanzibar\n",
    ] {
      #expect(try await wallet.ask("POST", "import", table) == 422)
    }
    let zip = try TestZip.make([
      ("catima.csv", Data("_id,store,cardid\n2,Zanzibar,Schrebergarten\n".utf8)),
      ("card_2_front.png", Data("no picture".utf8)),
    ])
    #expect(try await wallet.ask("POST", "import", zip) == 200)
    #expect(try await wallet.ask("POST", "import", zip.dropLast(40)) == 422)
  }

  /// Asks a backend for what it refuses.
  private func refusals(_ backend: HTTPVisitor, of id: String) async throws {
    let record = #"{"id":"\#(id)","name":"Zanzibar","note":"quittengelb"}"#
    #expect(try await backend.ask("PUT", "v1/records/\(id)", record) == 428)
    let new = ["If-None-Match": "*"]
    #expect(try await backend.ask("PUT", "v1/records/\(id)", record, fields: new) == 412)
    let other = UUID().uuidString.lowercased()
    #expect(try await backend.ask("PUT", "v1/records/\(other)", record, fields: new) == 400)
    let hash = PictureHash(of: Data("Zanzibar".utf8))
    #expect(try await backend.ask("PUT", "v1/pictures/\(hash)", "Zanzibar") == 415)
    let stranger = HTTPVisitor(backend.address, token: "Stranger-9d2e-51c3")
    #expect(try await stranger.ask("GET", "v1/records?since=Schrebergarten") == 401)
    #expect(try await backend.ask("GET", "v1/records?since=Schrebergarten") == 410)
  }

  /// Chooses a photo of the library that can't be decoded.
  private func damagedPhoto(_ wallet: HTTPVisitor, in folder: URL) async throws {
    let photo = folder.appending(path: "Pictures/photo.jpg")
    try Data(contentsOf: photo).prefix(1000).write(to: photo)
    #expect(try await wallet.ask("POST", "photos") == 200)
    let library = #"{"do":"showSource","name":"photoLibrary"}"#
    #expect(try await wallet.ask("POST", "picker/act", library) == 204)
    let id = try await wallet.wait(for: "the photo", "picker/assets") { page in
      page["items"][0]["id"].string
    }
    try await wallet.ask("POST", "picker/act", #"{"do":"toggle","name":"\#(id)"}"#)
    try await wallet.ask("POST", "picker/act", #"{"do":"usePhoto"}"#)
    try await wallet.ask("POST", "picker/act", #"{"do":"cancel"}"#)
  }
}
