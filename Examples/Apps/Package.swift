// swift-tools-version: 6.3
import PackageDescription

let viewfinder: Target.Dependency = .product(name: "Viewfinder", package: "viewfinder")
let library: Target.Dependency = .product(name: "ViewfinderLibrary", package: "viewfinder")
let picker: Target.Dependency = .product(name: "ViewfinderPicker", package: "viewfinder")
let signals: Target.Dependency = .product(name: "TerminationSignals", package: "viewfinder")
let arguments: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let database: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let httpClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")

let package = Package(
  name: "viewfinder-apps",
  products: [
    // A camera and a picker for other Hummingbird programs.
    .library(name: "ViewfinderPages", targets: ["ViewfinderPages", "WebServing", "ErrorWords"])
  ],
  traits: [
    .default(enabledTraits: ["Barcodes"]),
    .trait(
      name: "Barcodes", description: "Pickers read bar codes in the live picture, with libzbar."),
  ],
  dependencies: [
    .package(
      name: "viewfinder", path: "../..",
      traits: [.defaults, .trait(name: "Barcodes", condition: .when(traits: ["Barcodes"]))]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    // Parts of Hummingbird that are used by name.
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.20.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.9.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.0"),
    // For the wallet's records.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    // For uploads, and for the tests.
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
  ],
  targets: [
    .executableTarget(name: "photo-albums", dependencies: [viewfinder, library]),

    // Threads for what waits.
    .target(name: "BlockingWork"),
    // What went wrong, in words and in codes for words of other languages.
    .target(name: "ErrorWords"),
    // What answers requests, with or without a camera: addresses, tokens, guards, limits, errors.
    .target(
      name: "WebServing",
      dependencies: [
        "BlockingWork", "Checksums", "ErrorWords", signals, arguments, hummingbird,
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ]),
    // What pages show: the live picture of a camera, and the picker.
    .target(
      name: "ViewfinderPages",
      dependencies: [
        "ErrorWords", "WebServing", viewfinder, library, picker, arguments, hummingbird,
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      resources: [.embedInCode("Assets")]),
    .executableTarget(
      name: "camera-server",
      dependencies: ["ViewfinderPages", "WebServing", arguments, hummingbird],
      resources: [.embedInCode("Page")]),
    .executableTarget(
      name: "picker-component",
      dependencies: ["ViewfinderPages", "WebServing", picker, arguments, hummingbird],
      resources: [.embedInCode("Page")]),
    .executableTarget(
      name: "overlay-booth",
      dependencies: ["ViewfinderPages", "WebServing", picker, arguments, hummingbird],
      resources: [.embedInCode("Page")]),
    .executableTarget(
      name: "photo-helper",
      dependencies: [
        "ViewfinderPages", "WebServing", "BlockingWork", "Checksums", "ErrorWords", viewfinder,
        picker, arguments, hummingbird, httpClient,
      ],
      resources: [.embedInCode("Page")]),

    // The names of pictures, and what photo services call them.
    .systemLibrary(name: "CHashes", pkgConfig: "libmd", providers: [.apt(["libmd-dev"])]),
    .target(name: "Checksums", dependencies: ["CHashes"]),
    // What a record may be.
    .target(name: "StrictJSON"),

    // Databases that several programs open.
    .target(name: "SharedDatabase", dependencies: [database]),

    // The card wallet: what a card is, where cards are kept, how wallets agree, files of other
    // wallets, bar codes, and the pages that show it all.
    .target(
      name: "CardModel", dependencies: ["Checksums", "ErrorWords"], path: "Sources/my-cards/Model"),
    .target(
      name: "CardStore",
      dependencies: ["CardModel", "Checksums", "FeedSync", "SharedDatabase", database],
      path: "Sources/my-cards/Store"),
    .target(
      name: "CardSync", dependencies: ["CardModel", "CardStore", "FeedClient", "FeedSync"],
      path: "Sources/my-cards/Sync"),
    .systemLibrary(
      name: "CLibArchive", path: "Sources/my-cards/CLibArchive", pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"])]),
    .target(
      name: "CardExchange",
      dependencies: ["CardModel", "CardStore", "CLibArchive", "ErrorWords", viewfinder],
      path: "Sources/my-cards/Exchange"),
    .systemLibrary(
      name: "CZBar", path: "Sources/my-cards/CZBar", pkgConfig: "zbar",
      providers: [.apt(["libzbar-dev"])]),
    .systemLibrary(
      name: "CZint", path: "Sources/my-cards/CZint", providers: [.apt(["libzint-dev"])]),
    .target(
      name: "CardBarcodes", dependencies: ["CardModel", "CZBar", "CZint", viewfinder],
      path: "Sources/my-cards/Barcodes"),
    .executableTarget(
      name: "my-cards",
      dependencies: [
        "BlockingWork", "CardModel", "CardStore", "CardSync", "CardExchange", "CardBarcodes",
        "ErrorWords", "FeedClient", "FeedSync", "ViewfinderPages", "WebServing", viewfinder, picker,
        arguments, hummingbird,
      ],
      path: "Sources/my-cards/Pages", resources: [.embedInCode("Page")]),
    // Where Amazon S3 keeps things, and how requests to it are signed.
    .target(name: "S3", dependencies: ["Checksums"]),
    // What people's devices share: the server, and both of its names.
    .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "FeedServer",
      dependencies: [
        "CLibPQ", "Checksums", "S3", "SharedDatabase", "StrictJSON", "WebServing", arguments,
        hummingbird, database, httpClient,
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      exclude: ["GROWTH.md", "README.md"]),
    .target(
      name: "FeedClient",
      dependencies: [
        "Checksums", "ErrorWords", "StrictJSON", httpClient,
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    // Keeps a store of records and a server in agreement.
    .target(
      name: "FeedSync",
      dependencies: [
        "BlockingWork", "Checksums", "ErrorWords", "FeedClient", "StrictJSON", database,
      ]),
    // Photos of a person's devices in one another's libraries.
    .target(
      name: "PhotoStream",
      dependencies: [
        "Checksums", "ErrorWords", "FeedClient", "S3", "SharedDatabase", viewfinder, library,
        database,
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ]),
    .executableTarget(
      name: "photo-stream",
      dependencies: ["FeedClient", "PhotoStream", "S3", signals, library, arguments]),
    .executableTarget(
      name: "feed-server", dependencies: ["FeedServer", "WebServing", arguments]),
    .executableTarget(
      name: "cards-backend", dependencies: ["FeedServer", "WebServing", arguments]),
    .executableTarget(
      name: "asset-navigator",
      dependencies: [
        "Checksums", "ErrorWords", "FeedClient", "PhotoStream", "ViewfinderPages", "WebServing",
        viewfinder, library, picker, arguments, hummingbird,
      ],
      exclude: ["README.md", "screenshot.png"], resources: [.embedInCode("Page")]),

    // Drives Chromium.
    .target(
      name: "BrowserSupport",
      dependencies: ["ErrorWords", "ServerSupport", viewfinder, httpClient],
      path: "Tests/BrowserSupport"),
    // Starts the programs and visits their streams.
    .target(
      name: "ServerSupport",
      dependencies: [
        "Checksums", "S3", httpClient, .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      path: "Tests/ServerSupport"),
    .executableTarget(
      name: "stream-load", dependencies: ["ServerSupport", "camera-server"],
      path: "Tests/StreamLoad"),
    .testTarget(
      name: "PagesTests",
      dependencies: ["ViewfinderPages", "WebServing", "ServerSupport", viewfinder, httpClient]),
    .testTarget(
      name: "CameraServerTests",
      dependencies: [
        "camera-server", "ViewfinderPages", "WebServing", "BrowserSupport", "ServerSupport",
        viewfinder, httpClient,
      ]),
    .testTarget(
      name: "PickerPageTests",
      dependencies: [
        "picker-component", "overlay-booth", "photo-helper", "ErrorWords", "ViewfinderPages",
        "WebServing", "BrowserSupport", "ServerSupport", viewfinder, library, picker,
      ]),
    // A wallet without pages, to be killed.
    .executableTarget(
      name: "wallet-worker",
      dependencies: ["CardModel", "CardStore", "CardSync", "FeedClient", "FeedSync"],
      path: "Tests/WalletWorker"),
    .testTarget(
      name: "CardSyncTests",
      dependencies: [
        "CardModel", "CardStore", "CardSync", "Checksums", "FeedClient", "FeedSync", "StrictJSON",
        "cards-backend",
        "wallet-worker", "ServerSupport", database,
        httpClient,
      ], resources: [.embedInCode("OldWallet.sql")]),
    .testTarget(
      name: "FeedServerTests",
      dependencies: [
        "FeedServer", "feed-server", "cards-backend", "Checksums", "S3", "WebServing",
        "ServerSupport", database,
      ]),
    .testTarget(
      name: "PhotoStreamTests",
      dependencies: [
        "PhotoStream", "FeedClient", "feed-server", "photo-stream", "Checksums", "S3",
        "ServerSupport", viewfinder, library,
      ]),
    .testTarget(
      name: "MyCardsTests",
      dependencies: [
        "my-cards", "CardModel", "CardStore", "CardExchange", "CardBarcodes", "ErrorWords",
        "FeedClient", "ViewfinderPages", "WebServing", "BrowserSupport", "ServerSupport",
        viewfinder, picker, database, httpClient,
        .product(name: "NIOCore", package: "swift-nio"),
      ]),
    .testTarget(
      name: "AssetNavigatorTests",
      dependencies: [
        "asset-navigator", "feed-server", "PhotoStream", "FeedClient", "Checksums",
        "ViewfinderPages", "WebServing",
        "BrowserSupport", "ServerSupport",
        viewfinder, library,
      ]),
  ],
  swiftLanguageModes: [.v6]
)
