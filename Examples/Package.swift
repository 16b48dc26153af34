// swift-tools-version: 6.3
import PackageDescription

let viewfinder: Target.Dependency = .product(name: "Viewfinder", package: "viewfinder")
let library: Target.Dependency = .product(name: "ViewfinderLibrary", package: "viewfinder")

let package = Package(
  name: "viewfinder-examples",
  dependencies: [.package(name: "viewfinder", path: "..")],
  targets: [
    .executableTarget(name: "list-cameras", dependencies: [viewfinder]),
    .executableTarget(name: "take-card-photo", dependencies: [viewfinder]),
    .executableTarget(name: "frame-statistics", dependencies: [viewfinder]),
    .executableTarget(name: "photo-albums", dependencies: [viewfinder, library]),
  ],
  swiftLanguageModes: [.v6]
)
