import FaultInjection
import Foundation

/// How often each call was made.
typealias CallCounts = [TamperedSystem.Call: Int]

/// Which call can fail with what, by V4L2's documentation and the C library's.
enum FailingCalls {
  /// All faults of calls that a clean life makes so often each.
  static func cases(counts: CallCounts, _ driver: FaultDriver = .usual) -> [FaultCase] {
    counts.sorted { "\($0.key)" < "\($1.key)" }.flatMap { call, count in
      kinds(of: call).flatMap { kind in
        occurrences(of: call, count).map {
          FaultCase(call: call, kind: kind, occurrence: $0, driver: driver)
        }
      }
    }
  }

  /// Calls that take their time.
  static func hangs(counts: CallCounts) -> [FaultCase] {
    counts.sorted { "\($0.key)" < "\($1.key)" }.flatMap { call, count in
      occurrences(of: call, count).filter { !$0.lasts }.map {
        FaultCase(call: call, kind: .hangs(milliseconds: 500), occurrence: $0)
      }
    }
  }

  /// A camera that falls silent at several moments, for one wait and for good.
  static let silences = (1...leastFrames).flatMap { number in
    [FaultCase.Occurrence.only(number), .from(number)].map {
      FaultCase(call: .poll, kind: .isSilent, occurrence: $0)
    }
  }

  /// A life takes as many frames, however slow it is.
  private static let leastFrames = 8

  /// The first, the n-th and every call, and from the n-th on.
  private static func occurrences(of call: TamperedSystem.Call, _ count: Int)
    -> [FaultCase.Occurrence]
  {
    let repeats = [.poll, .dequeue].contains(call)
    let middle = min((count + 1) / 2, repeats ? leastFrames / 2 : 8)
    return middle > 1 ? [.only(1), .only(middle), .from(1), .from(middle)] : [.only(1), .from(1)]
  }

  private static func kinds(of call: TamperedSystem.Call) -> [FaultCase.Kind] {
    let claims: [Int32] = [
      POLLERR, POLLHUP, POLLERR | POLLHUP, POLLNVAL, POLLPRI, POLLPRI | POLLERR, POLLIN,
    ]
    return codes(of: call).map { .fails($0) }
      + (call == .poll ? claims.map { .claims(Int16($0)) } : [])
  }

  private static func codes(of call: TamperedSystem.Call) -> [Int32] {
    switch call {
    case .open:
      return [
        EACCES, EPERM, EBUSY, EINTR, EIO, EMFILE, ENFILE, ENODEV, ENOENT, ENOMEM, ENOTDIR, ENXIO,
      ]
    case .close: return [EBADF, EINTR, EIO]
    case .mmap: return [EACCES, EAGAIN, EBADF, EINVAL, ENFILE, ENODEV, ENOMEM, EPERM]
    case .munmap: return [EINVAL, ENOMEM]
    case .poll: return [EFAULT, EINTR, EINVAL, ENOMEM]
    case .ioctl: return common + special(call)
    }
  }

  /// Every ioctl can fail so ("Generic Error Codes", and signals).
  private static let common = [EINTR, EINVAL, EIO, ENODEV, ENOMEM, ENOTTY, ENXIO, EPERM]

  private static func special(_ call: TamperedSystem.Call) -> [Int32] {
    switch "\(call)".dropFirst("VIDIOC_".count) {
    case "S_FMT", "S_PARM": [EBUSY]
    case "REQBUFS": [EBUSY]
    case "QBUF": [EAGAIN, EBUSY, EPIPE]
    case "DQBUF": [EAGAIN, EPIPE]
    case "EXPBUF": [EBUSY, EMFILE]
    case "STREAMON": [EBUSY, ENOLINK, ENOSPC, EPIPE, EPROTO]
    case "STREAMOFF": [EBUSY, EPIPE]
    case "DQEVENT": [EAGAIN, ENOENT]
    case "QUERYMENU", "QUERY_EXT_CTRL": [EACCES]
    case "G_EXT_CTRLS": [EACCES, EILSEQ, ENOSPC]
    case "S_EXT_CTRLS": [EACCES, EBUSY, EILSEQ, ENOSPC, ERANGE]
    case "S_DV_TIMINGS": [EBUSY, ERANGE]
    case "S_CTRL": [EACCES, EBUSY, ERANGE]
    case "QUERY_DV_TIMINGS": [EBUSY, ENODATA, ENOLCK, ENOLINK, ERANGE]
    case "G_INPUT", "ENUMINPUT", "G_PARM", "G_FMT": [EBUSY]
    default: []
    }
  }
}

extension FaultCase {
  /// Whether a life may go on without a word: the fault passes, the call can be done without, or a
  /// driver says by it that there is nothing.
  var mayPassUnnoticed: Bool {
    switch kind {
    case .claims(let events): return !lasts || events & Int16(POLLHUP | POLLNVAL) == 0
    case .isSilent: return !lasts
    case .hangs: return true
    case .fails(let code):
      // With a frame in hand an error waits for the next call, which may say otherwise.
      if code == ENODEV, call == .dequeue, !lasts { return true }
      if code == ENODEV { return !Self.listing.contains(call) && !Self.essential.contains(call) }
      // The end of a list.
      if call == .ioctl(2), code == EINVAL, occurrence != .from(1) { return true }
      return !lasts || !Self.essential.contains(call)
    }
  }

  /// Without these nothing streams.
  private static let essential: Set<TamperedSystem.Call> = [
    .open, .queryCapabilities, .ioctl(2), .ioctl(4), .setFormat, .requestBuffers, .ioctl(9), .mmap,
    .queue, .dequeue, .streamOn, .poll,
  ]
  /// A list that a camera's end cuts off must not look whole.
  private static let listing: Set<TamperedSystem.Call> = [
    .ioctl(74), .ioctl(75), .ioctl(37), .ioctl(71), .ioctl(103), .ioctl(36), .ioctl(27),
  ]
}
