import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// Drafts that lie about: a killed program's are cleared away, everybody else's stay.
@Suite struct LeftoverTests {
  private static let hash = "0123456789abcdef0123456789abcdef"

  private static let ours: [FilePath] = [
    "thumbnails/normal/.\(hash).png.123", "thumbnails/xx-large/.\(hash).png.18446744073709551615",
    "thumbnails/fail/viewfinder-2/.\(hash).png.9", "Pictures/.photo.123",
    "Pictures/DCIM/.photo.77", "Pictures/.viewfinder/.favorites.json.5",
    "Pictures/.viewfinder/albums/.x.json.12", "Pictures/.viewfinder/recipes/.a.jpg.json.3",
  ].map { FilePath($0) }

  private static let others: [FilePath] = [
    "thumbnails/normal/\(hash).png", "thumbnails/normal/.\(hash).png.XY12AB",
    "thumbnails/normal/\(hash).png.123456", "thumbnails/normal/.other.png.12",
    "thumbnails/normal/.\(hash).jpg.12", "thumbnails/normal/.123.part",
    "thumbnails/fail/gnome-thumbnail-factory/.\(hash).png.9", "Pictures/.a.jpg.123",
    "Pictures/.photo.", "Pictures/.photo", "Pictures/in/.photo.123",
    "Pictures/.viewfinder/albums/.x.json", "Pictures/.viewfinder/.12",
  ].map { FilePath($0) }

  @Test("The next open clears away what a killed program left, and nothing that is another's")
  func sweep() async throws {
    let rig = try await LibraryRig()
    for path in Self.ours + Self.others {
      let file = rig.base.appending(path)
      try file.folder.makeFolder()
      try Data("x".utf8).write(to: file.url)
    }
    let linked = rig.root.appending(".photo.1")
    linked.makeLink(to: rig.base.appending("Pictures/.photo").description)
    // One that is just being written.
    let final = rig.root.appending("photo")
    var draft = try FileDraft(for: final.bytes, isHidden: true)
    #expect(draft.write(Data([1])) == 0)

    let library = try await rig.reopened()
    #expect(
      try await eventually { !Self.ours.contains { rig.base.appending($0).exists } },
      "\(Self.ours.filter { rig.base.appending($0).exists })")
    for path in Self.others { #expect(rig.base.appending(path).exists, "\(path)") }
    #expect(linked.exists)
    #expect(draft.publish(replacesExisting: false) == 0)
    #expect(FileStatus(of: final)?.size == 1)
    _ = library
  }
}
