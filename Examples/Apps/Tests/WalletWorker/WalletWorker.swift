// A wallet without pages, for tests to drive by lines of JSON, and to kill.
//
// usage: CARDS_TOKEN=TOKEN wallet-worker FOLDER URL
//
// A line in is {"n": 1, "do": "edit", …}. Lines out are {"n": 1, "seen": …}, what is about to be replaced, and at last
// {"n": 1, "done": …} or {"n": 1, "error": "…"}. An exchange is done in the background.
import CardModel
import CardStore
import CardSync
import FeedClient
import FeedSync
import Foundation
import Synchronization

@main struct WalletWorker: Sendable {
  /// How far the clock is off, in seconds.
  private static let offset = Mutex(0.0)

  let store: CardStore
  let sync: CardSync

  static func main() async throws {
    let arguments = CommandLine.arguments
    let environment = ProcessInfo.processInfo.environment
    guard arguments.count == 3, let url = URL(string: arguments[2]),
      let token = environment["CARDS_TOKEN"]
    else {
      FileHandle.standardError.write(
        Data("usage: CARDS_TOKEN=TOKEN wallet-worker FOLDER URL\n".utf8))
      exit(64)
    }
    let store = try CardStore(folder: URL(fileURLWithPath: arguments[1])) {
      Date() + offset.withLock { $0 }
    }
    var limits = HTTPLimits()
    limits.time = .seconds(5)
    var options = CardSync.Options()
    options.blobPause = .zero
    let backend = FeedClient(url: url, token: token, feed: nil, limits: limits)
    let sync = CardSync(store: store, source: backend, target: backend, options: options)
    let worker = WalletWorker(store: store, sync: sync)
    for await line in lines() {
      guard let command = try JSONValue(parsing: Data(line.utf8)).object else { exit(64) }
      worker.run(Command(members: command))
    }
  }

  /// The lines that come, which a thread waits for.
  private static func lines() -> AsyncStream<String> {
    AsyncStream { lines in
      Thread.detachNewThread {
        while let line = readLine() { lines.yield(line) }
        lines.finish()
      }
    }
  }

  private func run(_ command: Command) {
    if command.text("do") == "sync" {
      Task { await command.answer { .object(try await sync.sync().json) } }
    } else {
      command.answer { try act(command) }
    }
  }

  private func act(_ command: Command) throws -> JSONValue {
    switch command.text("do") {
    case "add": try add(command)
    case "edit": try edit(command)
    case "delete":
      command.tell("seen", try store.records().first { $0.id == command.id }?.json ?? .null)
      try store.delete(command.id)
    case "undelete": return try store.undelete(command.id)?.json ?? .null
    case "dismiss": return try settle(command) { try choose(.dismiss, $0) }
    case "use":
      var card: Card?
      _ = try settle(command) { copy in
        guard copy.field != nil else { return card = try store.use(copy) }
        try choose(.use, copy)
        card = try store.card(command.id)
      }
      return card?.json ?? .null
    case "takeBack": return try takeBack()
    case "clock": Self.offset.withLock { $0 = Double(command.text("value")) ?? 0 }
    case "wanted":
      return .array(try store.link(to: "").wantedBlobs().map { .string($0.text) })
    case "dump": return .array(try store.records().map(\.json))
    default: throw Command.Unknown()
    }
    return .bool(true)
  }

  private func add(_ command: Command) throws {
    var card = Card(id: command.id)
    card.members = command.members["members"]?.object ?? [:]
    for (side, jpeg) in command.pictures { card.members[side] = try picture(jpeg) }
    try store.save(card)
  }

  private func edit(_ command: Command) throws {
    guard let before = try store.card(command.id) else { throw CardStoreError.deleted }
    var card = before
    let field = command.text("field")
    command.tell("seen", before.members[field] ?? .null)
    if field == "groups" {
      card.groups.append(command.text("value"))
    } else if field == "lastUsed" {
      card.lastUsed = store.now()
    } else {
      card.members[field] =
        try command.pictures.first.map { try picture($0.jpeg) }
        ?? command.members["value"]
    }
    try store.save(card, changedFrom: before)
  }

  private func picture(_ jpeg: Data) throws -> JSONValue {
    CardPicture(picture: try store.addPicture(jpeg)).json
  }

  private func settle(_ command: Command, _ body: (KeptCopy) throws -> Void) throws -> JSONValue {
    guard let copy = try store.keptCopies(of: command.id).first else { return .null }
    let present = try store.card(command.id)?.members[copy.field ?? ""]
    command.tell(
      "seen",
      .object([
        "field": copy.field.map(JSONValue.string) ?? .null, "value": copy.value,
        "present": present ?? .null,
      ]))
    try body(copy)
    return .bool(true)
  }
}

extension WalletWorker {
  /// The last choice, to be taken back once.
  private static let choice = Mutex<[KeptUndo]>([])

  private func choose(_ choice: KeptChoice, _ copy: KeptCopy) throws {
    let undo = try store.settle([(copy, choice)])
    Self.choice.withLock { $0 = undo }
  }

  private func takeBack() throws -> JSONValue {
    let undo = Self.choice.withLock { choice in
      defer { choice = [] }
      return choice
    }
    try store.undo(undo)
    return .bool(!undo.isEmpty)
  }
}

extension SyncReport {
  fileprivate var json: [String: JSONValue] {
    ["downloaded": downloaded, "uploaded": uploaded, "merged": merged, "kept": kept]
      .mapValues { .number(Decimal($0)) }
  }
}
