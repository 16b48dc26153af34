import Foundation
import Viewfinder

extension PhotoTags {
  /// What a segment's 16 bits can count, beside themselves and Exif's mark.
  private static let jpegLimit = 0xffff - 2 - 6

  /// How a file is to be changed so that it has these tags.
  ///
  /// Throws ``PhotoLibraryError/invalidRequest(reason:)`` for files and tags with which that can't be.
  func splice(
    into windows: FileWindows, _ info: MediaInfo, _ status: FileStatus?
  ) throws(PhotoLibraryError) -> FileSplice {
    let place: ExifPlace
    switch info.type {
    case .jpeg: place = try .inJPEG(windows)
    case .png: place = try .inPNG(windows)
    default:
      throw .invalidRequest(
        reason: "Only JPEG and PNG files can be saved with other metadata, not "
          + "\(info.type?.mimeType ?? "others"). Save it without.")
    }
    guard place.tiff.count <= FileWindows.byteLimit else { throw Self.noRoom }
    let old =
      place.tiff.isEmpty ? [] : try windows.read(place.tiff.lowerBound, place.tiff.count)
    let tiff = try merged(into: Data(old), info)
    if info.type == .png {
      return FileSplice(
        range: place.range, bytes: PNGText.chunk("eXIf", Array(tiff)), status: status)
    }
    guard tiff.count <= Self.jpegLimit else { throw Self.noRoom }
    let count = UInt16(tiff.count + 2 + 6)
    return FileSplice(
      range: place.range,
      bytes: Data([0xff, 0xe1, UInt8(count >> 8), UInt8(count & 0xff)] + Array("Exif\0\0".utf8))
        + tiff,
      status: status)
  }

  private static let noRoom = PhotoLibraryError.invalidRequest(
    reason: "The file's Exif data have no room for the metadata. Take shorter texts, or save it "
      + "without.")

  private func merged(into tiff: Data, _ info: MediaInfo) throws(PhotoLibraryError) -> Data {
    let changes = try exifChanges(storedDimensions: info.storedDimensions)
    do throws(CaptureError) {
      return try changes.merged(into: tiff)
    } catch {
      throw .invalidRequest(reason: error.description)
    }
  }
}
