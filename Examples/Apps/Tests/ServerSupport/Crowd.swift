import Foundation
import Synchronization

/// Visitors of `/stream.mjpg` at the same time: some take every frame, some are slow, some vanish.
public struct Crowd: Sendable {
  /// Visitors who take frames as fast as they come.
  public var eager: Int
  /// Visitors who take nothing for long, with little room to receive.
  public var slow: Int
  /// Visitors who come, take a frame or two, and go without a word, again and again.
  public var vanishing: Int

  /// Creates a crowd.
  public init(eager: Int, slow: Int = 0, vanishing: Int = 0) {
    self.eager = eager
    self.slow = slow
    self.vanishing = vanishing
  }

  /// What one of the eager visitors got.
  public struct Visit: Sendable {
    /// Whole JPEGs.
    public var frames = 0
    /// Frames that were no whole JPEG.
    public var damaged = 0
    /// From the first frame to the last, in seconds.
    public var seconds = 0.0

    /// Frames a second.
    public var rate: Double { seconds > 0 ? Double(frames - 1) / seconds : 0 }
  }

  /// Lets the crowd visit until each of the eager has its frames.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - frames: How many frames each of the eager takes.
  /// - Returns: What the eager got.
  public func visit(_ server: ServerProcess, frames: Int) async -> [Visit] {
    let isOver = Flag()
    let others = DispatchGroup()
    for _ in 0..<slow { Self.thread(others) { Self.dawdle(server, isOver) } }
    for _ in 0..<vanishing { Self.thread(others) { Self.vanish(server, isOver) } }
    let visits = Mutex<[Visit]>([])
    let eagerGroup = DispatchGroup()
    for _ in 0..<eager {
      Self.thread(eagerGroup) {
        let visit = Self.take(frames, server)
        visits.withLock { $0.append(visit) }
      }
    }
    await Self.end(of: eagerGroup)
    isOver.value.store(true, ordering: .relaxed)
    await Self.end(of: others)
    return visits.withLock { $0 }
  }

  private final class Flag: Sendable {
    let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
  }

  /// A thread of its own: dozens of blocked tasks would starve a pool.
  private static func thread(_ group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    let thread = Thread {
      body()
      group.leave()
    }
    thread.stackSize = 1 << 20
    thread.start()
  }

  private static func end(of group: DispatchGroup) async {
    await withCheckedContinuation { continuation in
      group.notify(queue: .global()) { continuation.resume() }
    }
  }

  private static func take(_ count: Int, _ server: ServerProcess) -> Visit {
    var visit = Visit()
    guard let visitor = StreamVisitor(server), visitor.nextFrame() != nil else { return visit }
    visit.frames = 1
    let start = ContinuousClock.now
    while visit.frames < count, let jpeg = visitor.nextFrame() {
      let isWhole = jpeg.starts(with: [0xff, 0xd8]) && jpeg.suffix(2).elementsEqual([0xff, 0xd9])
      if !isWhole { visit.damaged += 1 }
      visit.frames += 1
    }
    visit.seconds = (ContinuousClock.now - start) / .seconds(1)
    return visit
  }

  private static func dawdle(_ server: ServerProcess, _ isOver: Flag) {
    let visitor = StreamVisitor(server, receiveBuffer: 4096)
    while !isOver.isSet, visitor?.nextFrame() != nil {
      for _ in 0..<20 where !isOver.isSet { usleep(100_000) }
    }
  }

  private static func vanish(_ server: ServerProcess, _ isOver: Flag) {
    while !isOver.isSet {
      let visitor = StreamVisitor(server)
      _ = visitor?.nextFrame()
      _ = visitor?.nextFrame()
    }
  }
}
