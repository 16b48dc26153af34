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

      JSON: {"files": [{"input", "path", "width", "height", "originalWidth", "originalHeight", \
      "bytes", "type", "damaged", "clipped"} or {"input", "error", "exitCode"}]}
      """)

  @Argument(help: ArgumentHelp("The files; - is standard input.", valueName: "file"))
  var files: [String]

  @OptionGroup(title: "Photo options") var photo: PhotoOptions

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
          "\(same.joined(separator: " and ")) would both become \(name); crop them apart.")
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
        Terminal.warn(error.description)
        report.files.append(
          FileReport(input: file, error: error.description, exitCode: error.exitStatus))
        worst = max(worst, error.exitStatus)
      }
    }
    if photo.json { try JSON.print(report) }
    if worst != 0 { throw ReportedFailure(exitStatus: worst) }
  }

  private func crop(_ file: String) throws(CaptureError) -> FileReport {
    let data = try Self.read(file)
    let result = try photo.crop.apply(
      to: data, name: file, orientation: orientation, as: photo.encoding)
    if result.hadDamage {
      Terminal.warn("\(file) is damaged or cut short: part of the picture may be wrong.")
    }
    if result.isOutlineClipped {
      PhotoOptions.warnOfClipping(of: file, in: result.originalDimensions)
    }
    let destination = photo.destination
    let url = destination.url(suggestedName: outputName(file))
    let path = try destination.write(
      result.data, to: url, replacesExisting: !photo.noClobber)
    if url != nil, !photo.json {
      print("\(path)  \(result.dimensions)  \(Terminal.size(result.data.count))")
    }
    return FileReport(
      input: file, path: path, width: result.dimensions.width, height: result.dimensions.height,
      originalWidth: result.originalDimensions.width,
      originalHeight: result.originalDimensions.height, bytes: result.data.count,
      type: photo.fileType.rawValue, damaged: result.hadDamage,
      clipped: result.isOutlineClipped)
  }

  private func outputName(_ file: String) -> String {
    let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
    return "\(name).\(photo.fileType.pathExtension)"
  }

  /// No photo is larger; a stream without an end must not fill the memory.
  private static let sizeLimit = 1 << 30

  private static func read(_ file: String) throws(CaptureError) -> Data {
    let descriptor = file == "-" ? STDIN_FILENO : unsafe open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotRead(path: file, code: errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: file != "-")
    if URL(fileURLWithPath: file).isFolder { throw .cannotRead(path: file, code: EISDIR) }
    let data: Data?
    do {
      data = try handle.read(upToCount: sizeLimit + 1)
    } catch {
      throw .cannotRead(path: file, code: EIO)
    }
    guard (data?.count ?? 0) <= sizeLimit else {
      throw .badImageData(what: file, reason: "it is larger than any photo (1 GiB)")
    }
    return data ?? Data()
  }

  struct Report: Encodable {
    var files: [FileReport]
  }

  struct FileReport: Encodable {
    var input: String
    var path: String?
    var width: Int?
    var height: Int?
    var originalWidth: Int?
    var originalHeight: Int?
    var bytes: Int?
    var type: String?
    var damaged: Bool?
    /// Whether the outline stuck out of the picture.
    var clipped: Bool?
    var error: String?
    var exitCode: Int32?
  }
}
