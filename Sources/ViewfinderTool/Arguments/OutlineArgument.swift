import Foundation
import Viewfinder

/// An outline as people type it.
struct OutlineArgument {
  /// The forms, for the help.
  static let help = """
    The shape to crop to: card (a bank card's outline in the middle), card:X,Y,W (with its top \
    left corner and width), rect:X,Y,W,H, rounded:X,Y,W,H,R, ellipse:X,Y,W,H, polygon:X,Y,X,Y,… \
    quad:X,Y,X,Y,X,Y,X,Y (corners clockwise from the top left), detect (the card or sheet that is \
    found, pulled straight) or detect:X,Y,W,H (the one whose middle lies there). Numbers are units \
    of the upright picture's width and height if none is greater than 1 (R of the width), else \
    pixels.
    """

  /// The outline.
  let outline: Outline

  /// Reads an outline.
  ///
  /// - Throws: ``ArgumentProblem`` that names the part that is wrong.
  init(_ text: String) throws {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts[0].lowercased()
    guard let form = Self.forms[name] else {
      throw ArgumentProblem(
        "“\(parts[0])” is no outline; the outlines are card, rect, rounded, ellipse, polygon, "
          + "quad and detect.")
    }
    guard parts.count == 2 else {
      guard let whole = form.whole else {
        throw ArgumentProblem("\(name) needs numbers: \(form.usage).")
      }
      outline = whole
      return
    }
    let numbers = try Self.numbers(parts[1], form)
    let made = try form.make(numbers)
    outline = numbers.allSatisfy { $0 <= 1 } ? made : .inPixels(made)
  }

  private struct Form {
    var usage: String
    /// The names of the numbers, as messages call them; polygons repeat theirs.
    var names: [String]
    var repeats = false
    /// The outline without numbers.
    var whole: Outline?
    var make: @Sendable ([Double]) throws -> Outline
  }

  private static let forms: [String: Form] = [
    "card": Form(usage: "card:X,Y,W", names: ["X", "Y", "W"], whole: .card()) { n in
      try positive(n[2], "W")
      return .id1Card(origin: CGPoint(x: n[0], y: n[1]), width: n[2])
    },
    "rect": Form(usage: "rect:X,Y,W,H", names: ["X", "Y", "W", "H"]) { n in
      .rectangle(try frame(n))
    },
    "rounded": Form(usage: "rounded:X,Y,W,H,R", names: ["X", "Y", "W", "H", "R"]) { n in
      guard n[4] >= 0 else { throw ArgumentProblem("the radius R can't be negative.") }
      return .roundedRectangle(try frame(n), cornerRadius: n[4])
    },
    "ellipse": Form(usage: "ellipse:X,Y,W,H", names: ["X", "Y", "W", "H"]) { n in
      .ellipse(try frame(n))
    },
    "polygon": Form(usage: "polygon:X,Y,X,Y,X,Y,…", names: ["X", "Y"], repeats: true) { n in
      guard n.count >= 6 else { throw ArgumentProblem("a polygon has three points or more.") }
      return .polygon(points(n))
    },
    "detect": Form(
      usage: "detect:X,Y,W,H", names: ["X", "Y", "W", "H"], whole: .detected()
    ) { n in
      .detected(within: try frame(n))
    },
    "quad": Form(
      usage: "quad:X,Y,X,Y,X,Y,X,Y",
      names: ["X1", "Y1", "X2", "Y2", "X3", "Y3", "X4", "Y4"]
    ) { n in
      let corners = points(n)
      return .quadrilateral(
        Quadrilateral(
          topLeft: corners[0], topRight: corners[1], bottomRight: corners[2],
          bottomLeft: corners[3]))
    },
  ]

  private static func numbers(_ text: Substring, _ form: Form) throws -> [Double] {
    let texts = text.split(separator: ",", omittingEmptySubsequences: false)
    let isComplete =
      form.repeats
      ? texts.count % form.names.count == 0 : texts.count == form.names.count
    guard isComplete else {
      throw ArgumentProblem(
        "\(texts.count) \(texts.count == 1 ? "number" : "numbers") given where "
          + "\(form.usage) is needed.")
    }
    return try texts.enumerated().map { index, text in
      guard let number = Value.number(text) else {
        let name = form.names[index % form.names.count]
        throw ArgumentProblem("\(name) is “\(text)”, which is no number, in \(form.usage).")
      }
      return number
    }
  }

  private static func frame(_ n: [Double]) throws -> CGRect {
    try positive(n[2], "W")
    try positive(n[3], "H")
    return CGRect(x: n[0], y: n[1], width: n[2], height: n[3])
  }

  private static func positive(_ number: Double, _ name: String) throws {
    guard number > 0 else { throw ArgumentProblem("\(name) must be greater than 0.") }
  }

  private static func points(_ n: [Double]) -> [CGPoint] {
    stride(from: 0, to: n.count, by: 2).map { CGPoint(x: n[$0], y: n[$0 + 1]) }
  }
}
