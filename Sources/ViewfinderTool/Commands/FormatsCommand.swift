import ArgumentParser
import Foundation
import Viewfinder

/// Lists what a camera offers.
struct FormatsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "List the formats, sizes and rates that a camera offers.",
    discussion: """
      JSON: {"device": {…}, "formats": [{"pixelFormat", "description", "width", "height", \
      "minimumWidth", "minimumHeight", "widthStep", "heightStep", "frameRates": [{"minimum", \
      "maximum"}], "emulated"}]}; the minimum sizes and steps are there for ranges of sizes.
      """)

  @OptionGroup(title: "Camera options") var camera: DeviceOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let device = try camera.open().device
    let formats = try device.supportedFormats()
    if json {
      try JSON.print(
        Report(device: DeviceReport(device), formats: formats.map(FormatReport.init)))
      return
    }
    Terminal.table(
      [["FORMAT", "SIZE", "FRAMES/S", "DESCRIPTION"]]
        + formats.map { format in
          let size =
            format.dimensionRange.map {
              "\($0.minimum)–\($0.maximum), steps of \($0.step)"
            } ?? "\(format.dimensions)"
          let description =
            format.localizedName + (format.isEmulated ? " (converted by libv4l2)" : "")
          return ["\(format.pixelFormat)", size, Self.rates(format), description]
        })
  }

  private static func rates(_ format: CaptureDevice.Format) -> String {
    let rates = format.videoSupportedFrameRateRanges.reversed().map { range in
      let fastest = Terminal.number(range.maxFrameRate)
      return range.minFrameRate == range.maxFrameRate
        ? fastest : "\(Terminal.number(range.minFrameRate))–\(fastest)"
    }
    return rates.isEmpty ? "unknown" : rates.joined(separator: " ")
  }

  struct Report: Encodable {
    var device: DeviceReport
    var formats: [FormatReport]
  }

  struct FormatReport: Encodable {
    struct Rates: Encodable {
      var minimum: Double
      var maximum: Double
    }

    var pixelFormat: String
    var description: String
    var width: Int
    var height: Int
    var minimumWidth: Int?
    var minimumHeight: Int?
    var widthStep: Int?
    var heightStep: Int?
    var frameRates: [Rates]
    var emulated: Bool

    init(_ format: CaptureDevice.Format) {
      pixelFormat = "\(format.pixelFormat)"
      description = format.localizedName
      (width, height) = (format.dimensions.width, format.dimensions.height)
      minimumWidth = format.dimensionRange?.minimum.width
      minimumHeight = format.dimensionRange?.minimum.height
      widthStep = format.dimensionRange?.step.width
      heightStep = format.dimensionRange?.step.height
      frameRates = format.videoSupportedFrameRateRanges.map {
        Rates(minimum: $0.minFrameRate, maximum: $0.maxFrameRate)
      }
      emulated = format.isEmulated
    }
  }
}
