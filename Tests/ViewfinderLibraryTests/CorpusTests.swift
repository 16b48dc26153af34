import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// Real photos and hostile files in a library.
@Suite struct LibraryCorpusTests {
  static let data = FilePath(#filePath).folder.folder.folder.folder.appending("shared/data")
  static let isHere = FileStatus(of: data.appending("jpeg")) != nil

  @Test(.enabled(if: isHere, "needs the photos in ../shared/data"))
  func everyFileIsAnItemThatHasAThumbnailOrSaysWhyNot() async throws {
    let rig = try await LibraryRig { folder in
      for name in ["cards", "jpeg"] {
        try FileManager.default.copyItem(
          at: Self.data.appending(name).url, to: folder.path.appending(FilePath(name)).url)
      }
    }
    let assets = try await rig.all()
    let files =
      FileManager.default.enumerator(atPath: rig.root.description)?.compactMap { $0 as? String }
      ?? []
    let pictures = files.filter {
      ["jpg", "jpeg", "png"].contains(($0 as NSString).pathExtension.lowercased())
    }
    #expect(assets.count >= pictures.count && !pictures.isEmpty)
    for asset in assets {
      do {
        let thumbnail = try await rig.library.thumbnail(of: asset)
        #expect(max(thumbnail.dimensions.width, thumbnail.dimensions.height) <= 256)
        guard let size = asset.dimensions else {
          Issue.record("\(asset.fileName) has a thumbnail and no size")
          continue
        }
        // Upright: as wide or as high as the picture.
        #expect(
          thumbnail.dimensions == size.fitted(into: Dimensions(width: 256, height: 256)),
          "\(asset.fileName)")
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }
}
