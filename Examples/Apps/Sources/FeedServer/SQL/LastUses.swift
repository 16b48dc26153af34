import Synchronization

/// When devices were here, until it is written down: no request waits for that.
final class LastUses: Sendable {
  /// How exact what is written is, in seconds, so that a device costs one write a day.
  private static let exactness = 86_400

  private let times = Mutex<[Int64: Int]>([:])

  /// Notes that a device is here, if what is written of it is too old.
  func note(_ device: Int64, at now: Int, written: Int) {
    guard written <= now - Self.exactness else { return }
    times.withLock { $0[device] = now }
  }

  /// When a device was here, where that isn't written down yet.
  func time(of device: Int64) -> Int? { times.withLock { $0[device] } }

  /// All that isn't written down yet, in an order that is the same in each copy of the server.
  var open: [(device: Int64, time: Int)] {
    times.withLock { times in times.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
  }

  /// Forgets what is written down.
  func forget(_ written: some Sequence<(device: Int64, time: Int)>) {
    times.withLock { times in
      for (device, time) in written where times[device] == time { times[device] = nil }
    }
  }
}
