import CMeasure
import Foundation

/// Measures Viewfinder beside its peers and prints what came out.
@main struct Benchmark {
  static let usage = """
    usage: benchmark [--samples N] [--json FILE] [--chart FILE] [grab] [encode] [still] [stream]
                     [decode] [file] [thumbnail] [check] [crop] [rectify] [detect] [kernels]
                     [programs]

    Measures all jobs, or those named. Each job is done N times (51) by every method, in an order
    that changes. --chart draws what was measured beside a peer, as SVG. Exits with 1 when the
    grabber allocates memory per frame.
    """

  static func main() throws {
    let jobs = [
      "grab", "encode", "still", "stream", "decode", "file", "thumbnail", "check", "crop",
      "rectify", "detect", "kernels", "programs",
    ]
    var samples = 51
    var json: String?
    var chart: String?
    var chosen: Set<String> = []
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
      switch argument {
      case "--samples":
        guard let number = arguments.popFirst().flatMap({ Int($0) }), number > 0 else { fail() }
        samples = number
      case "--json":
        guard let path = arguments.popFirst() else { fail() }
        json = path
      case "--chart":
        guard let path = arguments.popFirst() else { fail() }
        chart = path
      case "--help":
        print(usage)
        return
      default:
        guard jobs.contains(argument) else { fail() }
        chosen.insert(argument)
      }
    }
    func wants(_ job: String) -> Bool { chosen.isEmpty || chosen.contains(job) }

    // Here and not for the whole program: Dispatch has as many threads as it sees cores when it starts.
    _ = measure_allow_all_cores(0)
    print(
      "CPU time, all threads together, unless a table says otherwise; "
        + "\(samples) samples of each method, interleaved.")
    var results: [Measurement] = []
    var isSteady = true
    // First, while no other job's threads are there, for allocations are counted in all of them: a session's thread for
    // calls of drivers stays for five seconds, and allocates as it ends.
    if wants("grab") {
      let (measured, steady) = try grab(samples: samples)
      results += measured
      isSteady = steady
    }
    if wants("encode") { results += try encode(samples: samples) }
    if wants("still") { results += try still(samples: samples) }
    if wants("stream") { results += try stream(samples: samples) }
    if wants("decode") { results += try decode(samples: samples) }
    if wants("file") { results += try file(samples: samples) }
    if wants("thumbnail") { results += try thumbnail(samples: samples) }
    if wants("check") { results += try check(samples: samples) }
    if wants("crop") {
      results += try crop(samples: samples)
      results += try cropOnAllCores(samples: samples)
    }
    if wants("rectify") { results += try rectify(samples: samples) }
    if wants("detect") { results += try detect(samples: samples) }
    if wants("kernels") { results += try kernels(samples: samples) }
    if wants("programs") { results += try programs(samples: samples) }

    if let json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(results).write(to: URL(fileURLWithPath: json))
    }
    if let chart {
      try Data(Chart(results).svg.utf8).write(to: URL(fileURLWithPath: chart))
    }
    if !isSteady {
      print("\nA frame allocates memory or brings new pages: it must not.")
      exit(1)
    }
  }

  static func fail() -> Never {
    FileHandle.standardError.write(Data((usage + "\n").utf8))
    exit(64)
  }
}
