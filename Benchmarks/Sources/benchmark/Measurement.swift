import CMeasure
import Foundation

/// One way to do a job.
struct Method {
  let name: String
  /// Does the job once on frame number `frame` and returns the size of the result, in bytes.
  let run: (_ frame: Int) throws -> Int
}

/// What measuring a method gave.
///
/// Times are CPU time of the process, or wall time where the job says so, in milliseconds.
struct Measurement: Encodable {
  let job: String
  let method: String
  let median: Double
  let best: Double
  /// The median over the samples of this method's time by the peer's of the same sample.
  let ratio: Double?
  /// The mean size of the results, in bytes; 0 where it says nothing.
  let bytes: Int
}

/// Measures methods side by side.
///
/// Each sample runs all of them on the same frame, in an order of its own, so that what the machine
/// does meanwhile hits all alike. The ratio is to the method called `peer`. `clock` gives nanoseconds.
func race(
  _ job: String, samples: Int, peer: String?, clock: () -> UInt64 = measure_cpu_time,
  _ methods: [Method]
) throws -> [Measurement] {
  var times = Array(repeating: [Double](), count: methods.count)
  var bytes = Array(repeating: 0, count: methods.count)
  for warmUp in 0..<min(2, samples) {
    for method in methods { _ = try method.run(warmUp) }
  }
  for sample in 0..<samples {
    for index in methods.indices.shuffled() {
      let start = clock()
      bytes[index] += try methods[index].run(sample)
      times[index].append(Double(clock() - start) / 1e6)
    }
  }
  let peerTimes = methods.firstIndex { $0.name == peer }.map { times[$0] }
  return methods.indices.map { index in
    Measurement(
      job: job, method: methods[index].name, median: median(times[index]),
      best: times[index].min() ?? 0,
      ratio: peerTimes.map { median(zip(times[index], $0).map { $0 / $1 }) },
      bytes: bytes[index] / samples)
  }
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? 0 : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

/// Prints rows of text in columns: the first to the left, the others to the right.
func printTable(_ title: String, _ header: [String], _ rows: [[String]]) {
  let table = [header] + rows
  let widths = header.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
  print("\n\(title)\n")
  for row in table {
    let cells = row.indices.map { column in
      let blanks = String(repeating: " ", count: widths[column] - row[column].count)
      return column == 0 ? row[column] + blanks : blanks + row[column]
    }
    print("  " + cells.joined(separator: "   "))
  }
}

func printTable(_ title: String, _ measurements: [Measurement]) {
  printTable(
    title, ["", "median ms", "best ms", "x peer", "kB"],
    measurements.map {
      [
        $0.method, $0.median.text(3), $0.best.text(3), $0.ratio?.text(2) ?? "",
        $0.bytes == 0 ? "" : "\($0.bytes / 1000)",
      ]
    })
}

extension Double {
  func text(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}
