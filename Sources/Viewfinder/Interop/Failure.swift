import CViewfinder
import Glibc

extension vf_failure {
  /// The failing step, such as "VIDIOC_S_FMT".
  var stepText: String { unsafe step.map { unsafe String(cString: $0) } ?? "" }

  /// More words, such as what is wrong with a picture; else the system's words for the code.
  var detailText: String {
    var copy = unsafe detail
    let text = unsafe withUnsafeBytes(of: &copy) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return unsafe text.isEmpty ? errorText(code) : text
  }

  /// Whether there are more words than the system's for the code.
  var hasDetail: Bool { unsafe detail.0 != 0 }

  /// The error for a failed call on a picture called `what` in messages.
  func imageError(_ what: String) -> CaptureError {
    switch unsafe code {
    case ENOTSUP, EFBIG: unsafe .unsupportedImage(what: what, reason: detailText)
    case EBADMSG: unsafe .badImageData(what: what, reason: detailText)
    case EINVAL: .invalidSettings(reason: unsafe "\(what): \(detailText)")
    default: unsafe .system(call: stepText, code: code, subject: what)
    }
  }
}
