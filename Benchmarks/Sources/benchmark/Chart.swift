import Foundation

/// What was measured as a picture: for each job a bar per method, as long as its time is of the peer's.
struct Chart {
  /// Jobs with a peer, as they were measured.
  private let jobs: [(name: String, methods: [Measurement])]

  private static let (nameWidth, barWidth, margin) = (330.0, 330.0, 16.0)
  private static let (titleHeight, rowHeight, headHeight) = (30.0, 20.0, 44.0)
  /// The longest bar; what took longer is cut off there, and its number tells.
  private static let longest = 1.5

  init(_ measurements: [Measurement]) {
    var jobs: [(name: String, methods: [Measurement])] = []
    for measured in measurements where measured.ratio != nil {
      if jobs.last?.name == measured.job {
        jobs[jobs.count - 1].methods.append(measured)
      } else {
        jobs.append((measured.job, [measured]))
      }
    }
    self.jobs = jobs
  }

  /// The picture, light or dark as the reader's page is.
  var svg: String {
    let rows = jobs.reduce(0) { $0 + $1.methods.count }
    let height =
      Self.headHeight + Double(jobs.count) * Self.titleHeight + Double(rows) * Self.rowHeight
      + Self.margin
    let width = Self.nameWidth + Self.barWidth + 4 * Self.margin
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.text(0)) \(height.text(0))" font-family="sans-serif" font-size="12">
      <style>
      text { fill: #1c1c1e } .quiet { fill: #5c5c61 } .bar { fill: #8e8e93 } .own { fill: #0a7d4f } line { stroke: #5c5c61 }
      @media (prefers-color-scheme: dark) {
        text { fill: #f2f2f7 } .quiet { fill: #a1a1a6 } .bar { fill: #636366 } .own { fill: #30b27a } line { stroke: #a1a1a6 }
      }
      </style>
      <text class="quiet" x="\(Self.margin.text(0))" y="24">Time beside the peer's in the same run; shorter is faster. The line is the peer.</text>

      """
    var y = Self.headHeight
    for job in jobs {
      text += Self.label(job.name, x: Self.margin, y: y + 20, style: "font-weight=\"bold\"")
      y += Self.titleHeight
      let top = y
      for method in job.methods {
        text += Self.row(method, y: y)
        y += Self.rowHeight
      }
      let peer = Self.x(of: 1).text(1)
      text += "<line x1=\"\(peer)\" x2=\"\(peer)\" y1=\"\(top.text(0))\" y2=\"\(y.text(0))\"/>\n"
    }
    return text + "</svg>\n"
  }

  private static func x(of ratio: Double) -> Double {
    nameWidth + 2 * margin + barWidth * min(ratio, longest) / longest
  }

  private static func row(_ method: Measurement, y: Double) -> String {
    let ratio = method.ratio ?? 0
    let isOwn = method.method.hasPrefix("viewfinder")
    let start = x(of: 0)
    return label(method.method, x: margin, y: y + 14, style: "")
      + "<rect class=\"\(isOwn ? "own" : "bar")\" x=\"\(start.text(1))\" y=\"\((y + 4).text(0))\" "
      + "width=\"\((x(of: ratio) - start).text(1))\" height=\"13\"/>\n"
      + label(ratio.text(2), x: x(of: ratio) + 4, y: y + 14, style: "class=\"quiet\"")
  }

  private static func label(_ words: String, x: Double, y: Double, style: String) -> String {
    var escaped = words
    for (sign, entity) in [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")] {
      escaped = escaped.replacingOccurrences(of: sign, with: entity)
    }
    return "<text \(style) x=\"\(x.text(1))\" y=\"\(y.text(1))\">\(escaped)</text>\n"
  }
}
