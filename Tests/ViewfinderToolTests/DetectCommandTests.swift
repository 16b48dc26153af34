import Foundation
import Testing
import Viewfinder

@Suite struct DetectCommandTests {
  private struct Report: Decodable {
    struct Candidate: Decodable {
      var corners: [[Double]]
      var confidence: Double
      var kind: String
      var outline: String
    }
    var input: String
    var width: Int?
    var height: Int?
    var candidates: [Candidate]?
    var exitCode: Int32?
  }

  /// The simulated camera's card, a grey picture, and what is none.
  private func pictures() async throws -> Folder {
    let folder = try Folder()
    let photo = try await tool(
      ["photo", "--simulate", "--size", "1280x720", "-o", "card.jpg"], in: folder)
    try #require(photo.status == 0, "\(photo.errors)")
    let grey = try PixelBuffer(
      pixelFormat: .grey, dimensions: Dimensions(width: 640, height: 480),
      data: Data(repeating: 99, count: 640 * 480))
    try grey.pngData().write(to: folder.url.appending(component: "grey.png"))
    try Data("no picture".utf8).write(to: folder.url.appending(component: "none.jpg"))
    return folder
  }

  @Test("Tells a card's corners in pixels, as JSON and for people, and draws them")
  func card() async throws {
    let folder = try await pictures()
    let run = try await tool(
      ["detect", "card.jpg", "--json", "--draw", "drawn.png"], in: folder)
    #expect(run.status == 0 && run.errors == "")
    let report = try JSONDecoder().decode(Report.self, from: run.output)
    #expect((report.width, report.height) == (1280, 720))
    let card = try #require(report.candidates?.first)
    #expect(card.kind == "card" && card.confidence > 0.5 && card.corners.count == 4)
    #expect(card.corners.allSatisfy { (0...1280).contains($0[0]) && (0...720).contains($0[1]) })
    let drawn = try PixelBuffer(
      decoding: Data(contentsOf: folder.url.appending(component: "drawn.png"))
    ).converted(to: .rgb24)
    let place =
      Int(card.corners[0][1]) * drawn.bytesPerRow() + Int(card.corners[0][0]) * 3
    #expect([0, 1, 2].map { drawn.bytes()[place + $0] } == [40, 220, 80])
    let text = try await tool(["detect", "card.jpg"], in: folder)
    #expect(String(decoding: text.output, as: UTF8.self).hasPrefix("card.jpg  card  "))
    #expect(String(decoding: text.output, as: UTF8.self).contains(card.outline))
  }

  @Test("Whole numbers of corners are the middles of pixels, and crop takes the outline as it is")
  func middles() async throws {
    let folder = try Folder()
    // A white sheet of 400 × 252 pixels on grey: its sides lie between two pixels.
    let white = (150..<402).flatMap { y in (200..<600).map { 800 * y + $0 } }
    var bytes = Data(repeating: 70, count: 800 * 600)
    for place in white { bytes[place] = 220 }
    let picture = try PixelBuffer(
      pixelFormat: .grey, dimensions: Dimensions(width: 800, height: 600), data: bytes)
    try picture.pngData().write(to: folder.url.appending(component: "sheet.png"))
    let found = try await tool(["detect", "sheet.png", "--json"], in: folder)
    let report = try JSONDecoder().decode(Report.self, from: found.output)
    let sheet = try #require(report.candidates?.first)
    let sides = [[199.5, 149.5], [599.5, 149.5], [599.5, 401.5], [199.5, 401.5]]
    for (corner, point) in zip(sheet.corners.joined(), sides.joined()) {
      #expect(abs(corner - point) < 0.25, "\(sheet.corners)")
    }
    let crop = try await tool(
      ["crop", "sheet.png", "--outline", sheet.outline, "-o", "straight.png"], in: folder)
    #expect(crop.status == 0, "\(crop.errors)")
    let straight = try PixelBuffer(
      decoding: Data(contentsOf: folder.url.appending(component: "straight.png")))
    #expect(straight.dimensions == Dimensions(width: 400, height: 252))
  }

