import CViewfinder
import Foundation

/// Owns a table of system calls of a camera that lives in the process.
protocol SystemTable: AnyObject, Sendable {
  var system: UnsafePointer<vf_system> { get }
}

/// A table of system calls, and where a camera is found through it.
struct CameraAddress: Sendable {
  enum Backend: Sendable {
    case linux
    case libv4l2
    case simulated(any SystemTable)
  }

  let backend: Backend
  let path: String

  /// Names the camera within this process.
  var key: String {
    if case .simulated(let simulator) = backend { "\(ObjectIdentifier(simulator))" } else { path }
  }

  /// The C table.
  ///
  /// Lives as long as the process, or as what ``backend`` holds.
  var system: UnsafePointer<vf_system> {
    switch backend {
    case .linux: unsafe vf_system_linux_table()
    case .libv4l2: unsafe vf_system_libv4l2_table()
    case .simulated(let simulator): unsafe simulator.system
    }
  }
}

/// A format and rate: wanted, or granted by the driver.
struct StreamFormat: Hashable, Sendable {
  var pixelFormat: PixelFormat?
  /// `nil` wishes for the largest.
  var dimensions: Dimensions?
  /// Time per frame; `nil` wishes for the fastest.
  var interval: FrameInterval?
}

/// An open `vf_grabber`, closed on deinit.
///
/// No other file calls the grabber's C functions. As in C, calls must not overlap, except
/// ``interrupt()``, ``statistics`` and the controls, which any thread may use at any time.
@safe final class Grabber: @unchecked Sendable {
  private let handle: OpaquePointer
  /// Keeps the table of system calls alive.
  private let address: CameraAddress
  let deviceName: String
  /// Used by the caller of ``start(_:deliversDamagedFrames:)`` and ``stop()`` alone.
  private var isStreaming = false
  private let check = FrameCheck()

  init(_ address: CameraAddress, deviceName: String) throws(CaptureError) {
    var failure = unsafe vf_failure()
    guard let handle = unsafe vf_grabber_open(address.system, address.path, &failure) else {
      throw unsafe CaptureError(failure, path: address.path, device: deviceName)
    }
    unsafe self.handle = handle
    self.address = address
    self.deviceName = deviceName
  }

  deinit {
    unsafe vf_grabber_close(handle)
    if isStreaming { OwnStreams.remove(address.key) }
  }

  private func error(_ failure: vf_failure) -> CaptureError {
    unsafe CaptureError(
      failure, path: address.path, device: deviceName,
      isOwnStream: !isStreaming && OwnStreams.contains(address.key))
  }

  // MARK: Formats

  /// Everything that the camera offers.
  func modes() throws(CaptureError) -> [vf_mode] {
    var failure = unsafe vf_failure()
    var rows: UnsafeMutablePointer<vf_mode>?
    let count = unsafe vf_grabber_modes(handle, &rows, &failure)
    guard count >= 0 else { throw unsafe error(failure) }
    defer { unsafe free(rows) }
    return unsafe Array(UnsafeBufferPointer(start: rows, count: Int(count)))
  }

  // MARK: Controls

  func controls() throws(CaptureError) -> [vf_control] {
    var failure = unsafe vf_failure()
    var rows: UnsafeMutablePointer<vf_control>?
    let count = unsafe vf_grabber_controls(handle, &rows, &failure)
    guard count >= 0 else { throw unsafe error(failure) }
    defer { unsafe free(rows) }
    return unsafe Array(UnsafeBufferPointer(start: rows, count: Int(count)))
  }

  func menu(of control: vf_control) throws(CaptureError) -> [vf_menu_item] {
    var failure = unsafe vf_failure()
    var rows: UnsafeMutablePointer<vf_menu_item>?
    var control = control
    let count = unsafe vf_grabber_menu(handle, &control, &rows, &failure)
    guard count >= 0 else { throw unsafe error(failure) }
    defer { unsafe free(rows) }
    return unsafe Array(UnsafeBufferPointer(start: rows, count: Int(count)))
  }

  /// A control's value, or `nil` when it can't be read.
  func value(ofControl id: UInt32) -> Int64? {
    var failure = unsafe vf_failure()
    var value: Int64 = 0
    return unsafe vf_grabber_get_control(handle, id, &value, &failure) == 0 ? value : nil
  }

  /// Sets a control and returns what the driver made of the value, or its `errno`.
  func setControl(_ id: UInt32, to value: Int64) -> Result<Int64, ErrorNumber> {
    var failure = unsafe vf_failure()
    var value = value
    let result = unsafe vf_grabber_set_control(handle, id, &value, &failure)
    return unsafe result == 0 ? .success(value) : .failure(ErrorNumber(code: failure.code))
  }

