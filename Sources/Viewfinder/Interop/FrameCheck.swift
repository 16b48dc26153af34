import CViewfinder

/// Looks at a stream's compressed frames before they are handed out: whether they are whole, and what
/// they say of their size.
///
/// Used by the thread that waits for frames alone.
final class FrameCheck {
  /// The size that the driver granted, or that a frame was proven to have.
  private var width: UInt32 = 0, height: UInt32 = 0

  /// Notes what the driver granted.
  func begin(_ format: vf_format) { (width, height) = (format.width, format.height) }

  /// Fills in what it finds of a frame; nothing when it is damaged.
  func look(
    at bytes: UnsafePointer<UInt8>, _ count: Int, _ facts: UnsafeMutablePointer<vf_frame_facts>
  ) {
    var info = vf_jpeg_info()
    var failure = unsafe vf_failure()
    guard unsafe vf_jpeg_inspect(bytes, count, &info, &failure) == 0 else { return }
    if info.width != width || info.height != height {
      // Another picture than was agreed on, or a damaged header: the scan tells which.
      guard unsafe vf_jpeg_verify(bytes, count, &info, &failure) == 0 else { return }
      (width, height) = (info.width, info.height)
    }
    unsafe facts.pointee.count = info.length
    unsafe (facts.pointee.width, facts.pointee.height) = (info.width, info.height)
    if info.has_end == 0 {
      unsafe facts.pointee.tail = (0xff, 0xd9, 0, 0)
      unsafe facts.pointee.tail_count = 2
      info.has_end = 1
      info.length += 2
    }
    unsafe facts.pointee.notes = vf_frame_notes(info)
  }
}

extension vf_frame_notes {
  /// Keeps what a frame's markers say, so that nothing on its way to a file walks them again.
  init(_ info: vf_jpeg_info) {
    self.init()
    unsafe withUnsafeMutableBytes(of: &self) {
      unsafe $0.storeBytes(of: info, as: vf_jpeg_info.self)
    }
  }

  /// What a frame's markers say; `nil` when nobody looked, or it is damaged.
  var info: vf_jpeg_info? {
    let info = unsafe withUnsafeBytes(of: self) { unsafe $0.load(as: vf_jpeg_info.self) }
    return info.length > 0 ? info : nil
  }
}
