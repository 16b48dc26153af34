import Foundation
/// stub
struct LibraryLock {
  init(_ path: FilePath) throws(PhotoLibraryError) {}
  func release() {}
}
