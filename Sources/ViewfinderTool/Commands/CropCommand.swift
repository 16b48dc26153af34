import ArgumentParser
import Foundation
import Viewfinder

/// Crops photos that are there already.
struct CropCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crop",
    abstract: "Crop JPEG and PNG files to an outline.",
    discussion: """
      The result is upright, whatever the file's Exif orientation. Of a damaged file, it crops what \
      it can read, with a warning. Several files need a folder: -o FOLDER/.

      With --lossless, the box around the outline is cut out of a JPEG without decoding it: \
      the picture stays turned as it is stored, and its edges move outwards to where the JPEG's \
      blocks begin.

      JSON: {"files": [{"input", "inputURL", "path", "fileURL", "width", "height", \
      "originalWidth", "originalHeight", "bytes", "type", "damaged", "clipped", \
      "detected", "lossless": {"alignment", "x", "y"}} or {"input", \
      "inputURL", "error", "exitCode"}]}
      """)

  @Argument(help: ArgumentHelp("The files; - is standard input.", valueName: "file"))
  var files: [Path]

  @OptionGroup(title: "Photo options") var photo: PhotoOptions

  @Option(
    help: ArgumentHelp(
      "Cut a JPEG without any loss: mcu moves edges by less than 16 pixels; grid moves them to "
        + "restart intervals, and is the fastest. --lossless alone stands for mcu.",
      valueName: "alignment"),
    transform: Value.alignment)
  var lossless: LosslessCrop.Alignment?

  @Option(
    help: ArgumentHelp(
      "How to turn the stored picture upright, instead of what its Exif data say: 1 to 8, or up, "
        + "right, down, left.", valueName: "orientation"),
    transform: Value.orientation)
  var orientation: ImageOrientation?

  func validate() throws {
    guard photo.output != nil else {
      throw ValidationError("Say where the result goes: -o FILE, -o FOLDER/ or -o -.")
    }
    if files.count > 1 {
      guard case .folder = photo.destination else {
        throw ValidationError("Several files need a folder: -o FOLDER/.")
      }
      let names = Dictionary(grouping: files, by: outputName)
      if let (name, same) = names.first(where: { $0.value.count > 1 }) {
        throw ValidationError(
          "\(same.map(\.quoted).joined(separator: " and ")) would both become \(name.quoted); "
            + "crop them apart.")
      }
    }
    if lossless != nil {
      guard photo.fileType == .jpeg else {
        throw ValidationError("--lossless makes JPEG files; leave it out for another kind.")
      }
      guard photo.rectify == nil, photo.background == nil, photo.quality == nil else {
        throw ValidationError(
          "--lossless copies the picture as it is: --rectify, --background and --quality need a new one."
        )
      }
    }
    if case .standardOutput = photo.destination, StandardOutput.isTerminal {
      throw ValidationError("A photo isn't for the screen; send it to a file or a pipe.")
    }
  }

  func run() async throws {
    if case .folder(let folder) = photo.destination { try Destination.makeFolder(folder) }
    var report = Report(files: [])
    var worst: Int32 = 0
    for file in files {
      try Task.checkCancellation()
      do throws(CaptureError) {
        report.files.append(try crop(file))
      } catch {
        Terminal.warn(error)
        report.files.append(
          FileReport(file, error: error.description, exitCode: error.exitStatus))
        worst = max(worst, error.exitStatus)
      }
    }
    if photo.json { try JSON.print(report) }
    if worst != 0 { throw ReportedFailure(exitStatus: worst) }
  }

  private func crop(_ file: Path) throws(CaptureError) -> FileReport {
    let data = try file.contents()
    if let lossless { return try crop(file, data, losslessly: lossless) }
    let result = try photo.crop.apply(
      to: data, name: file.display, orientation: orientation, as: photo.encoding)
    if photo.detectsOutline, result.detectedOutline == nil { throw nothingFound(in: file) }
    if result.hadDamage {
      Terminal.warn("\(file.quoted) is damaged or cut short: part of the picture may be wrong.")
    }
    if result.isOutlineClipped {
      PhotoOptions.warnOfClipping(of: file.quoted, in: result.originalDimensions)
    }
    let path = photo.destination.path(suggestedName: outputName(file))
    try Destination.write(result.data, to: path, replacesExisting: !photo.noClobber)
    if let path, !photo.json {
      print("\(path.quoted)  \(result.dimensions)  \(Terminal.size(result.data.count))")
    }
    return FileReport(
      file, path: path, width: result.dimensions.width, height: result.dimensions.height,
      originalWidth: result.originalDimensions.width,
      originalHeight: result.originalDimensions.height, bytes: result.data.count,
      type: photo.fileType.rawValue, damaged: result.hadDamage,
      clipped: result.isOutlineClipped, detected: result.detectedOutline)
  }

  private func crop(
    _ file: Path, _ data: Data, losslessly alignment: LosslessCrop.Alignment
  ) throws(CaptureError) -> FileReport {
    let result = try photo.crop.applyLosslessly(
      to: data, name: file.display, orientation: orientation, alignment: alignment)
    if photo.detectsOutline, result.detectedOutline == nil { throw nothingFound(in: file) }
    if result.isOutlineClipped {
      PhotoOptions.warnOfClipping(of: file.quoted, in: result.originalDimensions)
    }
    let path = photo.destination.path(suggestedName: outputName(file))
    try Destination.write(result.data, to: path, replacesExisting: !photo.noClobber)
    let (x, y) = (Int(result.rectangle.minX), Int(result.rectangle.minY))
    if let path, !photo.json {
      print(
        "\(path.quoted)  \(result.dimensions) from (\(x), \(y)), aligned to \(result.alignment.words)  "
          + Terminal.size(result.data.count))
    }
    var report = FileReport(
      file, path: path, width: result.dimensions.width, height: result.dimensions.height,
      originalWidth: result.originalDimensions.width,
      originalHeight: result.originalDimensions.height, bytes: result.data.count,
      type: photo.fileType.rawValue, damaged: false, clipped: result.isOutlineClipped,
      detected: result.detectedOutline)
    report.lossless = .init(alignment: result.alignment.rawValue, x: x, y: y)
    return report
  }

  private func nothingFound(in file: Path) -> CaptureError {
    .badImageData(
      what: file.display,
      reason: "no card or sheet was found in it; say where it is, such as with --outline "
        + "quad:X,Y,X,Y,X,Y,X,Y")
  }

  private func outputName(_ file: Path) -> Path {
    Path(bytes: file.nameParts.stem + Array(".\(photo.fileType.pathExtension)".utf8))
  }

  struct Report: Encodable {
    var files: [FileReport]
  }

  struct FileReport: Encodable {
    var input: String
    var inputURL: String?
    var path: String?
    var fileURL: String?
    var width: Int?
    var height: Int?
    var originalWidth: Int?
    var originalHeight: Int?
    var bytes: Int?
    var type: String?
    var damaged: Bool?
    /// Whether the outline stuck out of the picture.
    var clipped: Bool?
    /// What was found, with --outline detect.
    var detected: OutlineReport?
    /// Where the edges lie, with --lossless.
    var lossless: LosslessReport?
    var error: String?
    var exitCode: Int32?

    init(
      _ file: Path, path: Path? = nil, width: Int? = nil, height: Int? = nil,
      originalWidth: Int? = nil, originalHeight: Int? = nil, bytes: Int? = nil,
      type: String? = nil, damaged: Bool? = nil, clipped: Bool? = nil,
      detected: DetectedOutline? = nil, error: String? = nil, exitCode: Int32? = nil
    ) {
      input = file.display
      inputURL = file == .standardStream ? nil : file.url.absoluteString
      self.path = error == nil ? path?.display ?? "-" : nil
      fileURL = path?.url.absoluteString
      (self.width, self.height) = (width, height)
      (self.originalWidth, self.originalHeight) = (originalWidth, originalHeight)
      (self.bytes, self.type, self.damaged, self.clipped) = (bytes, type, damaged, clipped)
      self.detected = detected.map(OutlineReport.init)
      (self.error, self.exitCode) = (error, exitCode)
    }
  }
}

struct LosslessReport: Encodable {
  var alignment: String
  /// Of the original, from its top left, upright.
  var x: Int
  var y: Int
}

extension LosslessCrop.Alignment {
  fileprivate var words: String {
    switch self {
    case .grid: "restart intervals"
    case .mcu: "MCUs"
    }
  }
}
