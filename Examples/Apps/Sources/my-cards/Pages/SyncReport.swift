import CardStore
import CardSync
import ErrorWords
import FeedClient
import FeedSync
import Foundation

/// How the wallet and other devices stand, for the page to say.
struct WalletSyncReport: Encodable, Sendable {
  enum State: String, Encodable, Sendable {
    /// It shares its cards with no other device.
    case alone
    /// It has just begun.
    case new
    case idle, syncing
    /// It didn't work, and is tried again.
    case waiting
    /// A network that wants a sign-in answers in place of the server.
    case portal
    /// It doesn't work before a person does something.
    case refused
  }

  /// A card that the server doesn't take.
  struct Problem: Encodable, Sendable {
    var card: UUID
    var reason: ErrorWords
  }

  var state = State.alone
  /// Where the devices agree.
  var server: String?
  /// Whether cards only come from there.
  var isReadOnly = false
  var done = 0
  var count = 0
  /// How many changes aren't sent yet.
  var waiting = 0
  /// When all was exchanged last.
  var lastSuccess: String?
  /// What is in the way.
  var reason: ErrorWords?
  var problems: [Problem] = []
  /// How many photos the server is known to have.
  var photos = 0
  /// Photos that are still to come.
  var missingPhotos = 0
  /// Cards of the server that can't be read.
  var unreadable = 0

  /// A wallet that is alone.
  init() {}

  init(_ status: SyncStatus, of sync: CardSync, in store: CardStore) {
    server = sync.address
    isReadOnly = status.isReadOnly
    lastSuccess = status.lastSuccess?.formatted(.iso8601)
    problems = status.problems.map { Problem(card: $0.record, reason: $0.reason) }
    missingPhotos = status.missingBlobs
    unreadable = status.unreadable.count
    if !isReadOnly, let link = try? store.link(to: sync.address) {
      waiting = (try? link.waiting().count) ?? 0
      photos = (try? link.sentBlobs()) ?? 0
    }
    switch status.phase {
    case .idle: state = status.lastSuccess == nil ? .new : .idle
    case .syncing(let done, let count):
      (state, self.done, self.count) = (.syncing, done, count)
    case .waiting(_, let reason):
      let portal = FeedError.intercepted(address: sync.address).coded?.code
      (state, self.reason) = (reason.code == portal ? .portal : .waiting, reason)
    case .refused(let reason): (state, self.reason) = (.refused, reason)
    }
  }
}
