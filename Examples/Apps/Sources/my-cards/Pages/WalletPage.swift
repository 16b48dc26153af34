import CardModel
import Checksums
import Foundation
import Hummingbird
import WebServing

/// The files of the page.
struct WalletPage {
  private static let assets =
    [
      Asset("/", .html, PackageResources.wallet_html),
      Asset("/wallet.webmanifest", .manifest, PackageResources.wallet_webmanifest),
      Asset("/wallet-de.webmanifest", .manifest, PackageResources.wallet_de_webmanifest),
      Asset("/icon-192.png", .png, PackageResources.icon_192_png),
      Asset("/icon-512.png", .png, PackageResources.icon_512_png),
      Asset("/icon-maskable.png", .png, PackageResources.icon_maskable_png),
      Asset("/wallet.css", .css, PackageResources.wallet_css),
      Asset("/till.css", .css, PackageResources.till_css),
      Asset("/card.css", .css, PackageResources.card_css),
      Asset("/wallet-fields.js", .javascript, fields),
    ] + scripts.map { Asset(RouterPath("/\($0.name).js"), .javascript, $0.bytes) }

  private static let scripts: [(name: String, bytes: [UInt8])] = [
    ("wallet", PackageResources.wallet_js),
    ("wallet-cards", PackageResources.wallet_cards_js),
    ("wallet-changes", PackageResources.wallet_changes_js),
    ("wallet-choices", PackageResources.wallet_choices_js),
    ("wallet-code", PackageResources.wallet_code_js),
    ("wallet-conflict", PackageResources.wallet_conflict_js),
    ("wallet-balance", PackageResources.wallet_balance_js),
    ("wallet-deleted", PackageResources.wallet_deleted_js),
    ("wallet-detail", PackageResources.wallet_detail_js),
    ("wallet-devices", PackageResources.wallet_devices_js),
    ("wallet-dialogs", PackageResources.wallet_dialogs_js),
    ("wallet-drafts", PackageResources.wallet_drafts_js),
    ("wallet-editor", PackageResources.wallet_editor_js),
    ("wallet-exchange", PackageResources.wallet_exchange_js),
    ("wallet-face", PackageResources.wallet_face_js),
    ("wallet-form", PackageResources.wallet_form_js),
    ("wallet-grid", PackageResources.wallet_grid_js),
    ("wallet-groups", PackageResources.wallet_groups_js),
    ("wallet-first", PackageResources.wallet_first_js),
    ("wallet-ids", PackageResources.wallet_ids_js),
    ("wallet-kept", PackageResources.wallet_kept_js),
    ("wallet-keys", PackageResources.wallet_keys_js),
    ("wallet-kinds", PackageResources.wallet_kinds_js),
    ("wallet-list", PackageResources.wallet_list_js),
    ("wallet-photos", PackageResources.wallet_photos_js),
    ("wallet-press", PackageResources.wallet_press_js),
    ("wallet-settings", PackageResources.wallet_settings_js),
    ("wallet-side", PackageResources.wallet_side_js),
    ("wallet-sync", PackageResources.wallet_sync_js),
    ("wallet-till", PackageResources.wallet_till_js),
    ("wallet-words", PackageResources.wallet_words_js),
    ("wallet-words-de", PackageResources.wallet_words_de_js),
    ("wallet-words-en", PackageResources.wallet_words_en_js),
  ]

  /// What the page loads of the shared parts, to have it without the program.
  private static let shared = [
    "tokens.css", "parts.css", "icons.svg", "icon.svg", "elements.js", "events.js", "keys.js",
    "requests.js", "feed-words.js", "sheet.js", "styles.js", "toast.js", "words.js",
    "words-errors.js", "words-shared.js",
  ].map { "/ui/\($0)" }

  func add(to router: Router<WebContext>) {
    router.serve(Self.assets)
    router.serve([Asset("/service-worker.js", .javascript, Self.worker)])
  }

  /// The service worker, with the files that it keeps, and a name that changes with any of them.
  private static var worker: [UInt8] {
    let script = PackageResources.service_worker_js
    // The shared files are compiled into the program as well: they are as new as its own file is.
    let program = try? FileManager.default.attributesOfItem(
      atPath: FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    let date = (program?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    let version = PictureHash(of: Data(assets.flatMap(\.bytes) + script + Array("\(date)".utf8)))
      .text.prefix(16)
    let shell = (assets.map { "\($0.path)" } + shared).map { "\"\($0)\"" }.joined(separator: ", ")
    return Array("const version = \"\(version)\";\nconst shell = [\(shell)];\n\n".utf8) + script
  }

  /// What the page has to know of a card's fields, as a module.
  private static var fields: [UInt8] {
    func json(_ value: some Encodable) -> String {
      (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }
    let types = json(BarcodeType.allCases.map(\.rawValue))
    return Array(
      """
      export const fields = \(json(CardFields.all));
      export const barcodeTypes = \(types);
      export const groupNameLimit = \(Card.maximumGroupName);

      """.utf8)
  }
}
