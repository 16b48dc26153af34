// swift-tools-version: 6.3
// Scripts/test-consumer copies this package and fills in the URL and the version.
import PackageDescription

let package = Package(
  name: "consumer",
  dependencies: [.package(url: "VIEWFINDER_URL", exact: "VIEWFINDER_VERSION")],
  targets: [
    .executableTarget(
      name: "Consumer",
      dependencies: [
        .product(name: "Viewfinder", package: "viewfinder"),
        .product(name: "ViewfinderLibrary", package: "viewfinder"),
        .product(name: "ViewfinderPicker", package: "viewfinder"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
