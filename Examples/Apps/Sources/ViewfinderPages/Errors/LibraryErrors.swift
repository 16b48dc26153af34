import ErrorWords
import Foundation
import Hummingbird
import ViewfinderLibrary
import WebServing

extension PhotoLibraryError: PageError {
  /// 400, 404 and 422 for what can't be at all, 503 for the rest.
  public var status: HTTPResponse.Status {
    switch self {
    case .notFound: .notFound
    case .damaged, .unsupported: .unprocessableContent
    case .invalidRequest: .badRequest
    default: .serviceUnavailable
    }
  }

  /// What pages say it by; what a page asked for wrongly has no code.
  public var coded: Coded? {
    switch self {
    case .notFound: Coded("photoGone")
    case .notAuthorized(let advice): Coded("libraryDenied", ["reason": advice])
    case .absent(let path): Coded("fileAway", ["path": path])
    case .cannotRead(let path, let code): Self.unreadable(path, code)
    case .cannotWrite(let path, let code): .unwritable(path, code)
    case .damaged(let what, let reason):
      Coded("badPicture", ["what": what, "reason": reason])
    case .unsupported(let what, let reason):
      Coded("listedOnly", ["what": what, "reason": reason])
    case .notAdded(let asset, let album, let reason):
      Coded("notAdded", ["name": asset.fileName, "album": album, "reason": reason])
    case .incomplete(let done, let left, let reason):
      Coded("incomplete", ["done": "\(done.count)", "left": "\(left.count)", "reason": reason])
    case .namesExhausted(let folder): Coded("namesExhausted", ["path": folder])
    case .indexUnusable(let path, let reason):
      Coded("indexUnusable", ["path": path, "reason": reason])
    case .cancelled: Coded("cancelled")
    default: nil
    }
  }

  private static func unreadable(_ path: String, _ code: Int32) -> Coded {
    switch code {
    case EACCES, EPERM: Coded("mayNotRead", ["path": path])
    case ENODEV: Coded("diskAway", ["path": path])
    case EFBIG: Coded("tooLargeToShow", ["path": path])
    default: .file("cannotRead", path, code)
    }
  }
}
