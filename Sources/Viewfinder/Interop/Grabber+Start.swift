import CViewfinder
import Foundation

extension Grabber {
  /// Formats that are tried when one needs more bandwidth than there is.
  private static let alternativeLimit = 8

  /// Starts the stream in a format of the camera's `modes` and returns what the driver granted.
  ///
  /// - Throws: ``CaptureError/insufficientBandwidth(device:format:alternative:)`` with a format
  ///   that does fit, which is found by trying.
  func start(_ choice: ModeTable.Choice, of modes: ModeTable) throws(CaptureError) -> VideoFormat {
    do throws(CaptureError) {
      return try start(choice.format)
    } catch {
      guard error.mayBeBandwidth else { throw error }
      // What was short a moment ago may be there again, and an EIO have passed.
      if let format = try? start(choice.format) { return format }
      let alternative = modes.lighter(than: choice).prefix(Self.alternativeLimit).first { lighter in
        guard (try? start(lighter.format)) != nil else { return false }
        stop()
        return true
      }
      // An EIO that meets every format is no matter of bandwidth.
      if alternative == nil, case .system = error { throw error }
      throw .insufficientBandwidth(
        device: deviceName, format: choice.description,
        alternative: alternative.flatMap(modes.format(of:)))
    }
  }
}

extension CaptureError {
  /// Whether USB may have refused to reserve what the stream needs: some host controllers say EIO.
  fileprivate var mayBeBandwidth: Bool {
    switch self {
    case .insufficientBandwidth: true
    case .system(let call, let code, _): call == "VIDIOC_STREAMON" && code == EIO
    default: false
    }
  }
}

/// The nodes from which sessions of this program stream.
///
/// `/proc` tells which process has a node open, not whether it streams: of this process's own it
/// can't be asked.
enum OwnStreams {
  private static let paths = Mutex<[String: Int]>([:])

  static func add(_ path: String) { paths.withLock { $0[path, default: 0] += 1 } }

  static func remove(_ path: String) {
    paths.withLock { paths in
      guard let count = paths[path] else { return }
      paths[path] = count > 1 ? count - 1 : nil
    }
  }

  static func contains(_ path: String) -> Bool { paths.withLock { $0[path] != nil } }
}
