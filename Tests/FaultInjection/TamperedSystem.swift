import CViewfinder
import Foundation

/// A table of system calls that changes what another table says.
public final class TamperedSystem: @unchecked Sendable {
  /// One of a table's calls; ioctls by the number in their code.
  public enum Call: Hashable, Sendable {
    case open, close, mmap, munmap, poll
    case ioctl(UInt)
  }

  /// What a device's readiness is said to be.
  public enum Readiness: Sendable {
    case honest
    /// Nothing ever comes.
    case silent
    /// These `revents`, at once.
    case claims(Int16)
  }

  /// Sees each call before it is made; returns an `errno` to fail with.
  ///
  /// Ioctls come with their argument. `close` and `munmap` are made all the same, as the kernel
  /// does.
  @Hook public var before: (Call, UnsafeMutableRawPointer?) -> Int32 = { _, _ in 0 }
  /// Sees the path of each `open`; returns an `errno` to fail with.
  @Hook public var willOpen: (String) -> Int32 = { _ in 0 }
  /// Answers an ioctl in the device's place: whether it did.
  @Hook public var instead: (Call, UnsafeMutableRawPointer?) -> Bool = { _, _ in false }
  /// Sees the answer to each ioctl that succeeded.
  @Hook public var after: (Call, UnsafeMutableRawPointer?) -> Void = { _, _ in }
  /// What poll says of the table's devices.
  @Hook public var readiness: () -> Readiness = { .honest }
  /// Sees each mapping: its address, its length, and the offset that names the buffer.
  @Hook public var didMap: (UnsafeMutableRawPointer, Int, Int64) -> Void = { _, _, _ in }

  private let lock = NSLock()
  /// Those that are open on the device.
  private var descriptors: Set<Int32> = []
  private let base: TestTable
  private let basePath: String
  private let table = UnsafeMutablePointer<vf_system>.allocate(capacity: 1)

  /// Where the fields that tests change lie in V4L2's structures.
  public enum Offset {
    public static let driver = 0, capabilities = 84, deviceCapabilities = 88
    public static let index = 0, bytesUsed = 8, flags = 12, field = 16
    public static let seconds = 24, microseconds = 32, sequence = 56, memory = 64, length = 72
    /// In the format of a single-planar device.
    public static let bytesPerLine = 24, imageSize = 28
    /// In what a driver says of a control.
    public static let controlType = 4
  }

  /// Any path opens `basePath` of the other table.
  public init(_ base: TestTable, path basePath: String) {
    self.base = base
    self.basePath = basePath
    table.initialize(to: base.pointer.pointee)
    table.pointee.context = Unmanaged.passUnretained(self).toOpaque()
    table.pointee.open = { context, path, flags in
      let this = TamperedSystem.at(context)
      guard this.passes(.open) else { return -1 }
      let code = this.willOpen(String(cString: path))
      guard code == 0 else {
        errno = code
        return -1
      }
      let descriptor = this.real.open(this.real.context, this.basePath, flags)
      if descriptor >= 0 { _ = this.lock.withLock { this.descriptors.insert(descriptor) } }
      return descriptor
    }
    table.pointee.close = { context, fd in
      let this = TamperedSystem.at(context)
      _ = this.lock.withLock { this.descriptors.remove(fd) }
      let result = this.real.close(this.real.context, fd)
      return this.passes(.close) ? result : -1
    }
    table.pointee.ioctl = { context, fd, request, argument in
      let this = TamperedSystem.at(context)
      let call = Call.ioctl(request & 0xff)
      guard this.passes(call, argument) else { return -1 }
      if this.instead(call, argument) { return 0 }
      let result = this.real.ioctl(this.real.context, fd, request, argument)
      if result == 0 { this.after(call, argument) }
      return result
    }
    table.pointee.mmap = { context, length, protection, fd, offset in
      let this = TamperedSystem.at(context)
      guard this.passes(.mmap) else { return MAP_FAILED }
      let address = this.real.mmap(this.real.context, length, protection, fd, offset)
      if let address, address != MAP_FAILED { this.didMap(address, length, offset) }
      return address
    }
    table.pointee.munmap = { context, address, length in
      let this = TamperedSystem.at(context)
      let result = this.real.munmap(this.real.context, address, length)
      return this.passes(.munmap) ? result : -1
    }
    table.pointee.poll = { context, descriptors, count, timeout in
      TamperedSystem.at(context).poll(descriptors, count, timeout)
    }
  }

  deinit { table.deallocate() }

  /// The table that lies.
  public var system: TestTable { TestTable(pointer: UnsafePointer(table), owner: self) }

  private var real: vf_system { base.pointer.pointee }

  /// Whether a call may be made; else `errno` is set.
  private func passes(_ call: Call, _ argument: UnsafeMutableRawPointer? = nil) -> Bool {
    let code = before(call, argument)
    if code != 0 { errno = code }
    return code == 0
  }

  private func poll(_ descriptors: UnsafeMutablePointer<pollfd>, _ count: UInt64, _ timeout: Int32)
    -> Int32
  {
    guard passes(.poll) else { return -1 }
    let devices = (0..<Int(count)).filter { isDevice(descriptors[$0].fd) }
    switch devices.isEmpty ? .honest : readiness() {
    case .honest:
      return real.poll(real.context, descriptors, count, timeout)
    case .silent:
      let hidden = devices.map { descriptors[$0].fd }
      for index in devices { descriptors[index].fd = -1 }
      defer { for (index, fd) in zip(devices, hidden) { descriptors[index].fd = fd } }
      return real.poll(real.context, descriptors, count, timeout)
    case .claims(let events):
      for index in 0..<Int(count) { descriptors[index].revents = 0 }
      for index in devices { descriptors[index].revents = events }
      return Int32(devices.count)
    }
  }

  private func isDevice(_ descriptor: Int32) -> Bool {
    lock.withLock { descriptors.contains(descriptor) }
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> TamperedSystem {
    Unmanaged<TamperedSystem>.fromOpaque(context!).takeUnretainedValue()
  }
}

/// The calls that tests name.
extension TamperedSystem.Call {
  public static let queryCapabilities = ioctl(0), setFormat = ioctl(5), requestBuffers = ioctl(8)
  public static let queryBuffer = ioctl(9), queue = ioctl(15), dequeue = ioctl(17),
    streamOn = ioctl(18), queryControl = ioctl(103)
}

/// A function that a test may set while a camera's thread calls it.
@propertyWrapper public final class Hook<Function> {
  private let lock = NSLock()
  private var function: Function

  /// Creates one with the function that it has at first.
  public init(wrappedValue: Function) { function = wrappedValue }

  /// The function as it is now.
  public var wrappedValue: Function {
    get { lock.withLock { function } }
    set { lock.withLock { function = newValue } }
  }
}
