import ErrorWords
import Foundation
import Hummingbird
import ViewfinderLibrary
import WebServing

extension PhotoLibraryError: PageError {
  /// 400, 404 and 422 for what can't be at all, 503 for the rest.
  public var status: HTTPResponse.Status {
    switch self {
    // A file that was put into the trash meanwhile doesn't come by waiting.
    case .notFound, .cannotRead(_, ENOENT): .notFound
    case .damaged, .unsupported: .unprocessableContent
    case .invalidRequest: .badRequest
    case .changed, .onOtherDisk: .conflict
    default: .serviceUnavailable
    }
  }

  /// What pages say it by; what a page asked for wrongly has no code.
  public var coded: Coded? {
    switch self {
    case .notFound: Coded("photoGone")
    case .notAuthorized(let problem): Coded("libraryDenied", because: [ErrorWords(problem)])
    case .absent(let path): Coded("fileAway", ["path": path])
    case .cannotRead(let path, let code): Self.unreadable(path, code)
    case .cannotWrite(let path, let code): .unwritable(path, code)
    case .damaged(let what, let reason):
      Coded("badPicture", ["what": what, "reason": reason])
    case .unsupported(let what, let reason): Self.unsupported(what, reason)
    case .inUse(let what, let holder): Self.inUse(what, holder)
    case .changed(let path): Coded("changedFile", ["path": path])
    case .notTrashed(let path, let trash, let code):
      [ENOSPC, EDQUOT].contains(code)
        ? Coded("trashFull", ["path": path, "trash": trash])
        : Coded("notTrashed", ["path": path, "trash": trash, "reason": Coded.words(for: code)])
    case .onOtherDisk(let path, let folder):
      Coded("onOtherDisk", ["path": path, "folder": folder])
    case .notAdded(let asset, let album, let error):
      Coded("notAdded", ["name": asset.fileName, "album": album], because: [ErrorWords(error)])
    case .incomplete(let done, let left, let error):
      Coded(
        "incomplete", ["done": "\(done.count)", "left": "\(left.count)"],
        because: [ErrorWords(error)])
    case .namesExhausted(let folder): Coded("namesExhausted", ["path": folder])
    case .indexUnusable(let path, let reason):
      Coded("indexUnusable", ["path": path, "reason": reason])
    case .cancelled: Coded("cancelled")
    default: nil
    }
  }

  /// The packages and types in a reason are the same in each language.
  private static func unsupported(_ what: String, _ reason: String) -> Coded {
    if let match = reason.wholeMatch(of: /its thumbnail needs .+ \(apt install (.+)\)/) {
      return Coded("thumbnailNeeds", ["what": what, "packages": String(match.1)])
    }
    if let match = reason.wholeMatch(of: /files of type (.+) aren't decoded/) {
      return Coded("typeNotRead", ["what": what, "type": String(match.1)])
    }
    return reason.hasSuffix("pixels take too much memory")
      ? Coded("tooManyPixels", ["what": what])
      : Coded("listedOnly", ["what": what, "reason": reason])
  }

  private static func inUse(_ what: String, _ holder: String?) -> Coded {
    guard let holder else { return Coded("inUse", ["path": what]) }
    if let match = holder.wholeMatch(of: /process ([0-9]+)/) {
      return Coded("inUseByProcess", ["path": what, "process": String(match.1)])
    }
    return Coded("inUseBy", ["path": what, "holder": holder])
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

extension FolderProblem: CodedError {
  /// What pages say it by.
  public var coded: Coded? {
    switch self {
    case .noHome, .noHomeForIndex: Coded("noHome")
    case .missing(let path): Coded("folderAway", ["path": path])
    case .leadsNowhere(let path): Coded("folderLinkBroken", ["path": path])
    case .unreachable(let path, let code): .file("folderUnreachable", path, code)
    case .notAFolder(let path): Coded("notAFolder", ["path": path])
    case .notReadable(let path):
      Coded("folderNotReadable", ["path": path, "quoted": Self.quoted(path)])
    case .readOnlyDisk(let path): Coded("readOnlyDisk", ["path": path])
    case .notWritable(let path):
      Coded("folderNotWritable", ["path": path, "quoted": Self.quoted(path)])
    @unknown default: nil
    }
  }

  /// A path as a shell takes it.
  private static func quoted(_ path: String) -> String {
    "'" + path.replacing("'", with: "'\\''") + "'"
  }
}
