import Foundation
import Viewfinder

/// Reads a file through, to see whether it is whole.
struct FileVerifier {
  /// What was found.
  struct Result {
    var problem: PhotoLibraryError?
    /// When its checksum was made, where it has one.
    var goodSince: Date?
    /// Whether its bytes are those of its checksum.
    var isCompared = false
    /// Whether it is gone, which is nothing wrong.
    var isGone = false
  }

  let path: FilePath
  /// What the index knows of it, if it does.
  let row: FileRow?
  let checksum: ChecksumStore.Entry?

  func verify() -> Result {
    var result = Result()
    result.goodSince = checksum?.date
    do throws(PhotoLibraryError) {
      let file = try FileReader(path)
      let found = FoundFile(folder: path.folder, name: path.name, status: file.status)
      guard let examined = FileExaminer.examine(found) else { return Result(isGone: true) }
      if let damage = examined.info.damage {
        throw .damaged(what: path.description, reason: damage)
      }
      result.isCompared = try compare(file, examined.content)
      try decode(file, examined.info)
    } catch .cannotRead(_, ENOENT) {
      return Result(isGone: true)
    } catch {
      result.problem = error
    }
    return result
  }

  /// Reads all bytes; returns whether they were compared with a checksum.
  private func compare(_ file: FileReader, _ content: ContentID) throws(PhotoLibraryError) -> Bool {
    let hash = try FileHash(of: file)
    guard let row, file.status.isSameContent(as: row.status) else { return false }
    if let checksum, hash != checksum.hash || content != row.content {
      throw .damaged(
        what: path.description,
        reason: "its bytes have changed, but its size and time haven't; they were good on "
          + checksum.date.formatted(.iso8601))
    }
    if content != row.content, file.status == row.status {
      throw .damaged(
        what: path.description, reason: "its bytes have changed, but nobody wrote to it")
    }
    return checksum != nil
  }

  private func decode(_ file: FileReader, _ info: MediaInfo) throws(PhotoLibraryError) {
    guard let decoder = PictureDecoder(info.type), file.size <= FileReader.pictureSizeLimit else {
      return
    }
    let isWhole: Bool
    do throws(CaptureError) {
      // Every byte is decoded for a small picture, too.
      isWhole = try decoder.isWhole(file, info, fitting: ThumbnailSize.normal.box)
    } catch {
      let error = PhotoLibraryError(error, path: file.path)
      // Too large for the decoder: nothing is known to be wrong.
      if case .unsupported = error { return }
      throw error
    }
    guard isWhole else {
      throw .damaged(
        what: file.path.description, reason: "it is cut short, or part of the picture may be wrong")
    }
  }
}
