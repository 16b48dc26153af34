import CardBarcodes
import CardExchange
import CardStore
import FeedClient
import Hummingbird
import WebServing

// The words of the wallet's parts go to the page as they are.

extension CardStoreError: PageError {
  /// What is wrong with what was sent, or with the disk.
  public var status: HTTPResponse.Status {
    switch self {
    case .incomplete, .missingPicture, .notAPicture: .unprocessableContent
    case .deleted: .gone
    case .diskFull: .insufficientStorage
    case .busy: .serviceUnavailable
    case .newerSchema, .damaged, .unusable: .internalServerError
    }
  }

  /// Names it for pages.
  public var code: String? {
    switch self {
    case .incomplete: nil
    case .missingPicture: "missingPicture"
    case .notAPicture: "notAPicture"
    case .deleted: "cardDeleted"
    case .newerSchema: "newerCards"
    case .diskFull: "diskFull"
    case .busy: "cardsBusy"
    case .damaged: "cardsDamaged"
    case .unusable: "cardsUnusable"
    }
  }

  /// Where the cards are, and what is wrong with them.
  public var values: [String: String] {
    switch self {
    case .newerSchema(let path), .damaged(let path): ["path": path]
    case .unusable(let path, let reason): ["path": path, "reason": reason]
    case .notAPicture(let reason): ["reason": reason]
    default: [:]
    }
  }
}

extension HTTPResponse.Status {
  /// The disk is full (RFC 4918, 11.5).
  static let insufficientStorage = HTTPResponse.Status(
    code: 507, reasonPhrase: "Insufficient Storage")
}

extension ExchangeError: PageError {
  /// What was sent can't be done.
  public var status: HTTPResponse.Status { .unprocessableContent }
}

extension FeedError: PageError {
  /// The server that devices share is in the way.
  public var status: HTTPResponse.Status { .badGateway }
}

extension BarcodeError: PageError {
  /// What was sent can't be done.
  public var status: HTTPResponse.Status { .unprocessableContent }
  /// What pages in other languages say.
  public var code: String? { if case .unfit = self { "unfit" } else { nil } }
  /// The kind of bar code, as people call it.
  public var values: [String: String] {
    if case .unfit(let type, _) = self { ["kind": type.replacing("_", with: "-")] } else { [:] }
  }
}
