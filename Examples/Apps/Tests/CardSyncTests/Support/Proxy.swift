import Foundation
import ServerSupport
import Synchronization

/// A bad network between wallets and a backend: it cuts connections, loses answers and repeats requests.
final class Proxy: Sendable {
  /// What becomes of a request.
  enum Fate: CaseIterable {
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
  }

  struct Count {
    var cuts = 0
    var lostAnswers = 0
    var repeats = 0
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
  let server: TestServer

  var url: URL { server.url }
  var count: Count { state.withLock { $0.count } }

  /// What becomes of the next requests; later ones pass, or don't by chance.
  var plan: [Fate] {
    get { state.withLock { $0.plan } }
    set { state.withLock { $0.plan = newValue } }
  }

  /// How many of the requests meet something, from 0 to 1.
  var rate: Double {
    get { state.withLock { $0.rate } }
    set { state.withLock { $0.rate = newValue } }
  }

  init(to port: Int, seed: UInt64 = 0) throws {
    let arrivals = Handler()
    state = Mutex(State(port: port, random: SeededRandom(seed: seed)))
    server = try TestServer { arrivals.proxy?.handle($0, $1) }
    arrivals.proxy = self
  }

  /// Leads to another backend, or to the same that started anew.
  func redirect(to port: Int) { state.withLock { $0.port = port } }

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
    }
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
struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  // SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
