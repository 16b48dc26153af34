import Foundation

/// Watches for cameras that come and go, on one thread, while somebody wants to know.
final class DeviceMonitor: Sendable {
  /// The monitor of this machine's cameras.
  static let shared = DeviceMonitor()

  typealias Handler = @Sendable (CaptureDevice.Change) -> Void

  /// Keeps the monitor watching until it is let go of.
  final class Subscription: Sendable {
    private let monitor: DeviceMonitor
    private let key: Int
    /// The video nodes at the beginning: what comes later is a change.
    let nodes: [DeviceNode]

    fileprivate init(_ monitor: DeviceMonitor, key: Int, nodes: [DeviceNode]) {
      self.monitor = monitor
      self.key = key
      self.nodes = nodes
    }

    deinit { monitor.unsubscribe(key) }
  }

  private struct State {
    var nextKey = 0
    var handlers: [Int: Handler] = [:]
    var watch: DeviceWatch?
    /// The cameras that subscribers know of, by their ids.
    var known: [String: DeviceNode] = [:]
  }

  private let state = Mutex(State())
  private let root: String
  private let registry: CameraRegistry
  private let list: @Sendable () -> [DeviceNode]

  /// - Parameters:
  ///   - root: Put before "/dev" when watching: empty on a real machine, a folder in tests.
  ///   - registry: Where the cameras' objects are.
  ///   - list: All video nodes at this moment.
  init(
    root: String = "", registry: CameraRegistry = .shared,
    list: @escaping @Sendable () -> [DeviceNode] = { (try? DeviceNode.all()) ?? [] }
  ) {
    self.root = root
    self.registry = registry
    self.list = list
  }

  /// Calls `handler`, on a thread of the monitor, for every camera that comes or goes from now on.
  func subscribe(_ handler: @escaping Handler) -> Subscription {
    // Watching begins before listing: what happens in between is then noticed.
    let isFirst = state.withLock { state in
      guard state.watch == nil, let watch = try? DeviceWatch(root: root) else { return false }
      state.watch = watch
      return true
    }
    let nodes = (try? CaptureDevice.bounded("The search for cameras") { [list] in list() }) ?? []
    let (key, watch) = state.withLock { state -> (Int, DeviceWatch?) in
      if isFirst { state.known = Self.cameras(nodes) }
      defer { state.nextKey += 1 }
      state.handlers[state.nextKey] = handler
      return (state.nextKey, state.watch)
    }
    if isFirst, let watch { start(watch) }
    return Subscription(self, key: key, nodes: nodes)
  }

  private func unsubscribe(_ key: Int) {
    let unused = state.withLock { state -> DeviceWatch? in
      state.handlers[key] = nil
      guard state.handlers.isEmpty else { return nil }
      defer { state.watch = nil }
      return state.watch
    }
    unused?.interrupt()
  }

  private static func cameras(_ nodes: [DeviceNode]) -> [String: DeviceNode] {
    let cameras = nodes.filter { $0.kind == .capture }
    return Dictionary(cameras.map { ($0.uniqueID, $0) }) { first, _ in first }
  }

  // MARK: The thread

  // After a change more follow: the group, the permissions, udev's links. Nodes are asked once it is
  // quiet for this long, in seconds, or after ten times as long.
  private static let quiet = 0.1

  private func start(_ watch: DeviceWatch) {
    let thread = Thread { [self] in
      while isCurrent(watch) {
        guard watch.wait() else { continue }
        let limit = ContinuousClock.now + .seconds(10 * Self.quiet)
        while isCurrent(watch), ContinuousClock.now < limit, watch.wait(seconds: Self.quiet) {}
        update(watch)
      }
    }
    thread.name = "viewfinder.devices"
    thread.start()
  }

  private func isCurrent(_ watch: DeviceWatch) -> Bool { state.withLock { $0.watch === watch } }

  /// Looks at what is there now and tells what is new and what is gone.
  private func update(_ watch: DeviceWatch) {
    guard isCurrent(watch) else { return }
    let now = Self.cameras(list())
    let (gone, new, handlers) = state.withLock { state -> ([DeviceNode], [DeviceNode], [Handler]) in
      guard state.watch === watch else { return ([], [], []) }
      let gone = state.known.filter { now[$0.key]?.path != $0.value.path }
      let new = now.filter { state.known[$0.key]?.path != $0.value.path }
      state.known = now
      return (Self.sorted(gone), Self.sorted(new), Array(state.handlers.values))
    }
    for node in gone {
      let camera = registry.formerCamera(at: node)
      for handler in handlers { handler(.disconnected(camera)) }
    }
    for node in new {
      let camera = registry.camera(at: node)
      for handler in handlers { handler(.connected(camera)) }
    }
  }

  private static func sorted(_ nodes: [String: DeviceNode]) -> [DeviceNode] {
    nodes.values.sorted { $0.path.compare($1.path, options: .numeric) == .orderedAscending }
  }
}
