import Foundation
import ViewfinderLibrary

extension ViewfinderLibrary.Asset {
  /// Another text when the default file is another one, or has changed: for addresses of what stays as it is.
  public var version: String {
    "\(written)-\(defaultRepresentation.size)" + (isAbsent ? "-absent" : "")
  }

  /// When the default file was last written, in milliseconds since 1970.
  public var written: Int { Int(modificationDate.timeIntervalSince1970 * 1000) }
}
