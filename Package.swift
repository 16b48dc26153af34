// swift-tools-version: 6.3
import PackageDescription

let cSettings: [CSetting] = [
  .define("_GNU_SOURCE"),
  .headerSearchPath("."),
  .enableWarning("all"),
  .enableWarning("extra"),
  .enableWarning("conversion"),
]

let swiftSettings: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
]

let package = Package(
  name: "viewfinder",
  products: [
    // The executable isn't declared: SwiftPM makes one of its target, and users of the library would
    // fetch the dependencies of every declared product.
    .library(name: "Viewfinder", targets: ["Viewfinder"]),
    .library(name: "ViewfinderLibrary", targets: ["ViewfinderLibrary"]),
    .library(name: "ViewfinderPicker", targets: ["ViewfinderPicker"]),
    // For programs of this repository, in its other package.
    .library(name: "TerminationSignals", targets: ["TerminationSignals"]),
  ],
  traits: [
    .default(enabledTraits: ["PhotoLibrary", "WebP"]),
    // Without it, importing the library ends in "no such module 'GRDB'".
    .trait(
      name: "PhotoLibrary",
      description: "ViewfinderLibrary. Without it, users of Viewfinder fetch no other package."),
    .trait(name: "WebP", description: "ViewfinderLibrary decodes WebP pictures, with libwebp."),
    .trait(name: "Barcodes", description: "CaptureMetadataOutput reads bar codes, with libzbar."),
    .trait(
      name: "HEIF", description: "ViewfinderLibrary decodes HEIC and AVIF pictures, with libheif."),
  ],
  dependencies: [
    // Only the tool needs it: SwiftPM doesn't fetch it for users of the library.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // The photo library's index.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg62-turbo-dev"])]),
    .systemLibrary(name: "CLibV4L", pkgConfig: "libv4l2", providers: [.apt(["libv4l-dev"])]),
    .systemLibrary(name: "CLibPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CLibMD", pkgConfig: "libmd", providers: [.apt(["libmd-dev"])]),
    .systemLibrary(name: "CLibExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    // libpng brings it along.
    .systemLibrary(name: "CZLib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CLibXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(name: "CLibTIFF", pkgConfig: "libtiff-4", providers: [.apt(["libtiff-dev"])]),
    .systemLibrary(
      name: "CLibWebP", pkgConfig: "libwebpdemux", providers: [.apt(["libwebp-dev"])]),
    .systemLibrary(name: "CLibZBar", pkgConfig: "zbar", providers: [.apt(["libzbar-dev"])]),
    .systemLibrary(name: "CLibHEIF", pkgConfig: "libheif", providers: [.apt(["libheif-dev"])]),

    .target(
      name: "CViewfinder", dependencies: ["CTurboJPEG", "CLibV4L", "CLibPNG"],
      cSettings: cSettings),
    .target(
      name: "Viewfinder",
      dependencies: [
        "CViewfinder", .target(name: "CLibZBar", condition: .when(traits: ["Barcodes"])),
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "ViewfinderLibrary",
      dependencies: [
        "Viewfinder", "CLibMD", "CLibXXHash", "CLibExpat", "CZLib", "CLibTIFF",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["PhotoLibrary"])),
        .target(name: "CLibWebP", condition: .when(traits: ["WebP"])),
        .target(name: "CLibHEIF", condition: .when(traits: ["HEIF"])),
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "ViewfinderPicker", dependencies: ["Viewfinder", "ViewfinderLibrary"],
      swiftSettings: swiftSettings),
    // SIGINT and SIGTERM.
    .target(name: "TerminationSignals", swiftSettings: swiftSettings),
    .executableTarget(
      name: "viewfinder",
      dependencies: [
        "TerminationSignals", "Viewfinder", "ViewfinderLibrary",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/ViewfinderTool", packageAccess: false, swiftSettings: swiftSettings),

    // Tests name each module that they import: a release build inlines sizes of a module's classes, and
    // SwiftPM compiles anew, after a change, only what names it.

    // Shared by the tests: a table of system calls that lies.
    .target(name: "FaultInjection", dependencies: ["CViewfinder"], path: "Tests/FaultInjection"),
    .testTarget(
      name: "CViewfinderTests", dependencies: ["CViewfinder", "CTurboJPEG", "FaultInjection"]),
    .testTarget(
      name: "ViewfinderTests", dependencies: ["CViewfinder", "Viewfinder", "FaultInjection"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "ViewfinderLibraryTests",
      dependencies: [
        "Viewfinder", "ViewfinderLibrary", "LibraryWorker", "CZLib",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["PhotoLibrary"])),
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "ViewfinderPickerTests",
      dependencies: ["Viewfinder", "ViewfinderLibrary", "ViewfinderPicker"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "ViewfinderToolTests",
      dependencies: ["viewfinder", "Viewfinder", "ViewfinderLibrary", "PhotoWriter"]),
    // Programs to kill.
    .executableTarget(
      name: "PhotoWriter", dependencies: ["Viewfinder"], path: "Tests/PhotoWriter",
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "LibraryWorker", dependencies: ["Viewfinder", "ViewfinderLibrary"],
      path: "Tests/LibraryWorker", swiftSettings: swiftSettings),
    // Programs and an intruder on one library: Scripts/library-storm.
    .executableTarget(
      name: "library-storm", dependencies: ["Viewfinder", "ViewfinderLibrary"],
      path: "Tests/LibraryStorm", packageAccess: false),
    // Runs in the emulated machine that Scripts/test-vm boots.
    .testTarget(
      name: "RealDriverTests", dependencies: ["Viewfinder"], path: "Tests/RealDrivers",
      exclude: ["Machine", "README.md"], swiftSettings: swiftSettings),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c17
)
