import NIOCore
import Testing

@testable import WebServing

@Suite("Guesses of the token") struct WrongTokenTests {
  private let start = ContinuousClock.now

  private func address(_ text: String) throws -> VisitorAddress {
    VisitorAddress(try SocketAddress(ipAddress: text, port: 0))
  }

  @Test("Each further one waits longer, up to some seconds, and only at its own address")
  func pauses() throws {
    let (guesses, somebody) = (WrongTokens(), try address("192.0.2.1"))
    var waits: [Duration] = []
    for number in 0..<10 {
      // Nobody waits any more when the next one comes.
      let now = start + .seconds(20 * number)
      waits.append(try guesses.delay(of: "guess \(number)", from: somebody, now: now))
    }
    #expect(waits.prefix(7).elementsEqual(waits.prefix(7).sorted()) && Set(waits).count >= 6)
    #expect(waits[0] < .seconds(1) && waits.allSatisfy { $0 <= .seconds(5) })
    let other = try guesses.delay(of: "guess", from: address("192.0.2.2"), now: start)
    #expect(other == waits[0])
  }

  @Test("Those that come at once wait one after the other, and too many are refused")
  func atOnce() throws {
    let (guesses, somebody) = (WrongTokens(), try address("192.0.2.1"))
    let first = try guesses.delay(of: "one", from: somebody, now: start)
    let second = try guesses.delay(of: "two", from: somebody, now: start)
    #expect(second > first + first)
    let error = #expect(throws: WebError.self) {
      for number in 0..<100 {
        _ = try guesses.delay(of: "\(number)", from: somebody, now: start)
      }
    }
    #expect(error?.status == .tooManyRequests && error?.retryAfter ?? 0 > 0)
  }

  @Test("From many addresses at once, only some wait, and the others are refused")
  func manyAddresses() throws {
    let guesses = WrongTokens()
    for number in 0..<WrongTokens.mostWaiting {
      _ = try guesses.delay(of: "guess", from: address("192.0.2.\(number)"), now: start)
    }
    let next = try address("192.0.2.200")
    #expect(throws: WebError.self) { try guesses.delay(of: "guess", from: next, now: start) }
    let later = start + .seconds(1)
    #expect(try guesses.delay(of: "guess", from: next, now: later) > .zero)
  }

  @Test("The same wrong token again, as a browser with an old cookie sends it, is no further guess")
  func again() throws {
    let (guesses, somebody) = (WrongTokens(), try address("192.0.2.1"))
    #expect(try guesses.delay(of: "old", from: somebody, now: start) > .zero)
    for _ in 0..<20 { #expect(try guesses.delay(of: "old", from: somebody, now: start) == .zero) }
  }

  @Test("Guesses are forgotten after a while, and where very many addresses guess")
  func forgetting() throws {
    let (guesses, somebody) = (WrongTokens(), try address("192.0.2.1"))
    let first = try guesses.delay(of: "one", from: somebody, now: start)
    _ = try guesses.delay(of: "two", from: somebody, now: start)
    let later = start + .seconds(3600)
    #expect(try guesses.delay(of: "three", from: somebody, now: later) == first)
    for number in 0..<WrongTokens.most {
      let other = try address("10.0.\(number / 256).\(number % 256)")
      let now = later + .seconds(1) + .milliseconds(200) * number
      _ = try guesses.delay(of: "other", from: other, now: now)
    }
    let much = later + .seconds(300)
    #expect(try guesses.delay(of: "four", from: somebody, now: much) == first)
  }

  @Test("Addresses of one network of IPv6 are one")
  func networks() throws {
    let addresses = try [
      "2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:1::1", "192.0.2.1", "192.0.2.2",
    ].map(address)
    #expect(addresses[0] == addresses[1])
    #expect(Set(addresses).count == 4)
  }
}
