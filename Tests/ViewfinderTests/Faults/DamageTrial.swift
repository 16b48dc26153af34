import FaultInjection
import Foundation

@testable import Viewfinder

/// A session whose frames arrive damaged, and what must hold then.
struct DamageTrial: Trial {
  let damage: FrameDamage
  let occurrence: FaultCase.Occurrence

  var description: String { "\(damage), \(occurrence)" }

  /// Whether no frame can arrive from some moment on.
  private var isTotal: Bool {
    if case .from = occurrence { damage.fate == .withheld } else { false }
  }

  func live() async -> TrialOutcome {
    let isLifted = Shared(false)
    let (damage, occurrence) = (damage, occurrence)
    let tamperer = FrameTamperer { number, frame in
      guard !isLifted.value, occurrence.includes(number) else { return false }
      damage.apply(&frame)
      return true
    }
    let inspector = FrameInspector(damage, tamperer)
    let remains = Remains()
    let journal: Journal
    var problem: String?
    do {
      let limits = FaultTrial.limits(noticingSilence: isTotal || damage.fate == .ignored)
      let life = try FaultLife(limits: limits, taster: Taster { inspector.look($0) }) {
        $0.source = .scene(.steady)
      }
      tamperer.attach(to: life.rig.calls)
      journal = life.journal
      remains.watch(life)
      try choose(for: life.rig.device)
      problem = await run(life, tamperer) { isLifted.value = true }
    } catch {
      return .broken("There is no such format: \(error)")
    }
    let entries = await journal.entries
    let left = await remains.leaks()
    if let problem = problem ?? left ?? inspector.problem ?? judge(entries) {
      return .broken("\(problem) \(entries)")
    }
    return damage.fate == .withheld ? .told : .absorbed
  }

  private func choose(for device: CaptureDevice) throws {
    let wanted = try device.bestFormat(damage.isJPEG ? .mjpeg : .yuyv, dimensions: .qvga)
    try device.configure { device throws(CaptureError) in try device.setActiveFormat(wanted) }
  }

  /// Streams with damage, then without; returns what is wrong.
  private func run(_ life: FaultLife, _ tamperer: FrameTamperer, lift: () -> Void) async -> String?
  {
    let session = life.rig.session
    try? life.configure()
    let starts = await life.journal.attempt(.start) { try await session.startRunning() }
    guard starts || isTotal || damage.fate == .ignored else { return "It doesn't start." }
    if starts {
      await life.takeFrames(8)
      if !isTotal, damage.fate != .ignored {
        await session.stopRunning()
        if let problem = check(session.statistics, tamperer) { return problem }
      } else if isTotal,
        await !eventually({ session.interruption != nil }, within: .seconds(60))
      {
        return "No interruption tells of it."
      }
    }
    lift()
    return await life.recovers()
  }

  /// Whether the counts tell what became of the frames.
  private func check(_ statistics: CaptureStatistics, _ tamperer: FrameTamperer) -> String? {
    let damaged = tamperer.damagedFrames
    guard damaged > 0 else { return "No frame was damaged." }
    let sum =
      statistics.deliveredFrames + statistics.lostFrames + statistics.corruptFrames
      + statistics.starvedFrames + statistics.lateFrames
    guard sum == statistics.producedFrames else { return "The counts don't add up: \(statistics)" }
    let isRight =
      switch damage.fate {
      case .withheld: statistics.corruptFrames == damaged
      case .restamped: statistics.restampedFrames >= damaged
      case .lost: statistics.lostFrames > 0 || occurrence == .only(1)
      case .mended, .renumbered, .ignored: true
      }
    let isClean = damage.fate == .withheld || statistics.corruptFrames == 0
    return isRight && isClean ? nil : "\(damaged) were damaged: \(statistics)"
  }

  /// Whether what was told is what happened.
  private func judge(_ entries: [Journal.Entry]) -> String? {
    let errors = entries.filter { !$0.error.isPassing }
    guard isTotal else {
      // A driver that mixes up its buffers runs out of them.
      return errors.isEmpty || damage.fate == .ignored ? nil : "It was interrupted."
    }
    let isTold = errors.contains { if case .badImageData = $0.error { true } else { false } }
    return isTold ? nil : "It wasn't told."
  }
}

/// Looks whether frames are as the driver made them.
final class FrameInspector: Sendable {
  private let damage: FrameDamage
  private let tamperer: FrameTamperer
  private let newest = Shared<(stream: Int, sequence: Int, time: Duration)?>(nil)
  private let found = Shared<String?>(nil)

  init(_ damage: FrameDamage, _ tamperer: FrameTamperer) {
    self.damage = damage
    self.tamperer = tamperer
  }

  /// What was wrong first.
  var problem: String? { found.value }

  func look(_ frame: VideoFrame) {
    let new = (
      stream: tamperer.streams, sequence: frame.sequenceNumber, time: frame.timestamp
    )
    let last = newest.withLock { last in
      defer { last = new }
      return last
    }
    if let last, new.stream == last.stream,
      new.sequence <= last.sequence || new.time < last.time
    {
      note("Frame \(new) came after \(last).")
    }
    if damage.fate != .ignored, !isGood(frame) { note("Frame \(new) arrived damaged.") }
    if new.time > monotonicTime() + .seconds(10) { note("Frame \(new) is from the future.") }
  }

  private func isGood(_ frame: VideoFrame) -> Bool {
    let bytes = [UInt8](frame.data)
    if tamperer.isGood(bytes) { return true }
    guard damage.fate == .mended else { return false }
    // Bytes that lack what the library adds: the file is whole, and has the picture.
    return (try? frame.jpegData()).map { tamperer.holds(pictureOf: $0) } ?? false
  }

  private func note(_ problem: String) {
    found.withLock { $0 = $0 ?? problem }
  }
}

extension FrameTamperer {
  /// Whether a file has the pixels of a good frame.
  fileprivate func holds(pictureOf file: Data) -> Bool {
    guard let picture = try? lumaGrid(PixelBuffer(decoding: file)) else { return false }
    return goodFrames.contains { good in
      (try? lumaGrid(PixelBuffer(decoding: Data(good)))) == picture
    }
  }
}
