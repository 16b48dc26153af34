import CardModel
import CardStore
import CardSync
import FeedClient
import Foundation
import ServerSupport
import StrictJSON
import Testing

@testable import FeedSync

@Suite("The rule for records")
struct StrictJSONTests {
  @Test(
    "What every reader can hold passes",
    arguments: [
      "{}", " [1, -0.5e-3, true, null, \"\\u00e9\\ud83d\\ude00\\n\"] ", "{\"a\":{\"a\":[{}]}}",
      "1E+90",
      String(repeating: "9", count: 34),
      String(repeating: "[", count: 32) + String(repeating: "]", count: 32),
    ])
  func passes(text: String) throws {
    try StrictJSON.check(Data(text.utf8))
    // Foundation, which reads it afterwards, agrees.
    _ = try JSONValue(parsing: Data(text.utf8))
  }

  @Test(
    "What some reader can't is refused with a reason",
    arguments: [
      ("{\"x\": 1e200}", "exponent"), ("1e-91", "exponent"), ("1e99999999999999999999", "exponent"),
      (String(repeating: "9", count: 35), "digits"), ("01", "zeros"), ("-", "complete"),
      (String(repeating: "[", count: 33) + String(repeating: "]", count: 33), "deep"),
      (String(repeating: "[", count: 100_000), "deep"),
      ("{\"a\":1,\"a\":2}", "once"), ("{\"a\":1,\"\\u0061\":2}", "once"),
      ("\"\\ud83d\"", "halves"), ("\"\\ud83dx\"", "halves"), ("\"\\ude00\\ud83d\"", "halves"),
      ("\"\\x\"", "escapes"), ("\"\\u12\"", "escapes"), ("\"\\u+123\"", "escapes"),
      ("\"\n\"", "control"),
      ("\"", "complete"), ("\"\\", "escapes"), ("{\"a\" 1}", "complete"),
      ("{\"a\":1,}", "complete"),
      ("[1,]", "complete"), ("[1 2]", "complete"), ("{} {}", "one"), ("", "complete"),
      ("tru", "complete"),
      ("\u{feff}{}", "complete"), ("NaN", "complete"),
    ])
  func refused(text: String, reason: String) {
    #expect { try StrictJSON.check(Data(text.utf8)) } throws: { error in
      (error as? StrictJSON.Problem)?.reason.contains(reason) == true
    }
  }

  @Test("Bytes that aren't UTF-8 are refused")
  func notUTF8() {
    #expect(throws: StrictJSON.Problem.self) { try StrictJSON.check(Data([0x22, 0xff, 0x22])) }
  }

  @Test("Members and elements come as they stand, however broken within")
  func parts() throws {
    let deep = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
    let text =
      " {\"a\": 1e200, \"b\" : \"}\\\"\", \"\\u0063\":\(deep),\"d\":[1,{\"x\":1,\"x\":2}] } "
    let members = try StrictJSON.members(of: Data(text.utf8)).mapValues {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(members == ["a": "1e200", "b": "\"}\\\"\"", "c": deep, "d": "[1,{\"x\":1,\"x\":2}]"])
    let elements = try StrictJSON.elements(of: Data(members["d"]!.utf8))
    #expect(elements.map { String(decoding: $0, as: UTF8.self) } == ["1", "{\"x\":1,\"x\":2}"])
    for broken in ["", "[", "{\"a\"", "{\"a\":", "{\"a\":\"", "{\"a\":\"\\", "{\"a\":[}", "[]"] {
      #expect(throws: StrictJSON.Problem.self) { try StrictJSON.members(of: Data(broken.utf8)) }
    }
  }

  @Test("Whatever bytes come, the check ends, and what passes Foundation reads as well")
  func noise() throws {
    var random = SeededRandom(seed: 7)
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"a\"", "\"\\u00", "e", "1", "-", ".5", "true", "nul", "\\",
      "\"", " ", "9e91",
    ]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        pieces.randomElement(using: &random)!
      }.joined()
      let data = Data(text.utf8)
      _ = try? StrictJSON.members(of: data)
      _ = try? StrictJSON.elements(of: data)
      guard (try? StrictJSON.check(data)) != nil else { continue }
      #expect((try? JSONValue(parsing: data)) != nil, "\(text)")
    }
  }

  @Test(
    "The server refuses a record that breaks it, and one whose members have other types",
    arguments: [
      "\"x\":1e200", "\"deleted\":1", "\"deleted\":\"true\"", "\"a\":1,\"a\":2", "\"id\":\"\"",
    ])
  func server(member: String) async throws {
    let scratch = try Scratch()
    let backend = try await Backend(in: scratch.url)
    let id = UUID().uuidString.lowercased()
    let body = Data("{\"id\":\"\(id)\",\(member)}".utf8)
    let answer = try await backend.ask(
      "PUT", "v1/records/\(id)", ["If-None-Match": "*"], body: body)
    #expect(answer.status == 400)
    #expect(answer.error?.isEmpty == false)
  }

  @Test("A record that a wallet can't read is named, and keeps no other away")
  func unreadable() async throws {
    let (bad, good) = (UUID(), UUID())
    let server = try TestServer { request, connection in
      let records = [
        "{\"id\":\"\(bad.uuidString)\",\"edit\":\"e\",\"name\":\"bad\",\"x\":1e200}",
        "{\"id\":\"\(good.uuidString)\",\"edit\":\"e\",\"name\":\"good\"}",
      ].map { "{\"etag\":\"\\\"1\\\"\",\"record\":\($0)}" }.joined(separator: ",")
      connection.answer("200 OK", "{\"cursor\":\"1\",\"more\":false,\"records\":[\(records)]}")
    }
    let scratch = try Scratch()
    let store = try scratch.store()
    let backend = FeedClient(cards: server.url, token: "t")
    let sync = CardSync(store: store, source: backend, target: nil)
    try await sync.sync()
    #expect(try store.cards().map(\.name) == ["good"])
    #expect(sync.status.unreadable.map(\.record) == [bad])
    #expect(sync.status.unreadable.first?.reason.message.contains("exponent") == true)
  }
}