  struct ErrorNumber: Error { let code: Int32 }

  // MARK: Streaming

  /// Starts the stream and returns what the driver granted.
  func start(_ wanted: vf_format, deliversDamagedFrames: Bool = false)
    throws(CaptureError) -> VideoFormat
  {
    var failure = unsafe vf_failure()
    var format = wanted
    var options = unsafe vf_stream_options()
    unsafe options.delivers_damaged_frames = deliversDamagedFrames ? 1 : 0
    unsafe options.lends_copies = 1
    unsafe options.check_context = Unmanaged.passUnretained(check).toOpaque()
    unsafe options.check = { check, bytes, count, facts in
      unsafe Unmanaged<FrameCheck>.fromOpaque(check!).takeUnretainedValue()
        .look(at: bytes, count, facts)
    }
    guard unsafe vf_grabber_start(handle, &format, &options, &failure) == 0 else {
      throw unsafe error(failure)
    }
    check.begin(format)
    isStreaming = true
    OwnStreams.add(address.key)
    return VideoFormat(format)
  }

  func stop() {
    unsafe vf_grabber_stop(handle)
    guard isStreaming else { return }
    isStreaming = false
    OwnStreams.remove(address.key)
  }

  /// Takes up what comes in at a grabber's socket, such as another HDMI mode; cameras have none.
  ///
  /// - Returns: Whether it changed: the formats are then others.
  /// - Throws: ``CaptureError/noSignal(device:)``.
  func followSource() throws(CaptureError) -> Bool {
    var failure = unsafe vf_failure()
    let result = unsafe vf_grabber_follow_source(handle, &failure)
    guard result >= 0 else { throw unsafe error(failure) }
    return result == 1
  }

  /// The next frame, or `nil` after `timeout` seconds or an interruption.
  func next(format: VideoFormat, timeout: Double) throws(CaptureError) -> VideoFrame? {
    var failure = unsafe vf_failure()
    var frame: UnsafeMutablePointer<vf_frame>?
    let milliseconds = Int32(clamping: Int((timeout * 1000).rounded(.up)))
    let result = unsafe vf_grabber_next(handle, milliseconds, &frame, &failure)
    guard result >= 0 else { throw unsafe error(failure) }
    guard let frame = unsafe frame else { return nil }
    return unsafe VideoFrame(lease: FrameLease(frame, address: address), format: format)
  }

  /// Makes ``next(format:timeout:)`` return at once.
  func interrupt() { unsafe vf_grabber_interrupt(handle) }

  /// Buffers that the driver refused to take back since the stream began.
  var refusedBuffers: Int { Int(unsafe vf_grabber_statistics(handle).refused) }

  var statistics: CaptureStatistics {
    CaptureStatistics(unsafe vf_grabber_statistics(handle))
  }
}

extension Grabber {
  /// The row of `modes` that serves a wish best.
  static func choose(_ modes: [vf_mode], for wanted: StreamFormat) -> vf_format? {
    var wish = vf_format()
    wish.fourcc = wanted.pixelFormat?.rawValue ?? 0
    wish.width = UInt32(clamping: wanted.dimensions?.width ?? 0)
    wish.height = UInt32(clamping: wanted.dimensions?.height ?? 0)
    if let interval = wanted.interval {
      wish.interval = vf_interval(interval)
    }
    var chosen = vf_format()
    var failure = unsafe vf_failure()
    let result = unsafe modes.withUnsafeBufferPointer { rows in
      // An empty array has no base address, and nothing to choose from.
      guard let base = rows.baseAddress else { return Int32(-1) }
      return unsafe vf_format_choose(base, rows.count, &wish, &chosen, &failure)
    }
    return result == 0 ? chosen : nil
  }
}

/// A loan of a driver's buffer, given back when the last holder lets go.
@safe final class FrameLease: @unchecked Sendable {
  private let frame: UnsafeMutablePointer<vf_frame>
  /// A simulated camera's buffers must not outlive it.
  private let address: CameraAddress

  // Read once, by the thread that got the frame: later the fields are the next frame's, and in which
  // order threads let go of this one only Swift's reference counts know, not the thread sanitizer.
  let bytes: UnsafeRawBufferPointer
  let sequence: Int
  let isDamaged: Bool
  /// Whether the program holds so many frames that this one is for photos alone.
  let isReserved: Bool
  /// The size that the frame itself tells; `nil` where only the stream's is known.
  let dimensions: Dimensions?
  /// What the markers of a JPEG say; `nil` where nobody looked.
  let info: vf_jpeg_info?
  /// In nanoseconds, on `CLOCK_MONOTONIC` and `CLOCK_REALTIME`.
  let timestamp, wallTime: Int64

