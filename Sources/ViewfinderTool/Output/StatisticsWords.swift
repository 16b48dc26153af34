import Foundation
import Viewfinder

/// A stream's figures in sentences, one for each plot.
struct StatisticsWords {
  /// How evenly frames came.
  let pacing: String
  /// What was lost.
  let losses: String
  /// How bright the picture was.
  let brightness: String

  init(_ figures: CaptureFigures) {
    pacing = Self.words(figures.pacing)
    losses = Self.words(figures.frames)
    brightness = Self.words(figures.histogram)
  }

  private static func words(_ pacing: FramePacing) -> String {
    guard let median = pacing.medianInterval else {
      return "No two frames came one after the other."
    }
    let mostly = "Mostly \(milliseconds(median)) ms."
    guard let longest = pacing.longest else { return mostly + " None came late." }
    let when = "\(Int(longest.age.rounded())) s before the end"
    let after = "after \(milliseconds(longest.duration)) ms, \(when)."
    return pacing.lateCount == 1
      ? "\(mostly) 1 came late, \(after)"
      : "\(mostly) \(count(pacing.lateCount)) came late, the latest \(after)"
  }

  /// The causes of losses, as they are called.
  static func causes(_ frames: CaptureStatistics) -> [(name: String, count: Int)] {
    [
      ("Never arrived", frames.lostFrames), ("Damaged", frames.corruptFrames),
      ("No buffer free", frames.starvedFrames), ("Skipped for a newer one", frames.lateFrames),
    ]
  }

  private static func words(_ frames: CaptureStatistics) -> String {
    guard frames.producedFrames > 0 else { return "No frames came." }
    let lost = causes(frames).filter { $0.count > 0 }
    let produced = count(frames.producedFrames)
    guard !lost.isEmpty else { return "None of \(produced) frames was lost." }
    let sum = lost.reduce(0) { $0 + $1.count }
    let list = lost.map { "\($0.name.lowercased()) \(count($0.count))" }.joined(separator: ", ")
    return "\(count(sum)) of \(produced) frames \(sum == 1 ? "was" : "were") lost: \(list)."
  }

  private static func words(_ histogram: PictureHistogram?) -> String {
    guard let histogram else { return "No picture could be looked at." }
    let verdict =
      switch histogram.exposure {
      case .balanced: "Well exposed"
      case .clipsDark: "Dark parts have lost their details"
      case .clipsBright: "Bright parts have lost their details"
      case .clipsBoth: "Dark and bright parts have lost their details"
      }
    let (black, white) = (histogram.luma.blackShare, histogram.luma.whiteShare)
    return "\(verdict): \(percent(black)) % black, \(percent(white)) % white."
  }

  // MARK: Numbers

  /// Milliseconds, with a decimal where they are few.
  static func milliseconds(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "–" }
    return String(format: seconds > 0 && seconds < 0.01 ? "%.1f" : "%.0f", seconds * 1000)
  }

  static func percent(_ share: Double) -> String { String(format: "%.1f", share * 100) }

  /// A count with its thousands apart.
  static func count(_ value: Int) -> String {
    let digits = Array(String(value))
    let parts = stride(from: digits.count, to: 0, by: -3).map {
      String(digits[max($0 - 3, 0)..<$0])
    }
    return parts.reversed().joined(separator: ",")
  }
}
