// swift-tools-version: 6.3
import PackageDescription

let viewfinder: Target.Dependency = .product(name: "Viewfinder", package: "viewfinder")

let package = Package(
  name: "viewfinder-examples",
  // Without the photo library, so that no other package is fetched.
  dependencies: [.package(name: "viewfinder", path: "..", traits: [])],
  targets: [
    .executableTarget(name: "list-cameras", dependencies: [viewfinder]),
    .executableTarget(name: "take-card-photo", dependencies: [viewfinder]),
    .executableTarget(name: "scan-cards", dependencies: [viewfinder]),
    .executableTarget(name: "frame-statistics", dependencies: [viewfinder]),
  ],
  swiftLanguageModes: [.v6]
)
