import CViewfinder
import Foundation

/// What a driver says of a buffer that it filled, and the bytes in it.
public struct DequeuedFrame {
  /// What is put into the buffer, as far as there is room.
  public var payload: [UInt8]
  /// What the driver claims to be there; `nil` the payload's count.
  public var bytesUsed: Int?
  /// `V4L2_BUF_FLAG_…`.
  public var flags: UInt32
  /// The driver's own numbers.
  public var index: UInt32, sequence: UInt32
  /// The time stamp's seconds.
  public var seconds: Int
  /// The buffer's size.
  public let capacity: Int
}

/// Damages the frames of a tampered table, and undoes that before the driver has its buffer back.
public final class FrameTamperer: @unchecked Sendable {
  /// Damages a frame and returns whether it did; the number counts the stream's frames from 1.
  public typealias Damage = @Sendable (Int, inout DequeuedFrame) -> Bool

  private typealias Offset = TamperedSystem.Offset

  private struct Buffer {
    var address: UnsafeMutableRawPointer
    var length: Int
    /// The driver's own bytes, where others were put in their place.
    var original: [UInt8]?
  }

  private let lock = NSLock()
  private var buffers: [UInt32: Buffer] = [:]
  /// The buffers' numbers, by the offsets under which they are mapped.
  private var numbers: [Int64: UInt32] = [:]
  private var number = 0
  private var count = 0
  private var starts = 0
  private var good: Set<[UInt8]> = []
  private let damage: Damage

  /// Damages nothing until it is attached.
  public init(_ damage: @escaping Damage) { self.damage = damage }

  /// Frames of the current stream, or the last one, that were damaged.
  public var damagedFrames: Int { lock.withLock { count } }

  /// How many streams were started.
  public var streams: Int { lock.withLock { starts } }

  /// Whether these are the bytes of a frame as the driver made it.
  public func isGood(_ bytes: [UInt8]) -> Bool { lock.withLock { good.contains(bytes) } }

  /// The frames as the driver made them, without repetitions.
  public var goodFrames: Set<[UInt8]> { lock.withLock { good } }

  /// Takes part in the table's calls.
  public func attach(to calls: TamperedSystem) {
    calls.didMap = { [self] address, length, offset in
      lock.withLock {
        guard let number = numbers[offset] else { return }
        buffers[number] = Buffer(address: address, length: length)
      }
    }
    calls.before = { [self] call, argument in
      switch call {
      case .streamOn:
        lock.withLock { (number, count, starts) = (0, 0, starts + 1) }
      case .queue:
        if let argument { restore(argument.load(fromByteOffset: Offset.index, as: UInt32.self)) }
      default: break
      }
      return 0
    }
    calls.after = { [self] call, argument in
      guard let argument else { return }
      if call == .dequeue { tamper(argument) }
      if call == .queryBuffer { learn(argument) }
    }
  }

  private func learn(_ header: UnsafeMutableRawPointer) {
    let index = header.load(fromByteOffset: Offset.index, as: UInt32.self)
    let offset = header.load(fromByteOffset: Offset.memory, as: UInt32.self)
    lock.withLock { numbers[Int64(offset)] = index }
  }

  private func restore(_ index: UInt32) {
    lock.withLock {
      guard let buffer = buffers[index], let original = buffer.original else { return }
      buffer.address.copyMemory(from: original, byteCount: original.count)
      buffers[index]?.original = nil
    }
  }

  private func tamper(_ header: UnsafeMutableRawPointer) {
    let index = header.load(fromByteOffset: Offset.index, as: UInt32.self)
    lock.withLock {
      guard let buffer = buffers[index] else { return }
      let used = Int(header.load(fromByteOffset: Offset.bytesUsed, as: UInt32.self))
      let payload = [UInt8](UnsafeRawBufferPointer(start: buffer.address, count: used))
      good.insert(payload)
      number += 1
      var frame = DequeuedFrame(
        payload: payload, flags: header.load(fromByteOffset: Offset.flags, as: UInt32.self),
        index: index, sequence: header.load(fromByteOffset: Offset.sequence, as: UInt32.self),
        seconds: header.load(fromByteOffset: Offset.seconds, as: Int.self),
        capacity: buffer.length)
      guard damage(number, &frame) else { return }
      count += 1
      write(frame, header)
      if frame.payload != payload { overwrite(index, frame.payload) }
    }
  }

  private func write(_ frame: DequeuedFrame, _ header: UnsafeMutableRawPointer) {
    let claim = UInt32(clamping: frame.bytesUsed ?? frame.payload.count)
    header.storeBytes(of: claim, toByteOffset: Offset.bytesUsed, as: UInt32.self)
    header.storeBytes(of: frame.flags, toByteOffset: Offset.flags, as: UInt32.self)
    header.storeBytes(of: frame.index, toByteOffset: Offset.index, as: UInt32.self)
    header.storeBytes(of: frame.sequence, toByteOffset: Offset.sequence, as: UInt32.self)
    header.storeBytes(of: frame.seconds, toByteOffset: Offset.seconds, as: Int.self)
  }

  private func overwrite(_ index: UInt32, _ payload: [UInt8]) {
    guard let buffer = buffers[index] else { return }
    let whole = UnsafeRawBufferPointer(start: buffer.address, count: buffer.length)
    buffers[index]?.original = [UInt8](whole)
    buffer.address.copyMemory(from: payload, byteCount: min(payload.count, buffer.length))
  }
}
