import CViewfinder
import FaultInjection
import Foundation
import Testing

/// A node that keeps what is written to it, behind a table of system calls.
final class FakeOutputNode {
  enum Call: UInt {
    case queryCapabilities = 0
    case setFormat = 5
    case streamOn = 18
    case setParameters = 22
  }

  /// `V4L2_CAP_…`.
  enum Capabilities {
    static let capture: UInt32 = 0x0500_0001
    static let output: UInt32 = 0x0500_0002
    static let outputWithoutWrite: UInt32 = 0x0400_0002
    static let memoryToMemory: UInt32 = 0x0500_8000
  }

  var capabilities = Capabilities.output
  var driver = "vivid"
  /// The format that the node keeps to, whatever is asked for.
  var kept: vf_format?
  /// Bytes that the driver wants behind each row.
  var padding: UInt32 = 0
  var writeError: Int32 = 0
  var writeErrorCount = 0
  var pollEvents: Int32 = 0
  /// The most that it takes of a frame.
  var mostBytes = Int.max

  private(set) var frames: [[UInt8]] = []
  private(set) var addresses: [UnsafeRawPointer] = []
  private(set) var calls: [Call?] = []
  private(set) var openCount = 0

  private let table = UnsafeMutablePointer<vf_system>.allocate(capacity: 1)

  init() {
    table.initialize(to: vf_system_linux_table().pointee)
    table.pointee.context = Unmanaged.passUnretained(self).toOpaque()
    table.pointee.open = { context, _, _ in
      FakeOutputNode.at(context).openCount += 1
      return 1000
    }
    table.pointee.close = { context, _ in
      FakeOutputNode.at(context).openCount -= 1
      return 0
    }
    table.pointee.ioctl = { context, _, request, argument in
      FakeOutputNode.at(context).answer(Call(rawValue: request & 0xff), argument!)
    }
    table.pointee.poll = { context, descriptors, _, timeout in
      let this = FakeOutputNode.at(context)
      descriptors.pointee.revents = Int16(this.pollEvents)
      // As long as nothing happens.
      if this.pollEvents == 0 { usleep(UInt32(max(timeout, 0)) * 1000) }
      return this.pollEvents == 0 ? 0 : 1
    }
    table.pointee.write = { context, _, bytes, count in
      FakeOutputNode.at(context).take(bytes, count)
    }
  }

  deinit { table.deallocate() }

  var system: TestTable { TestTable(pointer: UnsafePointer(table), owner: self) }

  private static func at(_ context: UnsafeMutableRawPointer?) -> FakeOutputNode {
    Unmanaged<FakeOutputNode>.fromOpaque(context!).takeUnretainedValue()
  }

  private func answer(_ call: Call?, _ argument: UnsafeMutableRawPointer) -> Int32 {
    calls.append(call)
    switch call {
    case .queryCapabilities:
      for (index, byte) in driver.utf8.enumerated() {
        argument.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      }
      argument.storeBytes(of: capabilities, toByteOffset: 84, as: UInt32.self)
    case .setFormat:
      // struct v4l2_pix_format, as 32-bit numbers, behind the type and its padding.
      let fields = (argument + 8).assumingMemoryBound(to: UInt32.self)
      if let kept { (fields[0], fields[1], fields[2]) = (kept.width, kept.height, kept.fourcc) }
      let bytesPerPixel = vf_layout_find(fields[2])?.pointee.bytes_per_pixel
      fields[4] = bytesPerPixel.map { fields[0] * $0 + padding } ?? 0
      let size = vf_image_size(fields[2], fields[0], fields[1], Int(fields[4]))
      fields[5] = size == 0 ? 4 * fields[0] * fields[1] : UInt32(size)
    default:
      break
    }
    return 0
  }

  private func take(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    if writeErrorCount > 0 {
      writeErrorCount -= 1
      errno = writeError
      return -1
    }
    let taken = min(count, mostBytes)
    frames.append([UInt8](UnsafeRawBufferPointer(start: bytes, count: taken)))
    addresses.append(bytes)
    return taken
  }
}

/// An open output, closed when it goes away.
final class TestOutput {
  let format: vf_format
  private let handle: OpaquePointer
  private let node: FakeOutputNode

  init(_ node: FakeOutputNode, _ wanted: vf_format) throws {
    var format = wanted, failure = vf_failure()
    guard let handle = vf_output_open(node.system.pointer, "/dev/video10", &format, &failure)
    else { throw CallFailure(code: failure.code, description: words(failure)) }
    (self.node, self.handle, self.format) = (node, handle, format)
  }

  deinit { vf_output_close(handle) }

  func write(_ bytes: [UInt8]) throws {
    var failure = vf_failure()
    guard vf_output_write(handle, bytes, bytes.count, &failure) == 0 else {
      throw CallFailure(code: failure.code, description: words(failure))
    }
  }

  func write(_ picture: Picture) throws {
    var failure = vf_failure()
    guard vf_output_write_image(handle, &picture.image, &failure) == 0 else {
      throw CallFailure(code: failure.code, description: words(failure))
    }
  }
}
