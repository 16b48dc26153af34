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
      try isDecoded(examined.info, file) ? decode(file) : readThrough(file)
      return nil
    } catch .cannotRead(_, ENOENT) {
      return nil
    } catch {
      return error
    }
  }

  /// Whether the whole picture is to be decoded: a JPEG, or a PNG that memory has room for.
  private static func isDecoded(_ info: MediaInfo, _ file: FileReader) -> Bool {
    guard file.size <= AssetRepresentation.sizeLimit, let size = info.storedDimensions else {
      return false
    }
    // Each side fits into 31 bits.
    return info.type == .jpeg
      || info.type == .png && size.width * size.height <= ThumbnailMaker.pngPixelLimit
  }

  private static func decode(_ file: FileReader) throws(PhotoLibraryError) {
    let data = try file.readAll(limit: AssetRepresentation.sizeLimit)
    let hadDamage: Bool
    do throws(CaptureError) {
      // Every byte is decoded for a small picture, too.
      hadDamage = try PixelBuffer.decode(data, fitting: ThumbnailSize.normal.box).hadDamage
    } catch {
      throw PhotoLibraryError(error, path: file.path)
    }
    guard !hadDamage else {
      throw .damaged(
        what: file.path.description, reason: "it is cut short, or part of the picture is wrong")
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
