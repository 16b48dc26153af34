import CardBarcodes
import CardExchange
import CardStore
import ErrorWords
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

  /// What pages say it by.
  public var coded: Coded? {
    switch self {
    case .incomplete(let problems):
      Coded("incompleteCard", because: problems.map { ErrorWords($0) })
    case .missingPicture: Coded("missingPicture")
    case .notAPicture(let reason): Coded("notAPicture", ["reason": reason])
    case .deleted: Coded("cardDeleted")
    case .newerSchema(let path): Coded("newerCards", ["path": path])
    case .diskFull: Coded("diskFull")
    case .busy: Coded("cardsBusy")
    case .damaged(let path): Coded("cardsDamaged", ["path": path])
    case .unusable(let path, let reason):
      Coded("cardsUnusable", ["path": path, "reason": reason])
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

  /// What pages say it by.
  public var coded: Coded? {
    switch self {
    case .notCatima(let reason): Coded("notCatima", ["reason": reason])
    case .encrypted: Coded("encryptedFile")
    case .tooLarge(let what): Coded("fileTooLarge", ["what": what])
    case .badRow(let line, let reason): Coded("badRow", ["line": "\(line)", "reason": reason])
    case .cannotWrite(let reason): Coded("notExported", ["reason": reason])
    }
  }
}

extension FeedError: PageError {
  /// The server that devices share is in the way.
  public var status: HTTPResponse.Status { .badGateway }
}

extension BarcodeError: PageError {
  /// What was sent can't be done.
  public var status: HTTPResponse.Status { .unprocessableContent }
  /// What pages say it by, with the kind of bar code as people call it.
  public var coded: Coded? {
    switch self {
    case .unfit(let type, _): Coded("unfit", ["kind": type.replacing("_", with: "-")])
    case .failed: Coded("codeNotDrawn")
    }
  }
}
