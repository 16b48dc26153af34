import ArgumentParser
import Foundation
import Viewfinder

/// Tells where cards and sheets are in pictures.
struct DetectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "detect",
    abstract: "Find cards and sheets in JPEG and PNG files.",
    discussion: """
      What is found is told as --outline of crop and photo takes it: corners in pixels of the \
      upright picture, clockwise, the one nearest the top left first. The exit code is 1 when \
      nothing was found in any picture.

      JSON, an object a line for several pictures: {"input", "inputURL", "width", "height", \
      "candidates": [{"corners": [[x, y], …], "confidence", "aspectRatio", "kind", "edgeSupport", \
      "outline"}]} or {"input", "inputURL", "error", "exitCode"}. In "corners" whole numbers are \
      the middles of pixels, as OpenCV has points; (-0.5, -0.5) is the picture's own corner. \
      "outline" is what --outline takes.
      """)

  @Argument(help: ArgumentHelp("The pictures; - is standard input.", valueName: "picture"))
  var pictures: [Path]

  @Option(
    help: ArgumentHelp(
      "The most outlines of a picture, from 1 to \(OutlineDetector.maximumCount).", valueName: "n"))
  var candidates = OutlineDetector.maximumCount

  @Option(
    help: ArgumentHelp(
      "The least confidence, from 0 to 1, instead of the one from which they are worth showing.",
      valueName: "share"))
  var confidence = OutlineDetector.defaultConfidence

  @Option(help: ArgumentHelp("Draw what was found into the picture, as PNG.", valueName: "file"))
  var draw: Path?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard (1...OutlineDetector.maximumCount).contains(candidates) else {
      throw ValidationError("Give --candidates from 1 to \(OutlineDetector.maximumCount).")
    }
    guard (0...1).contains(confidence) else {
      throw ValidationError("Give --confidence from 0 to 1.")
    }
    guard draw == nil || pictures.count == 1 else {
      throw ValidationError("--draw takes one picture.")
    }
  }

  func run() async throws {
    let detector = try OutlineDetector()
    var worst: Int32 = 0
    var hasFound = false
    for picture in pictures {
      try Task.checkCancellation()
      let report: Report
      do throws(CaptureError) {
        report = try detect(picture, detector)
      } catch {
        Terminal.warn(error)
        report = Report(picture, error: error)
        worst = max(worst, error.exitStatus)
      }
      hasFound = hasFound || report.candidates?.isEmpty == false
      if !json {
        report.print(picture)
      } else if pictures.count == 1 {
        try JSON.print(report)
      } else {
        try JSON.printLine(report)
      }
    }
    if worst != 0 { throw ReportedFailure(exitStatus: worst) }
    if !hasFound { throw ReportedFailure(exitStatus: 1) }
  }

  private func detect(_ path: Path, _ detector: OutlineDetector) throws(CaptureError) -> Report {
    let data = try path.contents()
    let found = try detector.outlines(
      inPhoto: data, name: path.display, minimumConfidence: confidence, maximumCount: candidates)
    if let draw {
      let drawing = try OutlineDrawing(
        of: PixelBuffer(decoding: data), found.map(\.quadrilateral))
      try Destination.write(drawing.pngData(), to: draw, replacesExisting: true)
    }
    // Where nothing is, only decoding tells the size.
    guard let size = found.first?.pictureDimensions else {
      return Report(path, try PixelBuffer(decoding: data).dimensions, found)
    }
    return Report(path, size, found)
  }

  /// What a picture holds.
  struct Report: Encodable {
    var input: String
    var inputURL: String?
    var width: Int?
    var height: Int?
    var candidates: [OutlineReport]?
    var error: String?
    var exitCode: Int32?

    private init(_ path: Path) {
      input = path.display
      inputURL = path == .standardStream ? nil : path.url.absoluteString
    }

    init(_ path: Path, _ size: Dimensions, _ found: [DetectedOutline]) {
      self.init(path)
      (width, height) = (size.width, size.height)
      candidates = found.map(OutlineReport.init)
    }

    init(_ path: Path, error: CaptureError) {
      self.init(path)
      self.error = error.description
      exitCode = error.exitStatus
    }

    /// Prints it for a person.
    func print(_ path: Path) {
      guard let candidates else { return }
      if candidates.isEmpty { Swift.print("\(path.quoted)  nothing") }
      for candidate in candidates { Swift.print("\(path.quoted)  \(candidate.line)") }
    }
  }
}
