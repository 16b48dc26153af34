import CViewfinder
import Foundation

/// What a failed call said, for messages.
func words(_ failure: vf_failure) -> String {
  var failure = failure
  let detail = withUnsafeBytes(of: &failure.detail) {
    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
  }
  let step = failure.step.map { String(cString: $0) } ?? ""
  return "\(step): \(String(cString: strerror(failure.code))) \(detail)"
}
