import ArgumentParser
import Foundation
import Synchronization
import Viewfinder

/// Takes photos.
struct PhotoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photo",
    abstract: "Take a photo, or a series of them.",
    discussion: """
      With --count N, -o photo.jpg makes photo-0001.jpg, photo-0002.jpg and so on. A series without --count goes on \
      until you interrupt it. A photo that can't be taken when it is due counts as missed, and the \
      series goes on.

      With --auto-shutter, the camera takes each card that it is shown once, when it lies still, and says what to do \
      until then. --count says how many cards, --max-time how long to wait for them. Where --outline detect finds \
      nothing, the photo is whole and the exit code is 1.

      JSON: {"device": {…}, "format", "photos": [{"path", "fileURL", "width", "height", "bytes", "type", \
      "date", "clipped", "detected"}], "missed"}, also after a series that ended early.
      """)

  @OptionGroup(title: "Camera options") var camera: DeviceOptions
  @OptionGroup(title: "Stream options") var stream: StreamOptions
  @OptionGroup(title: "Photo options") var photo: PhotoOptions

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
    help: ArgumentHelp("How many seconds to take photos for.", valueName: "s"),
    transform: Value.seconds)
  var maxTime: Double?

  @Option(
    help: ArgumentHelp("The most bytes that the photos may have together.", valueName: "n"),
    transform: Value.count)
  var maxBytes: Int?

  @Flag(help: "Take the photo when a card lies still and can be seen well.")
  var autoShutter = false

  @Option(
    help: ArgumentHelp("The camera's lamp: on, off or auto. (default: off)", valueName: "mode"),
    transform: Value.flash)
  var flash: CapturePhotoSettings.FlashMode?

  func validate() throws {
    if autoShutter, interval != nil || maxBytes != nil {
      throw ValidationError(
        "--auto-shutter takes each card when it lies still: leave --interval and --max-bytes out.")
    }
    if case .standardOutput = photo.destination, isSeries, count != 1 {
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
    let result = await Result { () async throws in
      if autoShutter {
        try await takeCards(output, session, &report)
      } else if isSeries {
        try await takeSeries(output, &report)
      } else {
        let taken = try await output.capturePhoto(with: photoSettings)
        report.photos = [try saver.save(taken)]
      }
    }
    await session.stopRunning()
    if photo.json { try JSON.print(report) }
    try result.get()
    if photo.detectsOutline, !report.photos.contains(where: { $0.detected != nil }) {
      Terminal.warn("No card or sheet was found: the photo is whole.")
      throw ReportedFailure(exitStatus: 1)
    }
  }

  private var isSeries: Bool {
    count != nil || interval != nil || maxTime != nil || maxBytes != nil
  }

  private var saver: PhotoSaver {
    PhotoSaver(
      destination: photo.destination, replacesExisting: !photo.noClobber, isQuiet: photo.json)
  }

  /// What each photo should be like; the first waits.
  private var photoSettings: CapturePhotoSettings {
    var settings = photo.photoSettings
    settings.orientation = stream.orientation
    if let flash { settings.flashMode = flash }
    if let delay {
      settings.selfTimer = .delay(.seconds(delay))
      Terminal.progress("Taking the photo in \(Terminal.number(delay)) s.")
    }
    return settings
  }

  private var seriesSettings: IntervalCaptureSettings {
    var settings = IntervalCaptureSettings()
    settings.photoSettings = photoSettings
    settings.start = settings.photoSettings.selfTimer
    if let interval { settings.interval = .seconds(interval) }
    settings.maxPhotoCount = count
    settings.maxDuration = maxTime.map { .seconds($0) }
    settings.maxByteCount = maxBytes
    return settings
  }

  private func takeSeries(_ output: CapturePhotoOutput, _ report: inout Report) async throws {
    let saved = Mutex<[SavedPhoto]>([])
    let series = try output.startIntervalCapture(seriesSettings) { [saver] taken, _ in
      // Counted, so that missed photos leave no gaps among the names.
      let number = saved.withLock { $0.count } + 1
      let photo = try saver.save(taken, number: number)
      saved.withLock { $0.append(photo) }
      return nil
    }
    await withTaskCancellationHandler {
      for await event in series.events {
        if case .didMiss(_, let error) = event {
          Terminal.warn("A photo was missed: \(error.cause)")
        }
      }
    } onCancel: {
      series.stop()
    }
    let result = await series.result
    report.photos = saved.withLock { $0 }
    report.missed = result.missedCount
    if case .failed(let error) = result.ending { throw error }
  }

  /// Takes each card that the camera is shown, once.
  private func takeCards(
    _ output: CapturePhotoOutput, _ session: CaptureSession, _ report: inout Report
  ) async throws {
    let prompter = try CardPrompter(session)
    defer { prompter.stop() }
    let end = maxTime.map { ContinuousClock.now + .seconds($0) }
    var settings = photoSettings
    settings.automaticShutter = AutomaticShutter()
    for number in 1...(count ?? 1) {
      guard let taken = try await output.capturePhoto(with: settings, until: end) else { break }
      report.photos.append(try saver.save(taken, number: count == nil ? nil : number))
      settings = CapturePhotoSettings(from: settings)
      settings.selfTimer = nil
      settings.automaticShutter?.ignoredIdentifier = taken.trackedIdentifier
    }
    guard let maxTime, report.photos.isEmpty else { return }
    throw ToolError(
      message:
        "No card lay still in \(Terminal.number(maxTime)) s. Point the camera at one, or take "
        + "the photo without --auto-shutter.",
      exitStatus: EX_UNAVAILABLE)
  }

  struct Report: Encodable {
    var device: DeviceReport
    var format: String?
    var photos: [SavedPhoto]
    /// Photos of a series that couldn't be taken when they were due.
    var missed = 0
  }
}

