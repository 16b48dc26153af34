// Watches the camera and writes each card that it is shown: once, cut to its edge and straight.
//
// usage: scan-cards [--simulate] [--count N] [FOLDER]
import Foundation
import Viewfinder

@main struct ScanCards {
  static func main() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let simulates = arguments.contains("--simulate")
    arguments.removeAll { $0 == "--simulate" }
    var count = Int.max
    if let place = arguments.firstIndex(of: "--count"), place + 1 < arguments.count {
      count = Int(arguments[place + 1]) ?? count
      arguments.removeSubrange(place...place + 1)
    }
    let folder = URL(fileURLWithPath: arguments.first ?? ".")

    // The simulated hand that shakes never rests long enough.
    var simulation = SimulatedCamera.Configuration()
    simulation.source = .scene(.steady)
    guard let camera = simulates ? try SimulatedCamera(simulation).device : .default(for: .video)
    else {
      let denial = CaptureDevice.authorizationDenial()?.description
      fail(denial ?? "No camera is connected. Plug one in, or try --simulate.")
    }
    let session = CaptureSession()
    let output = CapturePhotoOutput()
    do {
      try session.configure {
        try session.addInput(CaptureDeviceInput(device: camera))
        try session.addOutput(output)
      }
      try await session.startRunning()
      print("Show the camera a card. Ctrl-C ends.")
      try await scan(count, with: output, into: folder)
      await session.stopRunning()
    } catch {
      fail("\(error)")
    }
  }

  static func scan(_ count: Int, with output: CapturePhotoOutput, into folder: URL) async throws {
    var seen: [CardLook] = []
    var shutter = AutomaticShutter()
    while seen.count < count {
      var settings = CapturePhotoSettings()
      settings.outline = .detected()
      settings.rectifiedSize = Dimensions(width: 1011, height: 638)
      settings.automaticShutter = shutter
      let card = try await output.capturePhoto(with: settings)
      // The card that lies there now isn't taken again.
      shutter.ignoredIdentifier = card.trackedIdentifier
      // It may have moved away in the last moment: then the photo is whole.
      guard card.detectedOutline != nil else { continue }
      let look = try CardLook(card)
      guard !seen.contains(where: look.isLike) else {
        print("I have that one. The next?")
        continue
      }
      seen.append(look)
      let file = folder.appending(
        component: PhotoFile.suggestedName(for: card.date, fileType: card.fileType))
      try card.write(to: file, replacesExisting: false)
      print("\(file.path) is saved. The next?")
    }
  }

  static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(1)
  }
}

/// What a card looks like from far away: enough to know it again.
struct CardLook {
  /// Grey, without light and contrast: the mean is 0, the sum of squares 1.
  private let values: [Double]

  init(_ card: CapturePhoto) throws {
    let small = try card.pixelBuffer().luminance(fitting: Dimensions(width: 64, height: 64))
    let pixels = small.pixels
    let grey = pixels.indices.map { Double(pixels[$0]) - small.mean }
    let length = max(grey.reduce(0) { $0 + $1 * $1 }.squareRoot(), 1)
    values = grey.map { $0 / length }
  }

  /// Whether another is the same card, also upside down.
  func isLike(_ other: CardLook) -> Bool {
    guard values.count == other.values.count else { return false }
    func likeness(_ others: some Sequence<Double>) -> Double {
      zip(values, others).reduce(0) { $0 + $1.0 * $1.1 }
    }
    return max(likeness(other.values), likeness(other.values.reversed())) > 0.9
  }
}
