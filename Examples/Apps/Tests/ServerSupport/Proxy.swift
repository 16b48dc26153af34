import Foundation
import Synchronization

/// A bad network between clients and a server: it cuts connections, loses answers and repeats requests, and answers
/// itself now and then, as one does that wants people to sign in.
public final class Proxy: Sendable {
  /// What becomes of a request.
  public enum Fate: CaseIterable, Sendable {
    /// It goes through.
    case pass
    /// The backend never hears of it.
    case cut
    /// The backend has done it, and nobody hears of that.
    case loseAnswer
    /// The connection ends within the answer.
    case halveAnswer
    /// The backend gets it twice, and the second answer counts.
    case twice
    /// The backend gets it a second time much later.
    case again
    /// It takes its time.
    case slow
    /// A page for people comes instead, with 200 and an ETag.
    case page
    /// It is sent to another place.
    case redirect
  }

  /// How often something happened.
  public struct Count: Sendable {
    /// Requests of which the server never heard.
    public var cuts = 0
    /// Answers that didn't come, or not whole.
    public var lostAnswers = 0
    /// Requests that came more than once.
    public var repeats = 0
    /// Answers of somebody else.
    public var pages = 0
  }

  private struct State {
    var port: Int
    var plan: [Fate] = []
    var rate = 0.0
    var random: SeededRandom
    var late: [TestRequest] = []
    var count = Count()
  }

  private let state: Mutex<State>
  /// Where clients ask.
  public let server: TestServer

  /// Its address.
  public var url: URL { server.url }
  /// How often something happened so far.
  public var count: Count { state.withLock { $0.count } }

  /// What becomes of the next requests; later ones pass, or don't by chance.
  public var plan: [Fate] {
    get { state.withLock { $0.plan } }
    set { state.withLock { $0.plan = newValue } }
  }

  /// How many of the requests meet something, from 0 to 1.
  public var rate: Double {
    get { state.withLock { $0.rate } }
    set { state.withLock { $0.rate = newValue } }
  }

  /// Leads to a server of this machine.
  public init(to port: Int, seed: UInt64 = 0) throws {
    let arrivals = Handler()
    state = Mutex(State(port: port, random: SeededRandom(seed: seed)))
    server = try TestServer { arrivals.proxy?.handle($0, $1) }
    arrivals.proxy = self
  }

  /// Leads to another backend, or to the same that started anew.
  public func redirect(to port: Int) { state.withLock { $0.port = port } }

  private func handle(_ request: TestRequest, _ connection: Connection) {
    let (fate, late, pause) = state.withLock { state in
      let fate = Self.fate(&state)
      if fate == .again { state.late.append(request) }
      // Something from long ago arrives now.
      let isTime = state.rate > 0 && Double.random(in: 0..<1, using: &state.random) < 0.05
      let late = isTime ? state.late.randomElement(using: &state.random) : nil
      Self.note(fate, late != nil, &state.count)
      return (fate, late, Double.random(in: 0...0.02, using: &state.random))
    }
    if let late { _ = forward(late) }
    switch fate {
    case .cut: return
    case .loseAnswer: _ = forward(request)
    case .halveAnswer:
      if let answer = forward(request) { connection.send(answer.prefix(answer.count / 2)) }
    case .pass, .again: pass(request, connection)
    case .twice:
      _ = forward(request)
      pass(request, connection)
    case .slow:
      Thread.sleep(forTimeInterval: pause)
      pass(request, connection)
    case .page: answer("200 OK", "ETag: \"portal\"\r\n", connection)
    case .redirect: answer("302 Found", "Location: http://sign-in.invalid/\r\n", connection)
    }
  }

  private func answer(_ status: String, _ fields: String, _ connection: Connection) {
    let page = "<!doctype html><title>Sign in</title>"
    connection.send(
      """
      HTTP/1.1 \(status)\r\nContent-Type: text/html\r\n\(fields)Content-Length: \(page.utf8.count)\r
      Connection: close\r\n\r\n\(page)
      """)
    connection.awaitEnd()
  }

  private func pass(_ request: TestRequest, _ connection: Connection) {
    guard let answer = forward(request) else { return }
    connection.send(answer)
    connection.awaitEnd()
  }

  private static func fate(_ state: inout State) -> Fate {
    if !state.plan.isEmpty { return state.plan.removeFirst() }
    guard Double.random(in: 0..<1, using: &state.random) < state.rate else { return .pass }
    return Fate.allCases.dropFirst().randomElement(using: &state.random) ?? .pass
  }

  private static func note(_ fate: Fate, _ isLate: Bool, _ count: inout Count) {
    switch fate {
    case .cut: count.cuts += 1
    case .loseAnswer, .halveAnswer: count.lostAnswers += 1
    case .twice: count.repeats += 1
    case .page, .redirect: count.pages += 1
    case .pass, .again, .slow: break
    }
    if isLate { count.repeats += 1 }
  }

  /// The backend's answer; `nil` when it doesn't listen.
  private func forward(_ request: TestRequest) -> Data? {
    guard let connection = Connection(port: state.withLock { $0.port }) else { return nil }
    connection.send(request.data)
    var answer = connection.receiveAll()
    guard let line = answer.range(of: Data("\r\n".utf8)) else { return nil }
    // Each request has a connection of its own.
    answer.insert(contentsOf: Data("Connection: close\r\n".utf8), at: line.upperBound)
    return answer
  }
}

/// Lets the server know the proxy, which needs the server to be made.
private final class Handler: Sendable {
  private let box = Mutex<Weak?>(nil)
  private struct Weak { weak var proxy: Proxy? }

  var proxy: Proxy? {
    get { box.withLock { $0?.proxy } }
    set { box.withLock { $0 = Weak(proxy: newValue) } }
  }
}

/// The same numbers for the same seed.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Begins with a seed.
  public init(seed: UInt64) { state = seed }

  // SplitMix64.
  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
