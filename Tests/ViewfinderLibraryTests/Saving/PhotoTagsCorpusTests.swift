import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// Real cameras' photos with other tags, and what another program finds in them.
@Suite("Real photos with other tags") struct PhotoTagsCorpusTests {
  private static let tags = PhotoTags(
    captureDate: CaptureDate(localSeconds: 951_825_600, nanoseconds: 250_000_000, offset: -12_600),
    location: GeoPosition(latitude: -33.5, longitude: 151.25, altitude: 12.5),
    imageDescription: "A title of this test", artist: "A. Person", copyright: "© A. Person")

  private static let photos: [FilePath] = {
    guard LibraryCorpus.isHere else { return [] }
    let folder = LibraryCorpus.data.appending("jpeg/images")
    let names = (try? folder.names()) ?? []
    return names.filter { ["jpg", "png"].contains($0.pathExtension) }.map(folder.appending)
  }()

  @Test(
    "The tags are there, and the picture is the same",
    .enabled(if: LibraryCorpus.isHere, "needs the photos in ../shared/data"))
  func realPhotos() throws {
    var changed = 0
    for path in Self.photos {
      let old = try Data(contentsOf: path.url)
      guard let new = try? tagged(old, Self.tags) else { continue }
      changed += 1
      let (before, after) = (
        try MediaReader.read(FileWindows(old)), try MediaReader.read(FileWindows(new))
      )
      #expect(after.captureDate == Self.tags.captureDate, "\(path)")
      #expect(after.position == Self.tags.location, "\(path)")
      #expect(after.camera == before.camera, "\(path)")
      #expect(after.orientation == before.orientation, "\(path)")
      #expect(after.preview?.count == before.preview?.count, "\(path)")
      #expect((try? pixels(new)) == (try? pixels(old)), "\(path)")
    }
    #expect(changed > 30)
  }

  @Test(
    "ExifTool finds what was given, and everything else as before",
    .enabled(if: LibraryCorpus.isHere, "needs the photos in ../shared/data"),
    .enabled(if: ExifTool.isHere, "needs exiftool"))
  func exifTool() throws {
    let folder = try ScratchFolder()
    let file = folder.path.appending("photo")
    var photos = Self.photos.filter { $0.name.bytes.starts(with: "metadata_".utf8) }
    try #require(photos.count > 3)
    let own = folder.path.appending("own")
    try TaggedPhoto.jpegFile().write(to: own.url)
    photos.append(own)
    for path in photos {
      try tagged(Data(contentsOf: path.url), Self.tags).write(to: file.url)
      let (before, after) = (try ExifTool.tags(of: path), try ExifTool.tags(of: file))
      #expect(after["ExifIFD:DateTimeOriginal"] == "2000:02:29 12:00:00", "\(path)")
      #expect(after["ExifIFD:OffsetTimeOriginal"] == "-03:30", "\(path)")
      #expect(after["ExifIFD:SubSecTimeOriginal"] == "25", "\(path)")
      #expect(after["GPS:GPSLatitude"] == "33.5" && after["GPS:GPSLatitudeRef"] == "S", "\(path)")
      #expect(after["GPS:GPSLongitude"] == "151.25", "\(path)")
      #expect(after["GPS:GPSAltitude"] == "12.5", "\(path)")
      #expect(after["IFD0:ImageDescription"] == "A title of this test", "\(path)")
      #expect(after["IFD0:Artist"] == "A. Person", "\(path)")
      #expect(after["IFD0:Copyright"] == "© A. Person", "\(path)")
      #expect(after["ExifTool:Warning"] == before["ExifTool:Warning"], "\(path)")
      let given = [
        "DateTimeOriginal", "OffsetTimeOriginal", "SubSecTimeOriginal", "ImageDescription",
        "Artist", "Copyright", "ExifVersion",
      ]
      // What it tells of the file, and what it computes or where it found it.
      let others = ["SourceFile", "File:", "System:", "Composite:", "ExifTool:", "GPS:"]
      for (name, value) in before
      where !given.contains(where: name.hasSuffix) && !others.contains(where: name.hasPrefix)
        && !name.hasSuffix("Offset")
      {
        #expect(after[name] == value, "\(path): \(name)")
      }
    }
  }
}

/// Another program that reads metadata.
private enum ExifTool {
  static let isHere = (try? run(["-ver"])) != nil

  /// A file's tags by group and name, as numbers and text.
  static func tags(of path: FilePath) throws -> [String: String] {
    let found = try JSONSerialization.jsonObject(
      with: run(["-json", "-n", "-a", "-u", "-G1", path.description]))
    let tags = (found as? [[String: Any]])?.first ?? [:]
    return tags.mapValues { "\($0)" }
  }

  private static func run(_ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["exiftool"] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 || !data.isEmpty else {
      throw CocoaError(.fileReadUnknown)
    }
    return data
  }
}
