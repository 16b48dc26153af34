import Foundation
import Viewfinder

/// Reads files through, to see whether they are whole.
enum FileVerifier {
  /// What is wrong with a file that the index knows, or `nil`; one that is gone is nothing.
  static func problem(with row: FileRow, at path: FilePath) -> PhotoLibraryError? {
    do throws(PhotoLibraryError) {
      let file = try FileReader(path)
      guard let examined = FileExaminer.examine(FoundFile(path, file.status)) else { return nil }
      if let damage = examined.info.damage {
        throw .damaged(what: path.description, reason: damage)
      }
      if examined.content != row.content, file.status == row.status {
        throw .damaged(
          what: path.description, reason: "its bytes have changed, but nobody wrote to it")
      }
      guard let decoder = PictureDecoder(examined.info.type),
        file.size <= FileReader.pictureSizeLimit
      else {
        try readThrough(file)
        return nil
      }
      do throws(PhotoLibraryError) {
        try decode(file, decoder, examined.info)
      } catch .unsupported {
        try readThrough(file)
      }
      return nil
    } catch .cannotRead(_, ENOENT) {
      return nil
    } catch {
      return error
    }
  }

  private static func decode(
    _ file: FileReader, _ decoder: PictureDecoder, _ info: MediaInfo
  ) throws(PhotoLibraryError) {
    let isWhole: Bool
    do throws(CaptureError) {
      // Every byte is decoded for a small picture, too.
      isWhole = try decoder.isWhole(file, info, fitting: ThumbnailSize.normal.box)
    } catch {
      throw PhotoLibraryError(error, path: file.path)
    }
    guard isWhole else {
      throw .damaged(
        what: file.path.description, reason: "it is cut short, or part of the picture may be wrong")
    }
  }

  private static func readThrough(_ file: FileReader) throws(PhotoLibraryError) {
    let partSize = 1 << 20
    for start in stride(from: 0, to: file.size, by: partSize) {
      guard try !file.read(at: start, count: partSize).isEmpty else {
        throw .damaged(what: file.path.description, reason: "it became shorter while it was read")
      }
    }
  }
}

extension FoundFile {
  fileprivate init(_ path: FilePath, _ status: FileStatus) {
    self.init(folder: path.folder, name: path.name, status: status)
  }
}
