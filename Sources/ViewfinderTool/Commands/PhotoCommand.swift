import ArgumentParser
import Foundation
import Viewfinder

/// Takes photos.
struct PhotoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photo",
    abstract: "Take a photo, or a series of them.",
    discussion: """
      With --count N, -o photo.jpg makes photo-0001.jpg, photo-0002.jpg and so on.

      JSON: {"device": {…}, "format", "photos": [{"path", "width", "height", "bytes", "type", \
      "date"}]}, also after a series that ended early.
      """)

  @OptionGroup var camera: DeviceOptions
  @OptionGroup var stream: StreamOptions
  @OptionGroup var photo: PhotoOptions

  @Option(
    help: ArgumentHelp("Seconds to wait before the (first) photo.", valueName: "s"),
    transform: Value.seconds)
  var delay: Double?

  @Option(help: ArgumentHelp("How many photos to take.", valueName: "n"), transform: Value.count)
  var count: Int?

  @Option(
    help: ArgumentHelp("Seconds from one photo to the next. (default: 1)", valueName: "s"),
    transform: Value.seconds)
  var interval: Double?

  @Option(
    help: ArgumentHelp("The camera's lamp: on, off or auto. (default: off)", valueName: "mode"),
    transform: Value.flash)
  var flash: CapturePhotoSettings.FlashMode?

  func validate() throws {
    if interval != nil, count == nil {
      throw ValidationError("--interval needs --count.")
    }
    if case .standardOutput = photo.destination, (count ?? 1) > 1 {
      throw ValidationError("Only one photo can go to standard output; name a file or a folder.")
    }
    if case .standardOutput = photo.destination, StandardOutput.isTerminal {
      throw ValidationError("A photo isn't for the screen; send it to a file or a pipe.")
    }
  }

  func run() async throws {
    let opened = try camera.open(rate: stream.rate)
    let session = CaptureSession()
    let output = CapturePhotoOutput()
    try session.configure {
      try session.addInput(CaptureDeviceInput(device: opened.device))
      try session.addOutput(output)
    }
    try stream.configure(session, opened, preset: .photo)
    try await session.startRunning()
    var report = Report(
      device: DeviceReport(opened.device), format: session.activeVideoFormat?.description,
      photos: [])
    let result = await Result { () async throws in try await takePhotos(output, &report) }
    await session.stopRunning()
    if photo.json { try JSON.print(report) }
    try result.get()
  }

  private func takePhotos(_ output: CapturePhotoOutput, _ report: inout Report) async throws {
    let total = count ?? 1
    let start = ContinuousClock.now
    for index in 0..<total {
      if index > 0 {
        // Counted from the start, so that the time that photos take doesn't add up.
        try await Task.sleep(until: start + .seconds(Double(index) * (interval ?? 1)))
      }
      var settings = photo.photoSettings
      settings.orientation = stream.orientation
      if let flash { settings.flashMode = flash }
      if index == 0, let delay {
        settings.selfTimer = .delay(.seconds(delay))
        Terminal.progress("Taking the photo in \(Terminal.number(delay)) s.")
      }
      let taken = try await output.capturePhoto(with: settings)
      try save(taken, number: count == nil ? nil : index + 1, &report)
    }
  }

  private func save(_ taken: CapturePhoto, number: Int?, _ report: inout Report) throws {
    let data = taken.fileDataRepresentation() ?? Data()
    let destination = photo.destination
    let url = destination.url(
      suggestedName: PhotoFile.suggestedName(for: taken.date, fileType: taken.fileType),
      number: number)
    let path = try destination.write(data, to: url, replacesExisting: !photo.noClobber)
    report.photos.append(
      SavedPhoto(
        path: path, width: taken.dimensions.width, height: taken.dimensions.height,
        bytes: data.count, type: taken.fileType.rawValue, date: taken.date.ISO8601Format()))
    if url != nil, !photo.json {
      print("\(path)  \(taken.dimensions)  \(Terminal.size(data.count))")
    }
  }

  struct Report: Encodable {
    var device: DeviceReport
    var format: String?
    var photos: [SavedPhoto]
  }
}

/// A file that was made, in JSON.
struct SavedPhoto: Encodable {
  var path: String
  var width: Int
  var height: Int
  var bytes: Int
  var type: String
  var date: String?
}

extension Result where Failure == any Error {
  /// The outcome of an asynchronous body.
  init(_ body: () async throws -> Success) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
