import CardModel
import CardStore
import Foundation
import ServerSupport
import Testing

/// Two wallets and a backend, all processes of their own, through which a person and the world do what they like.
struct RandomSequence {
  let scratch: Scratch
  let proxy: Proxy
  let wallets: [Wallet]
  var backend: ServerProcess
  let backendFolder: URL
  let token: String
  var random: SeededRandom
  var ledger = Ledger()
  var cards: [String] = []
  var syncs: [Int: Task<Wallet.Answer, Never>] = [:]
  var number = 0
  var tally = Tally()

  init(seed: UInt64) async throws {
    random = SeededRandom(seed: seed &* 7919)
    scratch = try Scratch()
    let start = try await Backend(in: scratch.url)
    (backend, backendFolder, token) = (start.process, start.folder, start.token)
    let proxy = try Proxy(to: start.process.port, seed: seed)
    proxy.rate = 0.1
    self.proxy = proxy
    wallets = ["first", "second"].map { [scratch] name in
      Wallet(
        folder: scratch.url.appending(component: name), url: proxy.url, token: start.token)
    }
    for wallet in wallets { try wallet.start() }
    tally.sequences = 1
  }

  mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &random) < probability
  }

  /// Lets a lot happen, then waits until all agree; returns what is wrong.
  mutating func run(steps: Int) async throws -> [String] {
    // Something that both have.
    for _ in 0..<3 { await add(0) }
    for wallet in wallets { note(await wallet.ask("sync")) }
    proxy.rate = 0.12
    for _ in 0..<steps { try await step() }
    return try await end()
  }

  mutating func step() async throws {
    let index = Int.random(in: 0..<2, using: &random)
    if !wallets[index].isRunning {
      await settleSync(index)
      try wallets[index].start()
    }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<6: await add(index)
    case 6..<48: await edit(index)
    case 48..<56: await delete(index)
    case 56..<61: await settleKept(index)
    case 61..<65: await jump(index)
    case 65..<89: sync(index)
    case 89..<94: await settleSync(index)
    case 94..<97: await kill(index)
    default: try await killBackend()
    }
  }

  /// Does something with a wallet, which is killed meanwhile now and then.
  mutating func ask(
    _ index: Int, _ command: String, _ members: [String: JSONValue]
  ) async -> Wallet.Answer {
    let wallet = wallets[index]
    guard chance(0.06) else { return await wallet.ask(command, members) }
    let delay = Duration.microseconds(Int.random(in: 0...8000, using: &random))
    tally.kills += 1
    async let answer = wallet.ask(command, members)
    try? await Task.sleep(for: delay)
    await wallet.killNow()
    return await answer
  }

  mutating func jump(_ index: Int) async {
    let offsets: [Double] = [-3e9, -86_400, -5, 0, 5, 86_400, 3e9]
    let offset: Double = offsets.randomElement(using: &random) ?? 0
    tally.clockJumps += 1
    _ = await wallets[index].ask("clock", ["value": .string("\(offset)")])
  }

  mutating func sync(_ index: Int) {
    guard syncs[index] == nil else { return }
    syncs[index] = Task { [wallet = wallets[index]] in await wallet.ask("sync") }
  }

  mutating func settleSync(_ index: Int) async {
    guard let task = syncs.removeValue(forKey: index) else { return }
    note(await task.value)
  }

  mutating func note(_ answer: Wallet.Answer) {
    func count(_ name: String) -> Int {
      answer.done?.object?[name]?.number.map { NSDecimalNumber(decimal: $0).intValue } ?? 0
    }
    tally.merges += count("merged")
    tally.kept += count("kept")
  }

  mutating func kill(_ index: Int) async {
    tally.kills += 1
    await wallets[index].killNow()
    await settleSync(index)
  }

  mutating func killBackend() async throws {
    tally.kills += 1
    _ = await backend.end(SIGKILL)
    // For a while nobody is there.
    if chance(0.5) { for _ in 0..<3 { await edit(Int.random(in: 0..<2, using: &random)) } }
    backend = try await Backend.start(backendFolder)
    proxy.redirect(to: backend.port)
  }

  /// Lets all come to rest, and compares.
  mutating func end() async throws -> [String] {
    for index in 0..<2 { await settleSync(index) }
    for wallet in wallets where !wallet.isRunning { try wallet.start() }
    (tally.lostAnswers, tally.cuts, tally.repeats) = (
      proxy.count.lostAnswers, proxy.count.cuts, proxy.count.repeats
    )
    proxy.rate = 0
    for _ in 0..<3 {
      for wallet in wallets {
        let answer = await wallet.ask("sync")
        if let error = answer.error { return ["the last exchange failed: \(error)"] }
        note(answer)
      }
    }
    var dumps: [[Data]] = []
    for wallet in wallets {
      dumps.append(await wallet.ask("dump").done?.array?.map(\.data) ?? [])
    }
    let url = try #require(URL(string: backend.address))
    let there = try await CardSyncEnd.records(url, token)
    var problems: [String] = []
    if dumps[0] != dumps[1] { problems.append("the wallets don't agree") }
    if dumps[0] != there.map(\.json.data) { problems.append("the backend doesn't agree") }
    for wallet in wallets {
      if await wallet.ask("wanted").done != .array([]) { problems.append("photos are missing") }
      await wallet.killNow()
    }
    tally.stillKept = there.reduce(0) { $0 + $1.kept.count }
    return problems + ledger.problems(with: there)
  }
}
