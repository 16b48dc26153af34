import AsyncHTTPClient
import Foundation
import ServerSupport
import Testing
import Viewfinder
import ViewfinderPages

@Suite("The program", .serialized) struct ProgramTests {
  static let options = ["--simulate=steady", "--size", "640x480"]

  @Test(
    "It serves the page, a stream and photos where it says, and ends on SIGTERM and SIGINT",
    arguments: [SIGTERM, SIGINT])
  func lifeTime(signal: Int32) async throws {
    let server = try await ServerProcess("camera-server", Self.options)
    let address = /http:\/\/127\.0\.0\.1:[0-9]+\/\?token=[0-9a-f]{32}/
    #expect(server.address.wholeMatch(of: address) != nil)
    let page = try await get(server.address)
    #expect(String(decoding: page, as: UTF8.self).contains("<viewfinder-live"))
    let visits = await Crowd(eager: 1).visit(server, frames: 3)
    #expect(visits.first?.frames == 3)
    let photo = try PixelBuffer(decoding: try await get(server.url("photo.jpg?outline=card")))
    #expect(photo.dimensions.width == 512)
    // Also with a stream open.
    let visitor = try #require(StreamVisitor(server))
    #expect(visitor.nextFrame() != nil)
    #expect(await server.end(signal) == 0)
    while visitor.nextFrame() != nil {}
  }

  @Test(
    "Options that can't be end it with words that name what is wrong",
    arguments: [
      ("--simulate=heart", "the scenes are card, steady, bars and grey"),
      ("--simulate --device 0", "--device and --simulate exclude each other"),
      ("--faults eio@1", "--faults needs --simulate or --replay"),
      ("--simulate --size big", "'big' is invalid for '--size"),
      ("--simulate --quality 0", "from 1 to 100"),
      ("--simulate --rate 0", "frames a second"),
      ("--simulate --rotate 45", "0, 90, 180 or 270"),
      ("--simulate --token-file /dev/null", "there is no token"),
      ("--simulate --no-token --listen 0.0.0.0:0", "--no-token is for this machine alone"),
      ("--simulate --no-token --public-url https://a.example", "--no-token is for this machine"),
      ("--simulate --listen nowhere:99999", "'nowhere:99999' is invalid for '--listen"),
      ("--simulate --listen 203.0.113.1:0", "this machine doesn't have that address"),
      ("--replay /nowhere.mjpeg", "/nowhere.mjpeg can't be read: No such file"),
    ])
  func badOptions(options: String, words: String) async throws {
    let failure = await #expect(throws: ServerProcess.Failure.self) {
      _ = try await ServerProcess("camera-server", options.split(separator: " ").map(String.init))
    }
    let line = failure?.description ?? ""
    #expect(line.hasPrefix("Error: ") && line.contains(words), "\(line)")
  }

  @Test("Visitors need the token, which outlives the program, unless they are told to need none")
  func token() async throws {
    let first = try await ServerProcess("camera-server", Self.options)
    let again = try await ServerProcess("camera-server", Self.options)
    #expect(first.token != nil && first.token == again.token)
    let stranger = APIClient(first.url("").replacing(/\?.*/, with: ""), token: nil)
    #expect(try await stranger.ask("GET", "stats.json").status == 401)
    let open = try await ServerProcess("camera-server", Self.options + ["--no-token"])
    #expect(open.token == nil)
    #expect(try await APIClient(open.address, token: nil).ask("GET", "stats.json").status == 200)
  }

  @Test(
    "Among slow and vanishing visitors the others get whole frames, encoded once; memory stays"
  )
  func crowd() async throws {
    let server = try await ServerProcess("camera-server", Self.options)
    let visits = await Crowd(eager: 30, slow: 10, vanishing: 10)
      .visit(server, frames: 40)
    #expect(visits.map(\.frames) == Array(repeating: 40, count: 30))
    #expect(visits.allSatisfy { $0.damaged == 0 })
    let report = try await report(of: server)
    // A frame is encoded once, whoever watches; the numbers are of different moments.
    #expect(report.encodedFrames <= report.frames.delivered)
    #expect(report.sentFrames >= 30 * 40)
    // Each visitor has a few frames at most: fifty with 40 kB each are little beside the program.
    #expect(server.peakMemory < 200_000_000)
    try await wait("the last one to leave") { try await self.report(of: server).clients == 0 }
    #expect(await server.end() == 0)
  }

  private func report(of server: ServerProcess) async throws -> LiveReport {
    try JSONDecoder().decode(LiveReport.self, from: try await get(server.url("stats.json")))
  }

  private func get(_ url: String) async throws -> Data {
    let request = HTTPClientRequest(url: url)
    let response = try await HTTPClient.patient.execute(request, timeout: .seconds(120))
    return Data(try await response.body.collect(upTo: 1 << 26).readableBytesView)
  }
}
