import ArgumentParser
import Foundation
import Viewfinder

/// Lists what a camera offers.
struct FormatsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "List the formats, sizes and rates that a camera offers.",
    discussion: """
      Layouts of one size with the same rates share a line. Viewfinder doesn't read those in brackets.

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
    Terminal.table([["SIZE", "FRAMES/S", "FORMATS"]] + Self.sizes(formats))
    print()
    Terminal.table([["FORMAT", "DESCRIPTION"]] + Self.layouts(formats))
  }

  /// A line for each size and its rates, with the layouts that have both; the camera's order.
  private static func sizes(_ formats: [CaptureDevice.Format]) -> [[String]] {
    var order: [[String]] = []
    var layouts: [[String]: [String]] = [:]
    for format in formats {
      let size =
        format.dimensionRange.map {
          "\($0.minimum)–\($0.maximum), steps of \($0.step)"
        } ?? "\(format.dimensions)"
      let line = [size, rates(format)]
      if layouts[line] == nil { order.append(line) }
      layouts[line, default: []].append(name(of: format.pixelFormat))
    }
    // All lines of a size are together, where its first was.
    let sizes = Dictionary(order.enumerated().map { ($1[0], $0) }) { first, _ in first }
    return order.enumerated()
      .sorted { (sizes[$0.element[0]]!, $0.offset) < (sizes[$1.element[0]]!, $1.offset) }
      .map { $0.element + [layouts[$0.element]!.joined(separator: " ")] }
  }

  /// What each layout is, told once.
  private static func layouts(_ formats: [CaptureDevice.Format]) -> [[String]] {
    var known: Set<PixelFormat> = []
    return formats.filter { known.insert($0.pixelFormat).inserted }.map { format in
      let remark = format.isEmulated ? " (converted by libv4l2)" : ""
      return [name(of: format.pixelFormat), format.localizedName + remark]
    }
  }

  private static func name(of layout: PixelFormat) -> String {
    layout.isReadable ? "\(layout)" : "[\(layout)]"
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
