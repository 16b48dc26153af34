import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// Assets by day, camera, place and words.
@Suite struct SearchTests {
  /// Saves a photo that was taken at a time and a place.
  private func save(
    _ rig: LibraryRig, _ seed: Int, day: Int64, at position: GeoPosition? = nil
  ) async throws -> Asset {
    var photo = PhotoResource(.data(LibraryFolder.jpeg(seed: seed)))
    photo.metadata = PhotoTags(
      captureDate: CaptureDate(localSeconds: day * 86_400 + 3600), location: position)
    return try await rig.library.save([photo])
  }

  private func names(_ rig: LibraryRig, _ change: (inout AssetFilter) -> Void) async throws
    -> [String]
  {
    var filter = AssetFilter()
    change(&filter)
    let list = try await rig.library.album(.all).assets(filter)
    return try await list.assets(in: 0..<list.count).map(\.fileName).sorted()
  }

  @Test("The days of a list have all its assets in its order, also before 1970")
  func days() async throws {
    let rig = try await LibraryRig()
    for (seed, day) in [20_000, 20_000, 19_999, -1].enumerated() {
      _ = try await save(rig, seed, day: Int64(day))
    }
    let list = try await rig.library.album(.all).assets(order: .newestFirst)
    #expect(
      try await list.days() == [
        AssetDay(number: 20_000, count: 2), AssetDay(number: 19_999, count: 1),
        AssetDay(number: -1, count: 1),
      ])
    // What is gone meanwhile is still one of the list's.
    let newest = try #require(try await list.asset(at: 0))
    try await rig.library.trash([newest])
    #expect(try await list.days().map(\.count) == [2, 1, 1])
  }

  @Test("Words are found in names, folders and albums, and each of them must be")
  func words() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("Harbour/a 100%.jpg", seed: 1)
      try folder.write("Harbour/b_1.jpg", seed: 2)
      try folder.write("Harbour/Inner/c.jpg", seed: 3)
    }
    let album = try await rig.library.makeAlbum(named: "Garden \"26\"")
    try await album.add([rig.asset("Harbour/Inner/c.jpg")])
    #expect(try await names(rig) { $0.words = ["harbour"] } == ["a 100%.jpg", "b_1.jpg"])
    #expect(try await names(rig) { $0.words = ["HARB", "b_"] } == ["b_1.jpg"])
    #expect(try await names(rig) { $0.words = ["garden"] } == ["c.jpg"])
    #expect(try await names(rig) { $0.words = ["\"26\""] } == ["c.jpg"])
    // What means something to a database is a sign like any other.
    #expect(try await names(rig) { $0.words = ["%"] } == ["a 100%.jpg"])
    #expect(try await names(rig) { $0.words = ["_"] } == ["b_1.jpg"])
    #expect(try await names(rig) { $0.words = ["zeppelin"] } == [])
    #expect(try await names(rig) { $0.words = [] }.count == 3)
  }

  @Test("Places are squares with how many photos each has, and photos are found by them")
  func places() async throws {
    let rig = try await LibraryRig()
    let here = GeoPosition(latitude: 52.49, longitude: 13.41)
    for seed in 0..<2 { _ = try await save(rig, seed, day: 20_000, at: here) }
    let south = GeoPosition(latitude: -33.86, longitude: -151.2)
    let other = try await save(rig, 2, day: 20_001, at: south)
    _ = try await save(rig, 3, day: 20_002)
    let places = try await rig.library.places()
    #expect(places.map(\.assetCount) == [2, 1])
    #expect(places.allSatisfy { $0.area.latitudes.contains($0.position.latitude) })
    #expect(try await names(rig) { $0.area = places[1].area } == [other.fileName])
    #expect(try await names(rig) { $0.area = places[0].area }.count == 2)
    await #expect(throws: PhotoLibraryError.self) { try await rig.library.places(side: .nan) }
  }

  @Test("Cameras are listed with how many photos each took, and found by their names")
  func cameras() async throws {
    let rig = try await LibraryRig { folder in
      for seed in 0..<3 {
        let exif = TIFFBuilder.file([[0x110: .ascii(seed == 2 ? "Zeiss B" : "Leica A")]])
        let picture = LibraryFolder.jpeg(seed: seed)
        try folder.write(
          "\(seed).jpg", picture.prefix(2) + Data(exifSegment(exif)) + picture.dropFirst(2))
      }
      try folder.write("none.jpg", seed: 9)
    }
    let cameras = try await rig.library.cameras()
    #expect(cameras.map(\.assetCount) == [2, 1])
    #expect(try await names(rig) { $0.camera = cameras[1].name } == ["2.jpg"])
    #expect(try await names(rig) { $0.words = [cameras[1].name.lowercased()] }.contains("2.jpg"))
  }

  @Test("A poster is the newest picture of which one can be made; a broken video takes none away")
  func poster() async throws {
    let rig = try await LibraryRig { folder in
      try folder.write("Trip/a.jpg", seed: 1)
      // The head of a video, of which nobody can make a picture.
      try folder.write("Trip/b.mp4", Data([0, 0, 0, 16] + Array("ftypisom\0\0\0\0".utf8)))
    }
    let trip = try #require(try await rig.library.albums().first { $0.name == "Trip" })
    let found = try #require(try await trip.posterThumbnail())
    #expect(found.asset.fileName == "a.jpg")
    #expect(found.picture.dimensions.width == found.picture.dimensions.height)
    let empty = try await rig.library.makeAlbum(named: "Empty")
    #expect(try await empty.posterThumbnail() == nil)
  }

  @Test("What is in the trash has a thumbnail")
  func trashThumbnail() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    let trashed = try await rig.library.trash(rig.all())
    let picture = try await rig.library.thumbnail(of: trashed[0], shape: .square)
    #expect(picture.dimensions == Dimensions(width: 8, height: 8))
  }
}
