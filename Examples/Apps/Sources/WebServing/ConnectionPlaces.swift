import NIOCore
import Synchronization

/// The connections of a server: so many at a time.
///
/// When all places are taken, whoever has waited longest without asking for anything goes: connections that a browser
/// keeps for later, and those whose request doesn't get on. So neither keeps visitors out.
final class ConnectionPlaces: Sendable {
  private struct State {
    /// Those who have not yet asked, with when they came.
    var waiting: [ObjectIdentifier: (order: Int, channel: any Channel)] = [:]
    /// Those who are answered.
    var served: Set<ObjectIdentifier> = []
    var order = 0

    mutating func append(_ channel: any Channel) {
      order += 1
      waiting[ObjectIdentifier(channel)] = (order, channel)
    }
  }

  /// How many there are.
  let count: Int
  private let state = Mutex(State())

  init(_ count: Int) { self.count = count }

  /// Takes a place for who waits.
  ///
  /// - Returns: Whether there was one, or somebody who made room.
  func enter(_ channel: any Channel) -> Bool {
    let (isIn, gone) = state.withLock { state -> (Bool, (any Channel)?) in
      var gone: (any Channel)?
      if state.waiting.count + state.served.count >= count {
        guard let first = state.waiting.min(by: { $0.value.order < $1.value.order }) else {
          return (false, nil)
        }
        state.waiting[first.key] = nil
        gone = first.value.channel
      }
      state.append(channel)
      return (true, gone)
    }
    gone?.close(promise: nil)
    return isIn
  }

  /// Keeps a place for who has asked.
  ///
  /// - Returns: Whether it is still there.
  func serve(_ channel: any Channel) -> Bool {
    state.withLock { state in
      let visitor = ObjectIdentifier(channel)
      guard state.waiting.removeValue(forKey: visitor) != nil else { return false }
      state.served.insert(visitor)
      return true
    }
  }

  /// Lets who has been answered wait again.
  func wait(_ channel: any Channel) {
    state.withLock { state in
      guard state.served.remove(ObjectIdentifier(channel)) != nil else { return }
      state.append(channel)
    }
  }

  /// Gives a place back.
  func leave(_ channel: any Channel) {
    state.withLock { state in
      state.waiting[ObjectIdentifier(channel)] = nil
      state.served.remove(ObjectIdentifier(channel))
    }
  }
}
