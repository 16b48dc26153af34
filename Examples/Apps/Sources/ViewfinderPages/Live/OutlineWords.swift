import Foundation
import Viewfinder
import WebServing

/// Outlines in a URL, in the words of the command `viewfinder photo --outline`.
///
/// Numbers are units of the picture's width and height if none is greater than 1 (R of the width),
/// else pixels.
enum OutlineWords {
  static let forms = "card, rect:X,Y,W,H, rounded:X,Y,W,H,R or ellipse:X,Y,W,H"

  static func read(_ text: String) throws(WebError) -> Outline {
    if text == "card" { return .card() }
    let parts = text.split(separator: ":", maxSplits: 1)
    let numbers = parts.last?.split(separator: ",").map { Double($0) ?? .nan } ?? []
    let isFrame = numbers.count >= 4 && numbers.allSatisfy { (0...65500).contains($0) }
    guard parts.count == 2, isFrame, numbers[2] > 0, numbers[3] > 0 else { throw misread(text) }
    let frame = CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    let outline: Outline
    switch (parts[0], numbers.count) {
    case ("rect", 4): outline = .rectangle(frame)
    case ("rounded", 5): outline = .roundedRectangle(frame, cornerRadius: numbers[4])
    case ("ellipse", 4): outline = .ellipse(frame)
    default: throw misread(text)
    }
    return numbers.allSatisfy { $0 <= 1 } ? outline : .inPixels(outline)
  }

  /// A rounded rectangle, in units of the picture.
  static func write(_ frame: CGRect, cornerRadius: Double) -> String {
    let numbers = [frame.minX, frame.minY, frame.width, frame.height, cornerRadius]
    return "rounded:" + numbers.map { "\(($0 * 1e6).rounded() / 1e6)" }.joined(separator: ",")
  }

  private static func misread(_ text: String) -> WebError {
    WebError(.badRequest, "“\(text)” is no outline. An outline is \(forms).")
  }
}
