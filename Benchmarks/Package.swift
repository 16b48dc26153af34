// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "viewfinder-benchmarks",
  dependencies: [.package(name: "viewfinder", path: "..")],
  targets: [
    // The peer.
    .systemLibrary(
      name: "CTurboJPEGBenchmark", pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"])]),
    // The other peer: OpenCV. Its packages for single modules have no pkg-config file, so Scripts/bench tells
    // the compiler where they are.
    .target(
      name: "COpenCVBenchmark",
      linkerSettings: [
        .linkedLibrary("opencv_core"), .linkedLibrary("opencv_imgcodecs"),
        .linkedLibrary("opencv_imgproc"),
      ]),
    // libjpeg by its own API, as programs use it that don't know turbojpeg's.
    .target(name: "CLibJPEGBenchmark", linkerSettings: [.linkedLibrary("jpeg")]),
    // libvips, which is loaded where it is installed.
    .target(name: "CVipsBenchmark", cSettings: [.define("_GNU_SOURCE")]),
    // The process's CPU clock, and a count of allocations.
    .target(name: "CMeasure", cSettings: [.define("_GNU_SOURCE")]),
    .executableTarget(
      name: "benchmark",
      dependencies: [
        "CLibJPEGBenchmark", "CMeasure", "COpenCVBenchmark", "CTurboJPEGBenchmark",
        "CVipsBenchmark",
        .product(name: "Viewfinder", package: "viewfinder"),
        .product(name: "ViewfinderLibrary", package: "viewfinder"),
      ]),
    // The photo library, see Scripts/bench library.
    .executableTarget(
      name: "library-benchmark",
      dependencies: [
        .product(name: "Viewfinder", package: "viewfinder"),
        .product(name: "ViewfinderLibrary", package: "viewfinder"),
      ]),
    // Long runs: see Scripts/soak.
    .executableTarget(
      name: "soak", dependencies: [.product(name: "Viewfinder", package: "viewfinder")]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c17,
  cxxLanguageStandard: .cxx17
)
