import ArgumentParser
import Foundation
import Viewfinder

/// What becomes of a picture, and where it goes.
struct PhotoOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(OutlineArgument.help, valueName: "outline"),
    transform: OutlineArgument.init)
  var outline: OutlineArgument?

  @Option(
    help: ArgumentHelp(
      "Pull the outline's four corners straight to this size, such as 1011x638 (a card at "
        + "300 dots per inch).", valueName: "WxH"),
    transform: Value.size)
  var rectify: Dimensions?

  @Option(
    help: ArgumentHelp(
      "What matters more when corners are pulled straight: speed, balanced or quality. "
        + "(default: balanced)", valueName: "what"),
    transform: Value.prioritization)
  var prioritize: CapturePhotoOutput.QualityPrioritization?

  @Option(
    help: ArgumentHelp(
      "What lies around the outline: white, black, transparent (PNG) or RRGGBB.",
      discussion: "The default is transparent in a PNG, and white in a JPEG.",
      valueName: "color"),
    transform: Background.init)
  var background: Background?

  @Option(
    help: ArgumentHelp("The JPEG quality, from 1 to 100. (default: 90)", valueName: "n"),
    transform: Value.quality)
  var quality: Double?

  @Option(
    help: ArgumentHelp(
      "jpeg or png. The default follows the output's name, else jpeg.", valueName: "type"),
    transform: Value.fileType)
  var type: PhotoFileType?

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The file, or the folder (which ends in / or exists); - is standard output.",
      discussion: "The default is a name made from the time, in the current folder.",
      valueName: "file"))
  var output: Path?

  @Flag(help: "Refuse to replace an existing file (exit code 74).")
  var noClobber = false

  @Flag(help: "Print the result as JSON.")
  var json = false

  func validate() throws {
    if json, output == .standardStream {
      throw ValidationError("--json and -o - would both write to standard output.")
    }
    let named: PhotoFileType?
    do {
      named = try destination.fileType()
    } catch {
      throw ValidationError(error.description)
    }
    if let type, let named, type != named, let output {
      throw ValidationError(
        "\(output.quoted) is named as a \(named.rawValue.uppercased()), and --type says "
          + "\(type.rawValue). Leave --type out, or end the name in .\(type.pathExtension).")
    }
    if let background, background.color == nil, fileType == .jpeg {
      throw ValidationError("A JPEG can't be transparent. Use --type png, or another background.")
    }
  }

  var destination: Destination { Destination(output) }

  /// The kind of file that is made.
  var fileType: PhotoFileType { type ?? (try? destination.fileType()) ?? .jpeg }

  /// Whether the outline is to be found.
  var detectsOutline: Bool {
    switch outline?.outline {
    case .detected, .inPixels(.detected): true
    default: false
    }
  }

  /// What pictures are cropped to.
  var crop: PhotoCrop {
    PhotoCrop(
      outline: outline?.outline, rectifiedSize: rectify, backgroundColor: background?.color)
  }

  /// The files that come of it.
  var encoding: PhotoEncoding {
    var encoding = PhotoEncoding(fileType: fileType)
    if let quality { encoding.quality = quality }
    if let prioritize { encoding.qualityPrioritization = prioritize }
    return encoding
  }

  /// What takes a photo.
  var photoSettings: CapturePhotoSettings {
    var settings = CapturePhotoSettings()
    settings.crop = crop
    settings.encoding = encoding
    return settings
  }

  /// Says that the outline is larger than what came of it.
  static func warnOfClipping(of what: String, in size: Dimensions) {
    Terminal.warn(
      "The outline sticks out of \(what) (\(size) pixels): what lies outside is missing.")
  }
}
