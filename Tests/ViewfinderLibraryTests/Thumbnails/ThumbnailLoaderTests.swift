import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// Makes thumbnails when it is told to, and remembers which.
private final class Studio: Sendable {
  private let begun = Mutex<[String]>([])
  private let permits = DispatchSemaphore(value: 0)
  private let picture: PixelBuffer

  init() throws {
    picture = try PixelBuffer.plain(Dimensions(width: 32, height: 32), [1, 2, 3])
  }

  /// What was begun, in order.
  var names: [String] { begun.withLock { $0 } }

  /// The memory that a thumbnail takes.
  var size: Int { picture.byteCount }

  func permit(_ count: Int) { for _ in 0..<count { permits.signal() } }

  func make(_ name: String) throws(PhotoLibraryError) -> PixelBuffer {
    begun.withLock { $0.append(name) }
    permits.wait()
    if name == "bad" { throw .damaged(what: name, reason: "it is bad") }
    return picture
  }

  func loader(workers: Int = 1, memory: Int = 1 << 20) -> ThumbnailLoader {
    var limits = ThumbnailLimits()
    limits.workers = workers
    limits.memory = memory
    return ThumbnailLoader(limits: limits) { item, _, _, _ throws(PhotoLibraryError) in
      MadeThumbnail(picture: try self.make(item.path.description))
    }
  }
}

private final class Flag: Sendable {
  private let state = Mutex(false)

  var isSet: Bool { state.withLock { $0 } }

  func set() { state.withLock { $0 = true } }
}

private func item(_ name: String) throws -> ThumbnailItem {
  ThumbnailItem(
    path: FilePath(name), status: try #require(FileStatus(of: "/")), info: MediaInfo())
}

extension ThumbnailLoader {
  /// Asks for a thumbnail, and returns when the request is in the queue; the first one is begun.
  fileprivate func ask(_ name: String, _ studio: Studio) async throws -> Task<Int, any Error> {
    let item = try item(name)
    let before = waitingCount + studio.names.count
    let task = Task { try await thumbnail(of: item, size: .normal).dimensions.width }
    #expect(
      await eventually { !studio.names.isEmpty && waitingCount + studio.names.count > before })
    return task
  }
}

/// Waits until a condition holds; `false` when it still doesn't after a minute.
private func eventually(_ condition: () -> Bool) async -> Bool {
  for _ in 0..<12000 {
    if condition() { return true }
    try? await Task.sleep(for: .milliseconds(5))
  }
  return condition()
}

@Suite struct ThumbnailLoaderTests {
  private let studio: Studio

  init() throws { studio = try Studio() }

