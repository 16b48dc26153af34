import Foundation
import Viewfinder

/// A stream's figures as a drawing that stands alone, each plot with its words.
struct StatisticsPlot {
  private let figures: CaptureFigures
  private let words: StatisticsWords
  private let camera: String

  init(_ figures: CaptureFigures, camera: String) {
    self.figures = figures
    words = StatisticsWords(figures)
    self.camera = camera
  }

  /// The file.
  var svg: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) 796" role="group" \
    aria-labelledby="title" direction="ltr">
    <title id="title">\(Self.text("Statistics of \(camera)"))</title>
    <style>\(Self.style)</style>
    <rect class="ground" width="100%" height="100%"/>
    <text class="h1" x="24" y="40">\(Self.text(camera))</text>
    \(panel("pacing", at: 60, height: 268, "Time between frames", "ms, last minute", words.pacing, pacing))
    \(panel("losses", at: 344, height: 176, "Lost frames", "of \(produced)", words.losses, losses))
    \(panel("brightness", at: 536, height: 244, "Brightness", "share of the picture", words.brightness, brightness))
    </svg>

    """
  }

  private var produced: String { StatisticsWords.count(figures.frames.producedFrames) }

  private static let width = 720.0
  /// From the panels' edges to what is drawn in them.
  private static let (left, right) = (32.0, 688.0)

  /// The colours of the pages' plots.
  private static let style = """

    :root { --ground: #f4f3f0; --panel: #ffffff; --fill: #e7e6e1; --line: #dedcd6; --text: #18181b; --quiet: #58585f;
      --blue: #0b57cf; --late: #b3121f; --damaged: #8a5200; --starved: #5f3dc4; --r: #c4242f; --g: #1c7a3a; --b: #1f5fd6; }
    @media (prefers-color-scheme: dark) { :root { --ground: #111113; --panel: #1c1c1f; --fill: #2d2d32; --line: #36363c;
      --text: #f4f4f6; --quiet: #adadb6; --blue: #8cbaff; --late: #ff9a94; --damaged: #ffcb73; --starved: #c3b0ff;
      --r: #ff8078; --g: #6fd28b; --b: #7fb0ff; } }
    text { font: 13px system-ui, sans-serif; fill: var(--quiet); }
    .h1 { font-size: 22px; font-weight: 650; fill: var(--text); } .h2 { font-size: 15px; font-weight: 650; fill: var(--text); }
    .ground { fill: var(--ground); } .panel { fill: var(--panel); } .track { fill: var(--fill); }
    .end { text-anchor: end; } .middle { text-anchor: middle; } .figure { fill: var(--text); font-weight: 600; }
    .frame { stroke: var(--line); } .curve { fill: none; stroke-width: 1.5; stroke-linejoin: round; }
    .times { stroke: var(--blue); } .dot { fill: var(--late); stroke: var(--panel); stroke-width: 1.5; }
    .luma { fill: var(--quiet); fill-opacity: 0.28; } .r { stroke: var(--r); } .g { stroke: var(--g); } .b { stroke: var(--b); }
    .c0 { fill: var(--late); } .c1 { fill: var(--damaged); } .c2 { fill: var(--starved); } .c3 { fill: var(--blue); }

    """

  /// A plot with its title, its unit and its words, which say the same.
  private func panel(
    _ name: String, at top: Double, height: Double, _ title: String, _ unit: String,
    _ words: String, _ body: (Double, Double) -> [String]
  ) -> String {
    """
    <g role="img" aria-labelledby="\(name)-title \(name)-words">
    <title id="\(name)-title">\(title)</title>
    <rect class="panel" x="16" y="\(top)" width="\(Self.width - 32)" height="\(height)" rx="16"/>
    <text class="h2" x="\(Self.left)" y="\(top + 28)">\(title)</text>
    <text class="end" x="\(Self.right)" y="\(top + 28)">\(unit)</text>
    \(body(top + 44, top + height - 44).joined(separator: "\n"))
    <text id="\(name)-words" x="\(Self.left)" y="\(top + height - 16)">\(words)</text>
    </g>
    """
  }

  // MARK: The plots, from top to bottom

  private func pacing(_ top: Double, _ end: Double) -> [String] {
    let pacing = figures.pacing
    let wanted = pacing.wantedInterval ?? 1.0 / 30
    let (left, bottom) = (Self.left + 32, end - 20)
    func x(_ age: Double) -> Double {
      Self.right - (Self.right - left) * min(max(age / FramePacing.window, 0), 1)
    }
    // What took longer than three times lies at the edge; the words say how long.
    func y(_ duration: Double) -> Double {
      bottom - (bottom - top) * min(max(duration / (3 * wanted), 0), 1)
    }
    var parts = (0...3).map { step in
      let height = y(Double(step) * wanted)
      return Self.line(left, height, Self.right, height)
        + Self.text(
          StatisticsWords.milliseconds(Double(step) * wanted), left - 6, height + 4, "end")
    }
    for (age, words, anchor) in [
      (60.0, "60 s", "start"), (30, "30 s", "middle"), (0, "end", "end"),
    ] {
      parts.append(Self.text(words, x(age), bottom + 20, anchor))
    }
    for part in pacing.line {
      parts.append(Self.curve(part.map { (x($0.age), y($0.duration)) }, "curve times"))
    }
    for late in pacing.lateIntervals {
      let (x, y) = (Self.number(x(late.age)), Self.number(y(late.duration)))
      parts.append("<circle class=\"dot\" cx=\"\(x)\" cy=\"\(y)\" r=\"4.5\"/>")
    }
    return parts
  }

  private func losses(_ top: Double, _: Double) -> [String] {
    let causes = StatisticsWords.causes(figures.frames)
    let most = Double(max(causes.map(\.count).max() ?? 0, 1))
    let (start, extent) = (Self.left + 190, Self.right - Self.left - 190 - 80)
    return causes.enumerated().map { index, cause in
      let y = top + 6 + 21 * Double(index)
      func bar(_ name: String, _ length: Double) -> String {
        "<rect class=\"\(name)\" x=\"\(start)\" y=\"\(y)\" width=\"\(Self.number(length))\" "
          + "height=\"10\" rx=\"5\"/>"
      }
      return Self.text(cause.name, Self.left, y + 9, "start") + bar("track", extent)
        + bar("c\(index)", extent * Double(max(cause.count, 0)) / most)
        + Self.text(StatisticsWords.count(cause.count), Self.right, y + 9, "end figure")
    }
  }

  private func brightness(_ top: Double, _ end: Double) -> [String] {
    let bottom = end - 20
    var parts = [0.25, 0.5, 0.75].map { share in
      let x = Self.left + (Self.right - Self.left) * share
      return Self.line(x, top, x, bottom)
    }
    if let histogram = figures.histogram {
      let channels = [histogram.luma, histogram.red, histogram.green, histogram.blue].map {
        $0.shares(steps: 64)
      }
      let most = channels.joined().max() ?? 1
      for (shares, name) in zip(channels, ["luma", "curve r", "curve g", "curve b"]) {
        var points = shares.enumerated().map { step, share in
          (
            Self.left + (Self.right - Self.left) * Double(step) / Double(shares.count - 1),
            bottom - (bottom - top) * share / most
          )
        }
        if name == "luma" { points = [(Self.left, bottom)] + points + [(Self.right, bottom)] }
        parts.append(Self.curve(points, name))
      }
    }
    parts.append(Self.line(Self.left, bottom, Self.right, bottom))
    parts.append(Self.text("dark", Self.left, bottom + 20, "start"))
    parts.append(
      Self.text("grey: all; lines: red, green, blue", Self.width / 2, bottom + 20, "middle"))
    parts.append(Self.text("bright", Self.right, bottom + 20, "end"))
    return parts
  }

  // MARK: Elements

  private static func number(_ value: Double) -> String { String(format: "%.1f", value) }

  private static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
    "<line class=\"frame\" x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\" "
      + "y2=\"\(number(y2))\"/>"
  }

  private static func curve(_ points: [(Double, Double)], _ name: String) -> String {
    let places = points.map { "\(number($0.0)) \(number($0.1))" }
    return "<path class=\"\(name)\" d=\"M\(places.joined(separator: "L"))\"/>"
  }

  private static func text(_ words: String, _ x: Double, _ y: Double, _ name: String) -> String {
    "<text class=\"\(name)\" x=\"\(number(x))\" y=\"\(number(y))\">\(text(words))</text>"
  }

  /// Text that may be anything, such as a camera's name, as XML has it.
  private static func text(_ words: String) -> String {
    var plain = ""
    for scalar in Terminal.plain(words).unicodeScalars {
      switch scalar {
      case "&": plain += "&amp;"
      case "<": plain += "&lt;"
      case ">": plain += "&gt;"
      // Which XML has none of.
      case "\u{fffe}", "\u{ffff}": plain += "\u{fffd}"
      default: plain.unicodeScalars.append(scalar)
      }
    }
    return plain
  }
}