  init(_ frame: UnsafeMutablePointer<vf_frame>, address: CameraAddress) {
    unsafe self.frame = frame
    self.address = address
    let fields = unsafe frame.pointee
    unsafe bytes = UnsafeRawBufferPointer(start: fields.planes.0, count: fields.counts.0)
    sequence = Int(fields.sequence)
    isDamaged = fields.damaged != 0
    isReserved = fields.reserved != 0
    dimensions =
      fields.width > 0 && fields.height > 0
      ? Dimensions(width: Int(fields.width), height: Int(fields.height)) : nil
    info = fields.notes.info
    timestamp = fields.timestamp
    wallTime = fields.wall_time
  }

  deinit { unsafe vf_frame_release(frame) }

  /// A DMABUF descriptor of the buffer, which the caller closes.
  func export() throws(CaptureError) -> Int32 {
    var failure = unsafe vf_failure()
    let descriptor = unsafe vf_frame_export(frame, 0, &failure)
    guard descriptor >= 0 else {
      throw unsafe CaptureError(failure, path: address.path, device: address.path)
    }
    return descriptor
  }
}

extension CaptureError {
  /// The error for a failed call on a camera.
  ///
  /// `isOwnStream` tells whether a session of this program streams from the camera.
  init(_ failure: vf_failure, path: String, device: String, isOwnStream: Bool = false) {
    let step = unsafe failure.stepText
    switch unsafe (failure.code, step) {
    case (ENOENT, _), (ENXIO, _):
      self = .deviceNotFound(name: path, available: [])
    case (EACCES, "open"), (EPERM, "open"):
      self = .permissionDenied(device: path, advice: NodePermission(of: path).advice)
    case (EBUSY, _):
      let own = isOwnStream ? [DeviceHolder(processID: getpid(), name: ownName)] : []
      self = .deviceInUse(device: path, holders: own + DeviceNode.holders(of: path))
    case (ENODEV, "VIDIOC_QUERYCAP") where unsafe failure.hasDetail:
      self = unsafe .notACamera(device: path, what: failure.detailText, available: [])
    case (ENOLINK, _):
      self = .noSignal(device: device)
    // Of other calls it is what USB says of a camera that refuses, or goes.
    case (EPIPE, "VIDIOC_DQBUF"), (EPIPE, "VIDIOC_DQEVENT"), (EPIPE, "waiting"):
      self = .sourceChanged(device: device)
    case (ENODEV, _), (ESHUTDOWN, _):
      self = .disconnected(device: device)
    case (ENOSPC, "VIDIOC_STREAMON"):
      self = .insufficientBandwidth(device: device, format: "this format", alternative: nil)
    default:
      self = unsafe .system(call: step, code: failure.code, subject: device)
    }
  }
}

/// This process's name, as others see it.
private var ownName: String {
  let comm = try? String(contentsOfFile: "/proc/self/comm", encoding: .utf8)
  return comm?.trimmingCharacters(in: .newlines) ?? ProcessInfo.processInfo.processName
}

extension vf_interval {
  init(_ interval: FrameInterval) {
    self.init(
      numerator: UInt32(clamping: interval.numerator),
      denominator: UInt32(clamping: interval.denominator))
  }
}

extension FrameInterval {
  init?(_ interval: vf_interval) {
    guard interval.denominator > 0, interval.numerator > 0 else { return nil }
    self.init(numerator: Int(interval.numerator), denominator: Int(interval.denominator))
  }
}

extension VideoFormat {
  init(_ format: vf_format) {
    self.init(
      pixelFormat: PixelFormat(rawValue: format.fourcc),
      dimensions: Dimensions(width: Int(format.width), height: Int(format.height)),
      bytesPerRow: Int(format.stride), frameInterval: FrameInterval(format.interval),
      usesLimitedRange: format.limited_range != 0)
  }
}

extension CaptureStatistics {
  init(_ statistics: vf_statistics) {
    self.init()
    producedFrames = Int(statistics.produced)
    deliveredFrames = Int(statistics.delivered)
    lostFrames = Int(statistics.lost)
    corruptFrames = Int(statistics.corrupt)
    starvedFrames = Int(statistics.starved)
    lateFrames = Int(statistics.late)
    restampedFrames = Int(statistics.restamped)
    repeatedFrames = Int(statistics.repeated)
    lentBuffers = Int(statistics.lent)
    bufferCount = Int(statistics.buffer_count)
    measuredFrameRate = statistics.measured_rate
  }
}
