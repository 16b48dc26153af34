import Foundation

/// What was measured as a picture: for each job the first way that is Viewfinder's, by a bar as long as its time is
/// of the peer's.
struct Chart {
  private struct Row {
    var job: String
    var own: Measurement
    var peer: String
  }

  /// Jobs with a peer, as they were measured.
  private let rows: [Row]

  private static let (nameWidth, barWidth, margin) = (500.0, 270.0, 16.0)
  private static let (rowHeight, headHeight) = (36.0, 40.0)
  /// The longest bar; what took longer is cut off there, and its number tells.
  private static let longest = 1.5

  init(_ measurements: [Measurement]) {
    var names: [String] = []
    for measured in measurements where !names.contains(measured.job) { names.append(measured.job) }
    rows = names.compactMap { name in
      let methods = measurements.filter { $0.job == name && $0.ratio != nil }
      guard let own = methods.first(where: { $0.method.hasPrefix("viewfinder") }),
        let peer = methods.first(where: { $0.ratio == 1 })
      else { return nil }
      return Row(job: name, own: own, peer: peer.method)
    }
  }

  /// The picture, light or dark as the reader's page is.
  var svg: String {
    let bottom = Self.headHeight + Double(rows.count) * Self.rowHeight
    let width = Self.nameWidth + Self.barWidth + 4 * Self.margin
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.text(0)) \((bottom + Self.margin).text(0))" font-family="sans-serif" font-size="13">
      <style>
      text { fill: #1c1c1e } .quiet { fill: #5c5c61; font-size: 11px } .own { fill: #0a7d4f } line { stroke: #5c5c61 }
      @media (prefers-color-scheme: dark) {
        text { fill: #f2f2f7 } .quiet { fill: #a1a1a6 } .own { fill: #30b27a } line { stroke: #a1a1a6 }
      }
      </style>
      <text class="quiet" x="\(Self.margin.text(0))" y="24">Time beside the peer's, in one run; shorter is faster. The line is the peer.</text>

      """
    for (index, row) in rows.enumerated() {
      text += Self.drawn(row, y: Self.headHeight + Double(index) * Self.rowHeight)
    }
    let peer = Self.x(of: 1).text(1)
    return text + """
      <line x1="\(peer)" x2="\(peer)" y1="\((Self.headHeight - 4).text(0))" y2="\(bottom.text(0))"/>
      </svg>

      """
  }

  private static func x(of ratio: Double) -> Double {
    nameWidth + 2 * margin + barWidth * min(ratio, longest) / longest
  }

  private static func drawn(_ row: Row, y: Double) -> String {
    let ratio = row.own.ratio ?? 0
    let (start, end) = (x(of: 0), x(of: ratio))
    return label(row.job, x: margin, y: y + 14, style: "")
      + label("\(row.own.method) / \(row.peer)", x: margin, y: y + 28, style: "class=\"quiet\"")
      + "<rect class=\"own\" x=\"\(start.text(1))\" y=\"\((y + 4).text(0))\" "
      + "width=\"\((end - start).text(1))\" height=\"16\"/>\n"
      + label(ratio.text(2), x: end + 4, y: y + 17, style: "")
  }

  private static func label(_ words: String, x: Double, y: Double, style: String) -> String {
    var escaped = words
    for (sign, entity) in [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")] {
      escaped = escaped.replacingOccurrences(of: sign, with: entity)
    }
    return "<text \(style) x=\"\(x.text(1))\" y=\"\(y.text(1))\">\(escaped)</text>\n"
  }
}
