import Foundation
import Viewfinder

/// What the demo did.
struct DemoReport: Encodable {
  /// A file that was made.
  struct Photo: Encodable {
    var path: String
    /// With every byte of the path.
    var fileURL: String
    var what: String
    var width: Int
    var height: Int
    var bytes: Int
    /// From the shutter to the file on the disk.
    var milliseconds: Double

    /// The photo in words.
    var line: String {
      let time = Int(milliseconds.rounded())
      return "\(Terminal.plain(path))  \(width)x\(height)  \(Terminal.size(bytes))  "
        + "\(time) ms from shutter to file\n  \(what)"
    }
  }

  struct Frames: Encodable {
    var delivered: Int
    var lost: Int
    var corrupt: Int
    var starved: Int
    var late: Int
  }

  var device: DeviceReport
  var format: String
  var requestedFrameRate: Double
  var grantedFrameRate: Double?
  var measuredFrameRate: Double
  var frames: Frames
  var photos: [Photo]

  init(
    device: CaptureDevice, format: VideoFormat, requestedFrameRate: Double,
    statistics: CaptureStatistics, photos: [Photo]
  ) {
    self.device = DeviceReport(device)
    self.format = format.description
    self.requestedFrameRate = requestedFrameRate
    grantedFrameRate = format.frameInterval?.frameRate
    measuredFrameRate = statistics.measuredFrameRate
    frames = Frames(
      delivered: statistics.deliveredFrames, lost: statistics.lostFrames,
      corrupt: statistics.corruptFrames, starved: statistics.starvedFrames,
      late: statistics.lateFrames)
    self.photos = photos
  }

  /// Prints the counts for people.
  func printSummary() {
    let granted = grantedFrameRate.map(Terminal.number) ?? "unknown"
    print("")
    print(
      "Rate:    \(Terminal.number(requestedFrameRate)) asked for, \(granted) granted, "
        + "\(String(format: "%.2f", measuredFrameRate)) measured (frames/s)")
    print(
      "Frames:  \(frames.delivered) delivered; \(frames.lost) lost, \(frames.corrupt) corrupt, "
        + "\(frames.starved) starved, \(frames.late) late")
  }
}
