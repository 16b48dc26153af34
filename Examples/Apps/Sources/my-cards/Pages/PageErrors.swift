import CardBarcodes
import CardExchange
import CardStore
import FeedClient
import Hummingbird
import WebServing

// The words of the wallet's parts go to the page as they are.

extension CardStoreError: PageError {
  /// What was sent can't be done.
  public var status: HTTPResponse.Status { .unprocessableContent }
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
}
