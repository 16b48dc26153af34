import Foundation
import Testing

@testable import WebServing

@Suite("Files of pages") struct AssetTests {
  @Test("A file that the browser has isn't sent again, and one that it hasn't is")
  func revalidation() async throws {
    try await TestServer.run { server in
      let first = try await server.ask("worker.js")
      let tag = try #require(first.fields["etag"])
      #expect(first.status == 200 && tag.wholeMatch(of: /"[0-9a-f]{32}"/) != nil)
      #expect(first.fields["cache-control"] == "no-cache")
      for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
        let again = try await server.ask("worker.js", fields: ["If-None-Match": known])
        #expect(again.status == 304 && again.body.isEmpty, "\(known)")
        #expect(again.fields["etag"] == tag && again.fields["cache-control"] == "no-cache")
      }
      for other in ["\"other\"", tag.replacing("\"", with: ""), ""] {
        let again = try await server.ask("worker.js", fields: ["If-None-Match": other])
        #expect(again.status == 200 && again.body == first.body, "\(other)")
      }
    }
  }

  @Test("Files with other bytes have other tags")
  func tags() {
    let tags = ["a", "b", ""].map { Asset("/", .css, Array($0.utf8)).entityTag }
    #expect(Set(tags).count == 3)
    #expect(Asset("/other", .html, Array("a".utf8)).entityTag == tags[0])
  }

  @Test("A drawing is shown while the browser asks whether it has changed")
  func drawings() async throws {
    try await TestServer.run { server in
      let fields = try await server.ask("ui/icons.svg").fields
      #expect(fields["cache-control"] == "max-age=0, stale-while-revalidate=86400")
    }
  }

  @Test("A file's own fields are in its answers")
  func fields() async throws {
    try await TestServer.run { server in
      for known in [[:], ["If-None-Match": "*"]] {
        let answer = try await server.ask("worker.js", fields: known)
        #expect(answer.fields["service-worker-allowed"] == "/")
      }
      let type = try await server.ask("worker.js").fields["content-type"]
      #expect(type == "text/javascript; charset=utf-8")
    }
  }
}