  @Test("Ends with 1 when nothing was found, and with the code of what can't be read")
  func exitCodes() async throws {
    let folder = try await pictures()
    #expect(try await tool(["detect", "grey.png"], in: folder).status == 1)
    let run = try await tool(["detect", "grey.png", "card.jpg", "none.jpg", "--json"], in: folder)
    #expect(run.status == EX_DATAERR)
    let reports = try run.output.split(separator: 0x0a).map {
      try JSONDecoder().decode(Report.self, from: $0)
    }
    #expect(reports.map(\.input) == ["grey.png", "card.jpg", "none.jpg"])
    #expect(reports.map { $0.candidates?.count } == [0, 1, nil])
    #expect(reports[2].exitCode == EX_DATAERR)
    #expect(try await tool(["detect", "grey.png", "card.jpg"], in: folder).status == 0)
  }

  @Test("Crops to what is found, straight and with round corners, and tells where nothing is")
  func cropping() async throws {
    let folder = try await pictures()
    let run = try await tool(
      ["crop", "card.jpg", "--outline", "detect", "-o", "straight.png", "--json"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let straight = try PixelBuffer(
      decoding: Data(contentsOf: folder.url.appending(component: "straight.png")))
    let (width, height) = (straight.dimensions.width, straight.dimensions.height)
    #expect(abs(Double(width) / Double(height) - 85.6 / 53.98) < 0.03)
    let pixels = try straight.converted(to: .rgba32)
    func alpha(_ x: Int, _ y: Int) -> UInt8 { pixels.bytes()[y * pixels.bytesPerRow() + 4 * x + 3] }
    #expect([alpha(0, 0), alpha(width - 1, height - 1)] == [0, 0])
    #expect([alpha(width / 2, 0), alpha(0, height / 2), alpha(30, 30)] == [255, 255, 255])
    let none = try await tool(
      ["crop", "grey.png", "--outline", "detect", "-o", "none.jpg"], in: folder)
    #expect(none.status == EX_DATAERR && none.errors.contains("no card or sheet was found"))
  }

  @Test("A photo is cropped to what is found, also when a card takes it by itself")
  func photos() async throws {
    let folder = try Folder()
    for options in [[], ["--auto-shutter", "--max-time", "60"]] {
      let run = try await tool(
        [
          "photo", "--simulate", "steady", "--size", "1280x720", "--outline", "detect", "-o",
          "a.jpg",
          "--json",
        ]
          + options, in: folder)
      #expect(run.status == 0, "\(run.errors)")
      let report = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
      let photo = try #require((report?["photos"] as? [[String: Any]])?.first)
      let detected = try #require(photo["detected"] as? [String: Any])
      #expect((detected["corners"] as? [[Double]])?.count == 4)
      #expect((photo["width"] as? Int).map { (500..<900).contains($0) } == true)
    }
  }

  @Test("Where no card is, a photo is whole and told, and an automatic shutter gives up in time")
  func noCard() async throws {
    let folder = try Folder()
    let camera = ["photo", "--simulate", "bars", "--size", "640x480", "-o", "a.jpg"]
    let whole = try await tool(camera + ["--outline", "detect"], in: folder)
    #expect(whole.status == 1 && whole.errors.contains("the photo is whole"))
    let picture = try PixelBuffer(
      decoding: Data(contentsOf: folder.url.appending(component: "a.jpg")))
    #expect(picture.dimensions == Dimensions(width: 640, height: 480))
    let none = try await tool(camera + ["--auto-shutter", "--max-time", "0.3"], in: folder)
    #expect(none.status == EX_UNAVAILABLE && none.errors.contains("No card lay still"))
    let both = try await tool(camera + ["--auto-shutter", "--interval", "1"], in: folder)
    #expect(both.status == EX_USAGE)
  }

  @Test(
    "What makes no sense is refused with what to do",
    arguments: [
      ["--candidates", "0"], ["--candidates", "13"], ["--confidence", "1.1"],
      ["card.jpg", "--draw", "a.png"],
    ])
  func refused(options: [String]) async throws {
    let folder = try Folder()
    let run = try await tool(["detect", "card.jpg"] + options, in: folder)
    #expect(run.status == EX_USAGE)
    #expect(!run.errors.isEmpty)
  }
}
