// Measures what a crowd costs the visitors of camera-server's /stream.mjpg.
//
// usage: stream-load [FRAMES] [OPTION OF camera-server …]
//
// One visitor alone, then 30 visitors beside 10 slow ones and 10 who vanish, each for FRAMES frames
// (300). Prints the frame rates, their ratio, and the server's memory.
import Foundation
import ServerSupport

@main struct StreamLoad {
  static func main() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let frames = arguments.first.flatMap { Int($0) }
    if frames != nil { arguments.removeFirst() }
    if arguments.isEmpty { arguments = ["--simulate=steady", "--size=640x480"] }

    let server = try await ServerProcess("camera-server", arguments)
    let alone = await Crowd(eager: 1).visit(server, frames: frames ?? 300)
    show("alone", alone, server)
    let crowd = await Crowd(eager: 30, slow: 10, vanishing: 10)
      .visit(server, frames: frames ?? 300)
    show("in a crowd", crowd, server)
    print("ratio, median: \(number(median(crowd) / median(alone)))")
    print("ratio, slowest: \(number((crowd.map(\.rate).min() ?? 0) / median(alone)))")
    _ = await server.end()
  }

  static func show(_ name: String, _ visits: [Crowd.Visit], _ server: ServerProcess) {
    let rates = visits.map(\.rate)
    print(
      "\(name): \(number(median(visits))) frames/s in the median, "
        + "\(number(rates.min() ?? 0)) to \(number(rates.max() ?? 0)); "
        + "\(visits.reduce(0) { $0 + $1.damaged }) damaged; "
        + "the server has held \(server.peakMemory / 1_000_000) MB at most")
  }

  static func median(_ visits: [Crowd.Visit]) -> Double {
    let rates = visits.map(\.rate).sorted()
    return rates.isEmpty ? 0 : rates[rates.count / 2]
  }

  static func number(_ value: Double) -> String {
    value.formatted(.number.precision(.fractionLength(3)))
  }
}
