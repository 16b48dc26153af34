import Foundation
import Testing
import Viewfinder

/// The machine has a virtual USB controller that ``USBCamera`` is plugged into.
@Suite("uvcvideo", .serialized, .enabled(if: Driver.uvcvideo.isHere, Driver.comment))
enum UVCVideoTests {}

extension CameraPictures {
  /// The numbers of the pictures that frames show; `nil` for those that are none of them.
  func numbers(_ frames: some Sequence<FrameLog.Frame>) -> [Int?] {
    frames.map { number(of: $0.data, $0.format.dimensions) }
  }

  /// Expects whole pictures of one stream, which advance as the sequence numbers say.
  func expectOrder(_ frames: [FrameLog.Frame]) {
    let numbers = numbers(frames)
    #expect(!numbers.contains(nil))
    for (a, b) in zip(frames, frames.dropFirst()) { #expect(b.timestamp > a.timestamp) }
    for number in frames.order(of: numbers, count: Self.count) {
      #expect(number.shown == number.expected)
    }
  }
}

/// Expects the YUYV frames of `uvcsim`: in each row luma rises by one every other pixel, and from
/// frame to frame by four.
func expectRamps(_ frames: [FrameLog.Frame]) {
  func ramp(startingAt luma: UInt8) -> Data {
    let row = Data((0..<320).flatMap { [luma &+ UInt8($0 / 2), 0x80] })
    return (0..<240).reduce(into: Data()) { frame, _ in frame += row }
  }
  for frame in frames { #expect(frame.data == ramp(startingAt: frame.data.first ?? 0)) }
  // One in four of a byte's values.
  let numbers = frames.map { $0.data.first.map { Int($0) / 4 } }
  for number in frames.order(of: numbers, count: 64) { #expect(number.shown == number.expected) }
}
