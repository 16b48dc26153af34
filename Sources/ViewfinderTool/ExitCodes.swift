import Foundation
import Viewfinder
import ViewfinderLibrary

/// An error of the tool itself, with its exit code.
struct ToolError: Error {
  var message: String
  var exitStatus: Int32
}

/// The end of a command whose problems were told one by one.
struct ReportedFailure: Error {
  var exitStatus: Int32
}

/// What the tool says about an error, and the exit code that tells scripts (`sysexits.h`).
struct Failure {
  var message: String
  var exitStatus: Int32

  /// The failure behind an error; `nil` for errors of the argument parser, which explains its own.
  init?(_ error: any Error) {
    switch error {
    case let error as ToolError:
      (message, exitStatus) = (error.message, error.exitStatus)
    case let error as CaptureError:
      (message, exitStatus) = (Terminal.plain(error.description), error.exitStatus)
    case let error as PhotoLibraryError:
      (message, exitStatus) = (Terminal.plain(error.description), error.exitStatus)
    default:
      return nil
    }
  }
}

extension CaptureError {
  /// The exit code for the error.
  var exitStatus: Int32 {
    switch self {
    case .unsupportedControl, .valueOutOfRange, .invalidSettings:
      EX_USAGE
    case .badImageData, .unsupportedImage:
      EX_DATAERR
    case .deviceNotFound, .notACamera:
      EX_NOINPUT
    case .deviceInUse, .disconnected, .stalled, .needsLibcamera, .insufficientBandwidth,
      .unsupportedFormat, .sessionNotRunning, .cancelled, .noSignal, .sourceChanged, .takingStill,
      .shutterNotReady, .unusableOutput:
      EX_UNAVAILABLE
    case .permissionDenied:
      EX_NOPERM
    case .cannotRead(_, let code):
      status(ofReading: code)
    case .cannotWrite(_, let code):
      status(ofWriting: code)
    case .system(_, let code, _):
      switch code {
      case EACCES, EPERM: EX_NOPERM
      case EBUSY, ENODEV, ENXIO, ENOMEM: EX_UNAVAILABLE
      default: EX_IOERR
      }
    @unknown default:
      EX_SOFTWARE
    }
  }
}

extension PhotoLibraryError {
  /// The exit code for the error.
  var exitStatus: Int32 {
    switch self {
    case .invalidRequest, .changed, .inUse, .notTrashed, .onOtherDisk: EX_USAGE
    case .damaged, .unsupported: EX_DATAERR
    case .notFound, .absent: EX_NOINPUT
    case .cancelled: EX_UNAVAILABLE
    case .namesExhausted, .indexUnusable: EX_IOERR
    case .notAuthorized: EX_NOPERM
    case .cannotRead(_, let code): status(ofReading: code)
    case .cannotWrite(_, let code): status(ofWriting: code)
    case .notAdded, .incomplete: EX_IOERR
    @unknown default: EX_SOFTWARE
    }
  }
}

/// The exit code for what can't be read.
private func status(ofReading code: Int32) -> Int32 {
  switch code {
  case ENOENT, ENOTDIR, EISDIR: EX_NOINPUT
  case EACCES, EPERM: EX_NOPERM
  default: EX_IOERR
  }
}

/// The exit code for what can't be written.
private func status(ofWriting code: Int32) -> Int32 {
  [EACCES, EPERM].contains(code) ? EX_NOPERM : EX_IOERR
}

// sysexits.h, which Glibc's module lacks.
let EX_USAGE: Int32 = 64
let EX_DATAERR: Int32 = 65
let EX_NOINPUT: Int32 = 66
let EX_UNAVAILABLE: Int32 = 69
let EX_SOFTWARE: Int32 = 70
let EX_IOERR: Int32 = 74
let EX_NOPERM: Int32 = 77
