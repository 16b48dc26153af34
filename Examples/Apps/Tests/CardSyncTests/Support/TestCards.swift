import CardModel
import CardStore
import CardSync
import FeedClient
import Foundation
import ServerSupport
import Testing

@testable import FeedSync

extension Scratch {
  func store(_ name: String = "wallet") throws -> CardStore {
    try CardStore(folder: url.appending(component: name))
  }
}

enum TestJPEG {
  /// The smallest that counts as a picture; `text` makes it another one.
  static func make(_ text: String = UUID().uuidString, size: Int = 0) -> Data {
    var data = Data([0xff, 0xd8])
    let comment = Array(text.utf8)
    data += [0xff, 0xfe, UInt8((comment.count + 2) >> 8), UInt8((comment.count + 2) & 0xff)]
    data += comment
    data += [0xff, 0xc0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
    data += [0xff, 0xda, 0, 8, 1, 1, 0, 0, 0x3f, 0]
    data += Data(repeating: 0x55, count: max(size, 16))
    return data + [0xff, 0xd9]
  }
}

extension CardStore {
  /// Adds a card with pictures of its own.
  @discardableResult
  func addCard(_ name: String, _ change: (inout Card) -> Void = { _ in }) throws -> Card {
    var card = Card()
    card.name = name
    card.front = CardPicture(picture: try addPicture(TestJPEG.make()))
    card.back = CardPicture(picture: try addPicture(TestJPEG.make()))
    change(&card)
    try save(card)
    return card
  }

  /// Changes a card.
  func edit(_ id: UUID, _ change: (inout Card) -> Void) throws {
    var card = try #require(try card(id))
    change(&card)
    try save(card)
  }

  /// All records as JSON.
  func state() throws -> [String] {
    try records().map { String(decoding: $0.json.data, as: UTF8.self) }
  }
}

extension FeedClient {
  /// A client of the feed of cards, by its first paths.
  init(cards url: URL, token: String, limits: HTTPLimits = HTTPLimits()) {
    self.init(url: url, token: token, feed: nil, limits: limits)
  }
}

extension CardSync {
  /// An exchange with a backend that takes cards, too.
  init(_ store: CardStore, _ backend: some FeedSource & FeedTarget) {
    var options = Options()
    options.blobPause = .zero
    self.init(store: store, source: backend, target: backend, options: options)
  }
}
