import CardModel
import Foundation
import Hummingbird
import WebServing

/// The files of the page.
struct WalletPage {
  func add(to router: Router<WebContext>) {
    router.serve([
      Asset("/", .html, PackageResources.wallet_html),
      Asset("/wallet.css", .css, PackageResources.wallet_css),
      Asset("/wallet.js", .javascript, PackageResources.wallet_js),
      Asset("/wallet-server.js", .javascript, PackageResources.wallet_server_js),
      Asset("/wallet-list.js", .javascript, PackageResources.wallet_list_js),
      Asset("/wallet-detail.js", .javascript, PackageResources.wallet_detail_js),
      Asset("/wallet-editor.js", .javascript, PackageResources.wallet_editor_js),
      Asset("/wallet-side.js", .javascript, PackageResources.wallet_side_js),
      Asset("/wallet-devices.js", .javascript, PackageResources.wallet_devices_js),
      Asset("/wallet-fields.js", .javascript, Self.fields),
    ])
  }

  /// What the page has to know of a card's fields, as a module.
  private static var fields: [UInt8] {
    func json(_ value: some Encodable) -> String {
      (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }
    let types = json(BarcodeType.allCases.map(\.rawValue))
    return Array(
      "export const fields = \(json(CardFields.all));\nexport const barcodeTypes = \(types);\n".utf8
    )
  }
}
