import Viewfinder

/// Whether the library has looked at all folders since it was opened.
final class FirstScan: Sendable {
  private let broadcast = Broadcast<Bool>(.states)
  private let isDone = Mutex(false)

  var isFinished: Bool { isDone.withLock { $0 } }

  func finish() {
    isDone.withLock { isDone in
      if !isDone { broadcast.send(true) }
      isDone = true
    }
  }

  func wait() async throws(PhotoLibraryError) {
    let states = isDone.withLock { broadcast.subscribe(beginningWith: $0) }
    for await isDone in states where isDone { return }
    throw .cancelled
  }
}