  @Test func requestsForTheSameShareTheWork() async throws {
    let loader = studio.loader()
    let first = try await loader.ask("a", studio)
    let others = try (0..<5).map { _ in
      let item = try item("a")
      return Task { try await loader.thumbnail(of: item, size: .normal).dimensions.width }
    }
    studio.permit(1)
    for task in [first] + others { #expect(try await task.value == 32) }
    #expect(studio.names == ["a"])
  }

  @Test func anotherSizeShapeOrContentIsAnotherThumbnail() async throws {
    let loader = studio.loader()
    var item = try item("a")
    studio.permit(4)
    _ = try await loader.thumbnail(of: item, size: .normal)
    _ = try await loader.thumbnail(of: item, size: .large)
    _ = try await loader.thumbnail(of: item, size: .normal, shape: .square)
    item.status.modified += 1
    _ = try await loader.thumbnail(of: item, size: .normal)
    #expect(studio.names.count == 4)
  }

  @Test func newestRequestComesFirst() async throws {
    let loader = studio.loader()
    var tasks: [Task<Int, any Error>] = []
    for name in ["first", "a", "b", "c", "d"] { tasks.append(try await loader.ask(name, studio)) }
    studio.permit(5)
    for task in tasks { _ = try await task.value }
    #expect(studio.names == ["first", "d", "c", "b", "a"])
  }

  @Test func noMoreThumbnailsAreMadeAtOnceThanThereAreWorkers() async throws {
    let loader = studio.loader(workers: 3)
    let tasks = try (0..<10).map { index in
      let item = try item("\(index)")
      return Task { try await loader.thumbnail(of: item, size: .normal).dimensions.width }
    }
    #expect(await eventually { studio.names.count == 3 && loader.waitingCount == 7 })
    for count in 4...10 {
      studio.permit(1)
      #expect(await eventually { studio.names.count == count })
    }
    studio.permit(3)
    for task in tasks { _ = try await task.value }
  }

  @Test func cancelledRequestIsNotWorkedOff() async throws {
    let loader = studio.loader()
    let first = try await loader.ask("first", studio)
    let cancelled = try await loader.ask("a", studio)
    cancelled.cancel()
    await #expect(throws: PhotoLibraryError.cancelled) { try await cancelled.value }
    #expect(loader.waitingCount == 0)
    studio.permit(2)
    _ = try await first.value
    _ = try await loader.ask("b", studio).value
    #expect(studio.names == ["first", "b"])
  }

  @Test func cancellingOneOfTwoLeavesTheOther() async throws {
    let loader = studio.loader()
    let first = try await loader.ask("first", studio)
    let kept = try await loader.ask("a", studio)
    let item = try item("a")
    let cancelled = Task { try await loader.thumbnail(of: item, size: .normal).dimensions.width }
    cancelled.cancel()
    await #expect(throws: PhotoLibraryError.cancelled) { try await cancelled.value }
    #expect(loader.waitingCount == 1)
    studio.permit(2)
    _ = try await first.value
    #expect(try await kept.value == 32)
  }

  @Test func cancelledTaskDoesNotWaitForWorkUnderWay() async throws {
    let loader = studio.loader()
    let task = try await loader.ask("a", studio)
    #expect(await eventually { studio.names == ["a"] })
    task.cancel()
    await #expect(throws: PhotoLibraryError.cancelled) { try await task.value }
    studio.permit(1)
  }

  @Test func workThatNobodyWaitsForIsToldSoAndBegunAgainForWhoComesLater() async throws {
    let (studio, item) = (studio, try item("a"))
    studio.permit(9)
    var limits = ThumbnailLimits()
    limits.workers = 1
    let loader = ThumbnailLoader(limits: limits) {
      item, _, _, isCancelled throws(PhotoLibraryError) in
      let picture = try studio.make(item.path.description)
      guard studio.names.count == 1 else { return MadeThumbnail(picture: picture) }
      while !isCancelled() { usleep(1000) }
      _ = try studio.make("noticed")
      // Somebody has come again, too late to keep it going.
      while isCancelled() { usleep(1000) }
      throw .cancelled
    }
    let first = Task { try await loader.thumbnail(of: item, size: .normal) }
    #expect(await eventually { studio.names == ["a"] })
    first.cancel()
    await #expect(throws: PhotoLibraryError.cancelled) { try await first.value }
    #expect(await eventually { studio.names == ["a", "noticed"] })
    #expect(try await loader.thumbnail(of: item, size: .normal).dimensions.width == 32)
    #expect(studio.names == ["a", "noticed", "a"])
  }

  @Test func prefetchingGoesOutwardsAfterAllRequests() async throws {
    let loader = studio.loader()
    let first = try await loader.ask("first", studio)
    try loader.prefetch((0..<7).map { try item("\($0)") }, around: 2, size: .normal)
    let request = try await loader.ask("request", studio)
    studio.permit(9)
    _ = try await first.value
    _ = try await request.value
    #expect(await eventually { studio.names.count == 9 })
    #expect(studio.names == ["first", "request", "2", "3", "1", "4", "0", "5", "6"])
  }

  @Test(arguments: [Int.min, -1, 99, .max])
  func positionOutsideTheListIsItsEnd(position: Int) async throws {
    let loader = studio.loader()
    _ = try await loader.ask("first", studio)
    try loader.prefetch((0..<3).map { try item("\($0)") }, around: position, size: .normal)
    loader.prefetch([], around: position, size: .normal)
    #expect(loader.waitingCount == 0)
    try loader.prefetch((0..<3).map { try item("\($0)") }, around: position, size: .normal)
    studio.permit(4)
    #expect(await eventually { studio.names.count == 4 })
    #expect(studio.names.dropFirst() == (position < 0 ? ["0", "1", "2"] : ["2", "1", "0"]))
  }

  @Test func newPrefetchingTakesThePlaceOfTheOld() async throws {
    let loader = studio.loader()
    let first = try await loader.ask("first", studio)
    let wanted = try await loader.ask("1", studio)
    try loader.prefetch((0..<50).map { try item("\($0)") }, around: 0, size: .normal)
    #expect(loader.waitingCount == 50)
    try loader.prefetch([item("x")], around: 0, size: .normal)
    #expect(loader.waitingCount == 2)
    loader.stopPrefetching()
    #expect(loader.waitingCount == 1)
    studio.permit(2)
    _ = try await first.value
    _ = try await wanted.value
    #expect(studio.names == ["first", "1"])
  }

  @Test func requestThatIsPrefetchedTooSurvivesItsCancellation() async throws {
    let loader = studio.loader()
    _ = try await loader.ask("first", studio)
    let cancelled = try await loader.ask("a", studio)
    try loader.prefetch([item("a")], around: 0, size: .normal)
    cancelled.cancel()
    await #expect(throws: PhotoLibraryError.cancelled) { try await cancelled.value }
    studio.permit(2)
    #expect(await eventually { studio.names == ["first", "a"] })
  }

  @Test func memoryKeepsWhatWasUsedLast() async throws {
    let loader = studio.loader(memory: 3 * studio.size)
    studio.permit(99)
    for name in ["a", "b", "c", "a", "d"] {
      _ = try await loader.thumbnail(of: item(name), size: .normal)
    }
    #expect(loader.memoryUse == 3 * studio.size)
    #expect(studio.names == ["a", "b", "c", "d"])
    for name in ["a", "c", "d"] { _ = try await loader.thumbnail(of: item(name), size: .normal) }
    #expect(studio.names.count == 4)
    _ = try await loader.thumbnail(of: item("b"), size: .normal)
    #expect(studio.names.count == 5)
    loader.removeAllFromMemory()
    #expect(loader.memoryUse == 0)
  }

  @Test func thumbnailLargerThanTheMemoryIsNotKept() async throws {
    let loader = studio.loader(memory: studio.size - 1)
    studio.permit(2)
    _ = try await loader.thumbnail(of: item("a"), size: .normal)
    _ = try await loader.thumbnail(of: item("a"), size: .normal)
    #expect(studio.names == ["a", "a"])
    #expect(loader.memoryUse == 0)
  }

  @Test func prefetchingFillsHalfTheMemoryWithTheNearest() async throws {
    let loader = studio.loader(memory: 4 * studio.size)
    studio.permit(99)
    for name in ["x", "y"] { _ = try await loader.thumbnail(of: item(name), size: .normal) }
    try loader.prefetch((0..<10).map { try item("\($0)") }, around: 0, size: .normal)
    #expect(await eventually { studio.names.count == 12 && loader.waitingCount == 0 })
    for name in ["x", "y", "0", "1"] {
      _ = try await loader.thumbnail(of: item(name), size: .normal)
    }
    #expect(studio.names.count == 12)
  }

  @Test func failureReachesAllWhoWaitAndIsNotKept() async throws {
    let loader = studio.loader()
    let first = try await loader.ask("bad", studio)
    let item = try item("bad")
    studio.permit(2)
    await #expect(throws: PhotoLibraryError.damaged(what: "bad", reason: "it is bad")) {
      try await first.value
    }
    await #expect(throws: PhotoLibraryError.damaged(what: "bad", reason: "it is bad")) {
      try await loader.thumbnail(of: item, size: .normal)
    }
    #expect(studio.names == ["bad", "bad"])
  }

  @Test func loaderWithACacheMakesThumbnailsOfFiles() async throws {
    let rig = try ThumbnailRig()
    let loader = ThumbnailLoader(cache: rig.cache)
    let photo = try rig.photo()
    #expect(try await loader.thumbnail(of: photo, size: .large).letters == "rgbw")
    await loader.waitUntilKept(photo.path)
    #expect(rig.cached.count == 1)
  }

  @Test("Whoever waits for a thumbnail has it before it is kept, and can wait until it is")
  func kept() async throws {
    let (studio, item) = (studio, try item("a"))
    studio.permit(1)
    let mayKeep = DispatchSemaphore(value: 0)
    let isKept = Flag()
    let loader = ThumbnailLoader { item, _, _, _ throws(PhotoLibraryError) in
      MadeThumbnail(picture: try studio.make(item.path.description)) {
        mayKeep.wait()
        isKept.set()
      }
    }
    #expect(try await loader.thumbnail(of: item, size: .normal).dimensions.width == 32)
    #expect(!isKept.isSet)
    mayKeep.signal()
    await loader.waitUntilKept(item.path)
    #expect(isKept.isSet)
    // Nothing is being kept.
    await loader.waitUntilKept(item.path)
  }
}