extension CaptureError {
  /// Why a photo of a series was missed.
  fileprivate var cause: String {
    if case .shutterNotReady = self {
      "the last one took longer than the interval."
    } else {
      description
    }
  }
}

/// Saves photos and tells of them.
private struct PhotoSaver {
  var destination: Destination
  var replacesExisting: Bool
  var isQuiet: Bool

  /// Saves a photo, the only one or one with a number.
  func save(_ taken: CapturePhoto, number: Int? = nil) throws(CaptureError) -> SavedPhoto {
    let resolved = taken.resolvedSettings
    // Of a series, the first tells for all.
    if resolved.isOutlineClipped, number ?? 1 == 1 {
      PhotoOptions.warnOfClipping(of: "the picture", in: resolved.captureDimensions)
    }
    let path = destination.path(
      suggestedName: Path(PhotoFile.suggestedName(for: taken.date, fileType: taken.fileType)),
      number: number)
    if let path {
      try taken.write(to: path.url, replacesExisting: replacesExisting)
      if !isQuiet {
        print("\(path.quoted)  \(taken.dimensions)  \(Terminal.size(taken.byteCount))")
      }
    } else {
      try StandardOutput.write(taken.fileDataRepresentation())
    }
    return SavedPhoto(
      path: path?.display ?? "-", fileURL: path?.url.absoluteString, width: taken.dimensions.width,
      height: taken.dimensions.height,
      bytes: taken.byteCount, type: taken.fileType.rawValue, date: taken.date.ISO8601Format(),
      clipped: resolved.isOutlineClipped, detected: taken.detectedOutline.map(OutlineReport.init))
  }
}

/// A file that was made, in JSON.
struct SavedPhoto: Encodable {
  var path: String
  /// With every byte of the path; `nil` for standard output.
  var fileURL: String?
  var width: Int
  var height: Int
  var bytes: Int
  var type: String
  var date: String
  /// Whether the outline stuck out of the picture.
  var clipped: Bool
  /// What was found, with --outline detect.
  var detected: OutlineReport?
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
