import Foundation
import Synchronization

/// Counts what the server does, for Prometheus (text-based exposition format 0.0.4).
final class Metrics: Sendable {
  private struct Request: Hashable {
    var method: String
    var route: String
    var status: Int
  }

  private struct Durations {
    var counts = [Int](repeating: 0, count: Metrics.bounds.count)
    var count = 0
    var sum = 0.0
  }

  private struct State {
    var requests: [Request: Int] = [:]
    var durations: [String: Durations] = [:]
    var open = 0
    var lastSweep: Date?
  }

  /// Up to which times requests are counted, in seconds.
  private static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

  private let state = Mutex(State())
  private let start = Date.now

  /// Notes that a request came.
  func begin() { state.withLock { $0.open += 1 } }

  /// Notes that an answer begins.
  ///
  /// - Parameters:
  ///   - method: The method, of those that there are.
  ///   - route: The path with names in place of identifiers, of which there are few.
  ///   - status: The status.
  ///   - seconds: How long it took.
  func end(_ method: String, _ route: String, _ status: Int, seconds: Double) {
    state.withLock { state in
      state.open -= 1
      state.requests[Request(method: method, route: route, status: status), default: 0] += 1
      var durations = state.durations[route] ?? Durations()
      for (index, bound) in Self.bounds.enumerated() where seconds <= bound {
        durations.counts[index] += 1
      }
      durations.count += 1
      durations.sum += seconds
      state.durations[route] = durations
    }
  }

  /// Notes that a sweep went well.
  func swept() { state.withLock { $0.lastSweep = .now } }

  // MARK: Text

  /// All counts.
  ///
  /// - Parameter isReady: Whether the database and the store answer.
  /// - Returns: Lines that Prometheus reads.
  func text(isReady: Bool) -> String {
    let state = state.withLock { $0 }
    var text = Exposition()
    text.add("feed_requests_total", "counter", "Requests that were answered.")
    let requests = state.requests.sorted {
      ($0.key.route, $0.key.method, $0.key.status) < ($1.key.route, $1.key.method, $1.key.status)
    }
    for (request, count) in requests {
      text.add(
        "feed_requests_total{method=\"\(request.method)\",route=\"\(request.route)\",status=\"\(request.status)\"}",
        count)
    }
    text.add("feed_request_seconds", "histogram", "How long answers took to begin.")
    for (route, durations) in state.durations.sorted(by: { $0.key < $1.key }) {
      for (bound, count) in zip(Self.bounds, durations.counts) {
        text.add("feed_request_seconds_bucket{route=\"\(route)\",le=\"\(bound)\"}", count)
      }
      text.add("feed_request_seconds_bucket{route=\"\(route)\",le=\"+Inf\"}", durations.count)
      text.add("feed_request_seconds_sum{route=\"\(route)\"}", durations.sum)
      text.add("feed_request_seconds_count{route=\"\(route)\"}", durations.count)
    }
    text.gauge(
      "feed_requests_open",
      "Requests whose answer hasn't begun, those that wait for news among them.", state.open)
    text.gauge("feed_ready", "Whether the database and the store answer.", isReady ? 1 : 0)
    text.gauge(
      "feed_last_sweep_timestamp_seconds",
      "When what was kept for long enough was forgotten last; 0 for never.",
      state.lastSweep?.timeIntervalSince1970 ?? 0)
    text.gauge(
      "process_start_time_seconds", "When the program started.", start.timeIntervalSince1970)
    text.gauge("process_resident_memory_bytes", "Memory that the program holds.", Self.memory)
    text.gauge("process_open_fds", "Files and connections that are open.", Self.openFiles)
    text.add("process_cpu_seconds_total", "counter", "Time that processors spent on the program.")
    text.add("process_cpu_seconds_total", Self.processorTime)
    return text.lines
  }

  /// In bytes (proc(5), `/proc/self/statm`).
  private static var memory: Int {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(
      separator: " ")
    return (pages?.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  private static var openFiles: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }

  /// In seconds.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
  }
}

/// Lines that Prometheus reads.
private struct Exposition {
  private(set) var lines = ""

  mutating func add(_ name: String, _ kind: String, _ help: String) {
    lines += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
  }

  mutating func add(_ sample: String, _ value: some Numeric & Sendable) {
    lines += "\(sample) \(value)\n"
  }

  mutating func gauge(_ name: String, _ help: String, _ value: some Numeric & Sendable) {
    add(name, "gauge", help)
    add(name, value)
  }
}
