import Foundation
import Viewfinder

/// Where the photos are that a picker took.
///
/// They never collect in memory. A folder of the picker's own goes with the last photo in it.
final class CaptureFolder: Sendable {
  private let url: URL
  private let isOwn: Bool

  /// The folder at `url`, or a new one that only this user may read.
  init(_ url: URL?) throws(PickerError) {
    isOwn = url == nil
    let own = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-picker-\(UUID().uuidString)")
    self.url = url ?? own
    do {
      try FileManager.default.createDirectory(
        at: self.url, withIntermediateDirectories: !isOwn,
        attributes: isOwn ? [.posixPermissions: 0o700] : nil)
    } catch {
      let code = (error as? CocoaError)?.underlying as? POSIXError
      throw .camera(.cannotWrite(path: self.url.path, code: code?.code.rawValue ?? EIO))
    }
  }

  deinit {
    if isOwn { try? FileManager.default.removeItem(at: url) }
  }

  /// Saves a photo: whole, or not at all.
  func save(_ photo: CapturePhoto) throws(PickerError) -> CapturedFile {
    let name = PhotoFile.suggestedName(for: photo.date, fileType: photo.fileType)
    for number in 1... {
      let url = url.appending(component: number == 1 ? name : "\(number)-\(name)")
      do throws(CaptureError) {
        try photo.write(to: url, replacesExisting: false)
        return CapturedFile(url: url, folder: self, isOwn: isOwn)
      } catch {
        // The camera's clock was set back, or another program writes here.
        if case .cannotWrite(_, EEXIST) = error, number < 1000 { continue }
        throw .camera(error)
      }
    }
    throw .camera(.cannotWrite(path: url.path, code: EEXIST))
  }
}

/// The file of a photo that was taken.
final class CapturedFile: Sendable {
  let url: URL
  private let folder: CaptureFolder
  private let isOwn: Bool

  init(url: URL, folder: CaptureFolder, isOwn: Bool) {
    (self.url, self.folder, self.isOwn) = (url, folder, isOwn)
  }

  deinit {
    if isOwn { try? FileManager.default.removeItem(at: url) }
  }
}
