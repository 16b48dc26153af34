import Foundation
import ServerSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips tests where no disk can be mounted, and says so.
  static var needsDisk: Self { .enabled(if: TestDisk.canMount, "only root may mount a small disk") }
}

extension TestDisk {
  /// Lets everybody write, or nobody.
  func allowWriting(_ mayWrite: Bool) throws {
    let (readOnly, remount): (UInt, UInt) = (1, 32)
    guard mount("x", folder.path, "tmpfs", remount | (mayWrite ? 0 : readOnly), nil) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }
}

extension NavigatorVisit {
  /// The names of all files in the library's root, hidden ones too, but for what the library keeps beside the photos.
  var files: [String] { files(in: pictures) { !$0.path.contains("/.viewfinder/") } }

  /// The names of all files in the folder of the albums that were made.
  var albumFiles: [String] { files(in: pictures.appending(path: ".viewfinder/albums")) }

  private func files(in folder: URL, where isWanted: (URL) -> Bool = { _ in true }) -> [String] {
    let keys: [URLResourceKey] = [.isRegularFileKey]
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: keys)
    return (all?.allObjects as? [URL] ?? []).filter { url in
      isWanted(url)
        && (try? url.resourceValues(forKeys: Set(keys)))?.isRegularFile == true
    }.map(\.lastPathComponent).sorted()
  }
}
