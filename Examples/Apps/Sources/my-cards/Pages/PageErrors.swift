import CardBarcodes
import CardExchange
import CardStore
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

extension BarcodeError: PageError {
  /// What was sent can't be done.
  public var status: HTTPResponse.Status { .unprocessableContent }
}
