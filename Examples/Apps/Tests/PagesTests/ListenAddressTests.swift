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

  @Test("Only this machine's own numbers and “localhost” are reached by nobody else")
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
    #expect(AccessToken("1234567890123456")?.text == "1234567890123456")
    for text in [
      "123456789012345", "1234567890123456 ", "12345678&12345678", "pässwörter-und-mehr", "",
    ] {
      #expect(AccessToken(text) == nil)
    }
    #expect(AccessToken() != AccessToken())
  }
}
