import ArgumentParser
import Foundation
import Viewfinder

/// Shows what the library does, with whatever camera there is.
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Take a photo, find the card in it and cut it out, and say how it went.",
    discussion: """
      Uses the first camera, or a simulated one where there is none. Makes photo.jpg (the whole \
      picture), card.png (cropped to the card guide of a preview, with transparent corners) and \
      card-rectified.jpg (the card that is found, pulled straight, at 300 dots per inch).

      JSON: {"device": {…}, "format", "requestedFrameRate", "grantedFrameRate", \
      "measuredFrameRate", "frames": {"delivered", "lost", "corrupt", "starved", "late"}, \
      "photos": [{"path", "fileURL", "what", "width", "height", "bytes", "milliseconds"}]}
      """)

  @OptionGroup(title: "Camera options") var camera: DeviceOptions
  @OptionGroup(title: "Stream options") var stream: StreamOptions

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("Where the pictures go.", valueName: "folder"))
  var output = Path("viewfinder-demo")

  @Flag(help: "Print the result as JSON.")
  var json = false

  func run() async throws {
    let opened = try openCamera()
    try Destination.makeFolder(output)
    let session = CaptureSession()
    let photos = CapturePhotoOutput()
    let video = CaptureVideoDataOutput()
    try session.configure {
      try session.addInput(CaptureDeviceInput(device: opened.device))
      try session.addOutput(photos)
      try session.addOutput(video)
    }
    try stream.configure(session, opened, preset: .high)
    let say = { (line: String) in if !json { print(line) } }
    say("Camera:  \(opened.device.localizedName) (\(opened.device.path))")
    try await session.startRunning()
    guard let format = session.activeVideoFormat else { throw CaptureError.sessionNotRunning }
    say("Format:  \(format)")
    let studio = DemoStudio(
      photos: photos, folder: output, orientation: stream.orientation ?? .up, format: format)
    let result = await Result { () async throws in
      try await takePhotos(studio, opened, video, say)
    }
    let statistics = session.statistics
    await session.stopRunning()
    try result.get()
    let report = DemoReport(
      device: opened.device, format: format, requestedFrameRate: stream.rate ?? 30,
      statistics: statistics, photos: studio.photosTaken)
    if json { try JSON.print(report) } else { report.printSummary() }
  }

  private func openCamera() throws -> DeviceOptions.Camera {
    guard camera.device == nil, !camera.isSimulated else {
      return try camera.open(rate: stream.rate)
    }
    do {
      return try camera.open()
    } catch {
      let reason = Failure(error)?.message ?? "\(error)"
      Terminal.warn("\(reason)\nGoing on with a simulated camera.")
      return try camera.simulated()
    }
  }

  private func takePhotos(
    _ studio: DemoStudio, _ opened: DeviceOptions.Camera, _ video: CaptureVideoDataOutput,
    _ say: (String) -> Void
  ) async throws {
    say("")
    say(try await studio.takeWholePhoto().line)
    say(try await studio.takeCardInGuide().line)
    say(try await studio.takeFoundCard().line)
    // A moment more, so that the measured rate means something.
    try await Task.sleep(for: .seconds(1))
  }
}
