import Foundation
import ServerSupport
import Testing

@testable import WebServing

@Suite("Behind a server that speaks TLS") struct PublicURLTests {
  @Test(
    "Visitors of the public address are answered with the token, whichever host the server before names"
  )
  func visitors() async throws {
    let server = try await ServerProcess(
      "camera-server", ["--simulate", "--public-url", "https://camera.example"])
    let token = try #require(server.address.firstMatch(of: /\?token=([0-9a-f]{32})$/)?.1)
    let stranger = APIClient("http://127.0.0.1:\(server.port)/", token: nil)
    let visitor = APIClient(stranger.address, token: String(token))
    for host in ["camera.example", "camera.example:443", "127.0.0.1:\(server.port)"] {
      let page = ["Host": host, "Origin": "https://camera.example"]
      #expect(try await visitor.ask("GET", "stats.json", page).status == 200)
      #expect(try await stranger.ask("GET", "stats.json", page).status == 401)
      let other = ["Host": host, "Origin": "https://evil.example"]
      #expect(try await visitor.ask("GET", "stats.json", other).status == 403)
    }
    #expect(try await visitor.ask("GET", "stats.json", ["Host": "evil.example"]).status == 421)
    let visit = ["Host": "camera.example", "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "none"]
    let page = try await stranger.ask("GET", "?token=\(token)", visit)
    #expect(page.status == 303)
    #expect(page["Set-Cookie"]?.hasSuffix("; Secure") == true)
    _ = await server.end()
    #expect(await server.output.contains("\nhttps://camera.example/?token=\(token)\n"))
  }

  @Test(
    "A public address is a scheme, a host and maybe a port",
    arguments: [
      ("https://cards.example", "https://cards.example", "cards.example"),
      ("HTTPS://Cards.Example:443/", "https://cards.example", "cards.example"),
      ("http://kiosk:8080", "http://kiosk:8080", "kiosk"),
      ("https://[::1]:8443", "https://[::1]:8443", "[::1]"),
    ])
  func address(text: String, origin: String, host: String) throws {
    let url = try #require(PublicURL(text))
    #expect(url.origin == origin && url.host == host)
    #expect(url.isSecure == origin.hasPrefix("https"))
  }

  @Test(
    "Anything else isn't",
    arguments: [
      "", "cards.example", "ftp://cards.example", "https://", "https://a/b", "https://me@a",
      "https://a?b",
    ])
  func noAddress(text: String) { #expect(PublicURL(text) == nil) }
}
