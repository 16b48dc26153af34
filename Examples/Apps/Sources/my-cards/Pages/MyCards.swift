// A wallet for loyalty cards: photos of their two sides, and their bar codes, shown at the till.
//
// usage: my-cards [--simulate] [--data PATH] [--backend URL | --cards URL] …; see --help
import ArgumentParser
import CardStore
import FeedClient
import Foundation
import Viewfinder
import ViewfinderPicker
import ViewfinderPages
import WebServing

@main struct MyCards: WebProgram {
  static let configuration = CommandConfiguration(
    commandName: "my-cards",
    abstract: "A wallet for loyalty cards, as a page.",
    discussion: """
      Cards are kept in --data, and work without a network. With --backend, wallets of one person agree: give the \
      person's token in the environment variable MY_CARDS_TOKEN. Further devices join by a code that the page shows.
      """)

  @OptionGroup var sources: PickerOptions
  @OptionGroup var server: ServerOptions

  @Option(help: ArgumentHelp("Where the cards are kept.", valueName: "path"))
  var data = Self.dataFolder

  @Option(
    help: ArgumentHelp("The backend with which cards are synchronised.", valueName: "url"),
    transform: Self.address)
  var backend: URL?

  @Option(
    help: ArgumentHelp(
      "A cards.json on any web server, whose cards are shown besides the wallet's own.",
      valueName: "url"), transform: Self.address)
  var cards: URL?

  func validate() throws {
    guard backend == nil || cards == nil else {
      throw ValidationError("--backend and --cards exclude each other.")
    }
    guard backend == nil || token != nil else {
      throw ValidationError("--backend needs the token: MY_CARDS_TOKEN=… my-cards --backend URL")
    }
  }

  func run() async throws {
    let folder = URL(fileURLWithPath: data, isDirectory: true)
    let store = try CardStore(folder: folder)
    if ImagePicker.availableCodeTypes.isEmpty {
      let words =
        "Bar codes are shown in the live picture by programs that are built with the trait Barcodes.\n"
      FileHandle.standardError.write(Data(words.utf8))
    }
    let page = PickerPage()
    let photos = SidePhotos(try pickerConfiguration(), page: page, store: store)
    let sync = WalletSync(store, folder: folder, given: place)
    let imports = Imports(store)
    let changes = WalletEvents(store, photos: photos, imports: imports, sync: sync)
    let small = SmallPictures(store, folder: folder.appending(component: "small"))

    var configuration = try server.configuration
    configuration.bodyLimits["/import"] = ExchangeRoutes.importLimit
    try await WebServer(configuration).run(services: [changes]) { router in
      router.serveSharedAssets()
      var events = PageEvents()
      changes.add(to: &events)
      page.add(photos.picker, to: router, events: &events)
      WalletPage().add(to: router)
      let blocking = router.blocking
      CardRoutes(store).add(to: blocking)
      DeletedRoutes(store).add(to: blocking)
      DraftRoutes(store).add(to: blocking)
      PhotoRoutes(photos, store).add(to: blocking)
      ExchangeRoutes(imports, store, folder: folder).add(to: blocking)
      SmallPictureRoutes(small).add(to: blocking)
      DeviceRoutes(sync, photos).add(to: blocking)
      events.add(to: router)
    }
  }

  /// The card is found in the live picture, in photos and in pictures of the library; where it isn't, the guide is there.
  ///
  /// Bar codes that the wallet reads from photos are shown in the live picture already; there they end a scan.
  private func pickerConfiguration() throws -> ImagePicker.Configuration {
    var configuration = try sources.configuration()
    configuration.cameraOutline = .detected(fallback: .card())
    configuration.codeTypes = [
      .ean13, .ean8, .upce, .code39, .code93, .code128, .interleaved2of5, .codabar, .qr,
    ]
    return configuration
  }

  /// Where other devices' cards come from, if that is given.
  private var place: WalletSync.Place? {
    if let backend, let token { return .server(DeviceCode(server: backend, token: token)) }
    return cards.map(WalletSync.Place.file)
  }

  // Not an option: all users of the machine see those.
  private var token: String? { ProcessInfo.processInfo.environment["MY_CARDS_TOKEN"] }

  private static func address(_ text: String) throws -> URL {
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host() != nil
    else { throw ValidationError("“\(text)” is no address such as https://cards.example.") }
    return url
  }

  private static var dataFolder: String {
    let environment = ProcessInfo.processInfo.environment
    let base =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? "\(NSHomeDirectory())/.local/share"
    return "\(base)/my-cards"
  }
}
