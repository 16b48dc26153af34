import Dispatch

/// A serial queue for each delegate that has something under way.
///
/// A delegate's calls never overlap, whatever they are about, and one that doesn't return keeps nobody
/// waiting but itself.
final class DelegateQueues: Sendable {
  /// A delegate's queue, which is the same for all that hold it at a time.
  final class Line: Sendable {
    let queue = DispatchQueue(label: "viewfinder.photo.delegate", qos: .userInitiated)
  }

  private struct Entry {
    weak var line: Line?
  }

  private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  /// The queue of a delegate, whom the holder of the line holds as well.
  func line(for delegate: AnyObject) -> Line {
    entries.withLock { entries in
      if let line = entries[ObjectIdentifier(delegate)]?.line { return line }
      entries = entries.filter { $0.value.line != nil }
      let line = Line()
      entries[ObjectIdentifier(delegate)] = Entry(line: line)
      return line
    }
  }
}
