import Foundation
import Testing
import Viewfinder

@testable import viewfinder

@Suite struct OutlineArgumentTests {
  static let forms: [(String, Outline)] = [
    ("card", .card()),
    ("card:0.1,0.2,0.5", .id1Card(origin: CGPoint(x: 0.1, y: 0.2), width: 0.5)),
    ("rect:0,0,1,1", .rectangle(CGRect(x: 0, y: 0, width: 1, height: 1))),
    ("RECT:0,0,1,1", .rectangle(CGRect(x: 0, y: 0, width: 1, height: 1))),
    (
      "rounded:0.1,0.2,0.3,0.4,0.05",
      .roundedRectangle(CGRect(x: 0.1, y: 0.2, width: 0.3, height: 0.4), cornerRadius: 0.05)
    ),
    ("ellipse:.1,.2,.3,.4", .ellipse(CGRect(x: 0.1, y: 0.2, width: 0.3, height: 0.4))),
    (
      "polygon:0,0,1,0,0.5,1",
      .polygon([CGPoint(x: 0, y: 0), CGPoint(x: 1, y: 0), CGPoint(x: 0.5, y: 1)])
    ),
    (
      "quad:-0.1,0,1,0,1,1,0,1",
      .quadrilateral(
        Quadrilateral(
          topLeft: CGPoint(x: -0.1, y: 0), topRight: CGPoint(x: 1, y: 0),
          bottomRight: CGPoint(x: 1, y: 1), bottomLeft: CGPoint(x: 0, y: 1)))
    ),
  ]

  @Test("Every form of an outline is read", arguments: forms)
  func form(text: String, outline: Outline) throws {
    #expect(try OutlineArgument(text).outline == outline)
  }

  @Test(
    "Numbers are pixels as soon as one is greater than 1",
    arguments: ["card:0,0,1.5", "rect:0,0,1,1.01", "rounded:0,0,1,1,8", "polygon:0,0,1,0,0,2"])
  func pixels(text: String) throws {
    guard case .inPixels = try OutlineArgument(text).outline else {
      Issue.record("\(text) was taken for units")
      return
    }
  }

  static let mistakes: [(String, String)] = [
    ("", "is no outline"),
    ("blob", "“blob”"),
    ("rect", "rect:X,Y,W,H"),
    ("rect:", "1 number given"),
    ("rect:1,2,3", "3 numbers given"),
    ("rect:1,2,3,4,5", "5 numbers given"),
    ("rect:1,2,x,4", "W is “x”"),
    ("rect:1,,3,4", "Y is “”"),
    ("rect:0,0,0,1", "W must be greater"),
    ("rect:0,0,1,-1", "H must be greater"),
    ("rounded:0,0,1,1,-1", "radius R"),
    ("ellipse:0,0,nan,1", "W is “nan”"),
    ("ellipse:0,0,0x1p3,1", "W is “0x1p3”"),
    ("card:1,2", "card:X,Y,W"),
    ("card:1,2,0", "W must be greater"),
    ("polygon:0,0,1,1", "three points"),
    ("polygon:0,0,1,1,2", "5 numbers given"),
    ("quad:0,0,1,0,1,1,0", "7 numbers given"),
    ("quad:0,0,1,0,1,1,0,inf", "Y4 is “inf”"),
  ]

  @Test("A mistake in an outline is named", arguments: mistakes)
  func mistake(text: String, message: String) {
    let error = #expect(throws: ArgumentProblem.self) { try OutlineArgument(text) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }
}
