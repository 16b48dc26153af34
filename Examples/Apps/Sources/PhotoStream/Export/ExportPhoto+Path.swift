import Checksums
import Foundation
import ViewfinderLibrary

extension ExportPhoto {
  /// The folders for it, by the month of its own clock.
  var folders: [String] {
    guard let seconds = taken?.localSeconds else { return ["Undated"] }
    let day = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601.year().month())
    return day.split(separator: "-").map(String.init)
  }

  /// A file's name with a part of its hash, so that two photos of one name are two files.
  var uniqueName: String {
    let name = URL(fileURLWithPath: "/").appending(component: fileName)
    let type = name.pathExtension
    // What some systems don't allow in names.
    let plain = name.deletingPathExtension().lastPathComponent
      .replacing(/[\/\\:*?"<>|\p{Cc}]/, with: "_")
    return "\(plain)-\(self.name.text.prefix(12))\(type.isEmpty ? "" : ".\(type)")"
  }
}
