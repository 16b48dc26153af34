import Testing

@testable import WebServing

@Suite("Addresses and tokens") struct ListenAddressTests {
  @Test(
    "A host, with a port or without, is read",
    arguments: [
      ("0.0.0.0", "0.0.0.0", 8080), ("127.0.0.1:0", "127.0.0.1", 0),
      ("kiosk.local:81", "kiosk.local", 81),
      ("::1", "::1", 8080), ("[::1]:9000", "::1", 9000), ("localhost:65535", "localhost", 65535),
    ])
  func reading(text: String, host: String, port: Int) {
    #expect(ListenAddress(text) == ListenAddress(host: host, port: port))
  }

  @Test(
    "What is no address isn't read",
    arguments: ["", ":80", "a:b", "host:65536", "http://host", "a b", "[::1"])
  func misreading(text: String) {
    #expect(ListenAddress(text) == nil)
  }

  @Test("Only this machine's own numbers and “localhost” need no token")
  func loopback() {
    for host in ["localhost", "127.0.0.1", "127.8.8.8", "::1"] {
      #expect(ListenAddress(host: host, port: 0).isLoopback)
    }
    for host in ["0.0.0.0", "::", "127.evil.example", "192.168.1.5", "kiosk.local"] {
      #expect(!ListenAddress(host: host, port: 0).isLoopback)
    }
  }

  @Test("Tokens that are short, or need escaping in a URL, aren't taken")
  func tokens() {
    #expect(AccessToken("12345678")?.text == "12345678")
    for text in ["1234567", "12345678 ", "1234&5678", "pässwörter", ""] {
      #expect(AccessToken(text) == nil)
    }
    #expect(AccessToken() != AccessToken())
  }
}
