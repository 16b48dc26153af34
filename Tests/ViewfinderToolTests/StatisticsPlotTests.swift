import Foundation
import FoundationXML
import Testing

@testable import Viewfinder
@testable import viewfinder

/// The texts of a drawing by their elements' ids, and whether it is XML at all.
private final class Drawing: NSObject, XMLParserDelegate {
  var texts: [String: String] = [:]
  var roles: [String] = []
  var circles = 0
  private var open: String?

  init(_ svg: String) throws {
    super.init()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = self
    guard parser.parse() else { throw try #require(parser.parserError) }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    open = attributes["id"]
    if let role = attributes["role"] { roles.append(role) }
    if name == "circle" { circles += 1 }
    for (_, value) in attributes { #expect(!value.contains("nan") && !value.contains("inf")) }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if let open { texts[open, default: ""] += string }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) { open = nil }
}

@Suite struct StatisticsPlotTests {
  private func history(_ milliseconds: [Int], wanted: Double? = 30) -> FrameHistory {
    var history = FrameHistory()
    for time in milliseconds {
      history.add(.milliseconds(time), wanted: wanted.flatMap { FrameInterval(frameRate: $0) })
    }
    return history
  }

  @Test("The plot says what the figures say") func figures() throws {
    var figures = CaptureFigures()
    var times = (0..<100).map { $0 * 33 }
    for index in 50..<100 { times[index] += 59 }
    for index in 80..<100 { times[index] += 33 }
    let end = Duration.milliseconds(times.last! + 2000)
    figures.pacing = FramePacing(history(times), at: end)
    figures.frames.producedFrames = 108_412
    figures.frames.lostFrames = 21
    figures.frames.corruptFrames = 9
    let size = Dimensions(width: 10, height: 10)
    let grey = Data(repeating: 0, count: 10) + Data(repeating: 100, count: 90)
    figures.histogram = try PixelBuffer(pixelFormat: .grey, dimensions: size, data: grey)
      .histogram()
    let drawing = try Drawing(StatisticsPlot(figures, camera: "USB Camera").svg)
    #expect(drawing.texts["title"] == "Statistics of USB Camera")
    #expect(
      drawing.texts["pacing-words"]
        == "Mostly 33 ms. 2 came late, the latest after 92 ms, 4 s before the end.")
    #expect(
      drawing.texts["losses-words"]
        == "30 of 108,412 frames were lost: never arrived 21, damaged 9.")
    #expect(
      drawing.texts["brightness-words"]
        == "Dark parts have lost their details: 10.0 % black, 0.0 % white.")
    #expect(drawing.roles == ["group", "img", "img", "img"])
    #expect(drawing.circles == 2)
  }

  @Test("Streams of nothing, of one frame and without a rate have a plot, too")
  func hostile() throws {
    for (times, wanted) in [
      ([], 30.0), ([5], 30), ([0, 33], nil), ([0, 1], 100_000), ([0, 60_000], 0),
    ]
      as [([Int], Double?)]
    {
      var figures = CaptureFigures()
      figures.pacing = FramePacing(
        history(times, wanted: wanted), at: .milliseconds(times.last ?? 0))
      let svg = StatisticsPlot(figures, camera: "Cam <&>\"'\u{1b}[31m\u{ffff}\u{202e}").svg
      let drawing = try Drawing(svg)
      #expect(drawing.texts["losses-words"] == "No frames came.")
      #expect(drawing.texts["brightness-words"] == "No picture could be looked at.")
      if times.count < 2 {
        #expect(drawing.texts["pacing-words"] == "No two frames came one after the other.")
      }
    }
  }

  @Test("A stream's statistics are a file of their own", arguments: ["mjpeg", "y4m"])
  func file(type: String) async throws {
    let folder = try Folder()
    let run = try await tool(
      ["stream", "--simulate=steady", "--size", "320x240", "--type", type, "--count", "5"]
        + ["--statistics", "plot.svg"], in: folder)
    #expect(run.status == 0)
    #expect(!run.output.isEmpty)
    let drawing = try Drawing(String(decoding: folder.data("plot.svg"), as: UTF8.self))
    #expect(drawing.texts["pacing-words"]?.hasPrefix("Mostly ") == true)
    #expect(drawing.texts["brightness-words"]?.contains("% white") == true)
    #expect(folder.names == ["plot.svg"])
  }

  @Test("A signal and a camera that goes away leave the statistics", arguments: [false, true])
  func interrupted(bySignal: Bool) async throws {
    let folder = try Folder()
    let null = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/null"))
    let faults = bySignal ? [] : ["--faults", "unplug@8", "--wait", "0"]
    var calls = 0
    let run = try await tool(
      ["stream", "--simulate=steady", "--size", "320x240", "--statistics", "plot.svg"] + faults,
      in: folder, output: null
    ) { process in
      calls += 1
      if bySignal, calls == 200 { kill(process.processIdentifier, SIGINT) }
    }
    #expect(run.status == (bySignal ? 130 : 69))
    _ = try Drawing(String(decoding: folder.data("plot.svg"), as: UTF8.self))
  }

  @Test("A place where no file can be is told before the camera starts")
  func wrongPlace() async throws {
    let folder = try Folder()
    for (path, status) in [("missing/plot.svg", 74), (".", 74), ("-", 64)] as [(String, Int32)] {
      let run = try await tool(
        ["stream", "--simulate=steady", "--count", "1", "--statistics", path], in: folder)
      #expect(run.status == status)
      #expect(run.output.isEmpty)
      #expect(!run.errors.isEmpty)
    }
  }
}
