import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// Photos that are saved into the library, and deleted from it.
@Suite struct LibrarySavingTests {
  @Test func aSavedPhotoIsInTheCameraRollAndInItsAlbumAtOnce() async throws {
    let rig = try await LibraryRig()
    let album = try await rig.library.makeAlbum(named: "Cards")
    let data = LibraryFolder.jpeg(seed: 1)
    let asset = try await rig.library.save([PhotoResource(.data(data))], to: album)
    #expect(asset.fileURL == rig.root.appending("DCIM/100VWFND/VWF_0001.JPG").url)
    #expect(try await asset.defaultRepresentation.data() == data)
    #expect(try await asset.defaultRepresentation.data(in: 2..<6) == data[2..<6])
    #expect(try await rig.library.album(.cameraRoll).assets().count == 1)
    #expect(try await album.assets().asset(at: 0)?.id == asset.id)
  }

  @Test func aPhotoWhoseAlbumIsGoneIsSavedAndNamedSoThatItIsNotSavedTwice() async throws {
    let rig = try await LibraryRig()
    let album = try await rig.library.makeAlbum(named: "Cards")
    try await album.delete()
    let error = await #expect(throws: PhotoLibraryError.self) {
      try await rig.library.save(
        [PhotoResource(.data(LibraryFolder.jpeg(seed: 1)))], to: album)
    }
    guard case .notAdded(let asset, "Cards", let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description.hasPrefix("VWF_0001.JPG is saved, but not in") == true)
    #expect(error?.description.contains("\(reason)") == true)
    #expect(try await rig.all() == [asset])
    let other = try await rig.library.makeAlbum(named: "Others")
    try await other.add([asset])
    #expect(try await other.assets().count == 1)
  }

  @Test func anOriginalAndItsEditedVersionAreOneAssetThatShowsTheEditedOne() async throws {
    let rig = try await LibraryRig()
    let (original, edited) = (LibraryFolder.jpeg(seed: 1), LibraryFolder.jpeg(seed: 2))
    for naming in [PhotoNaming.dcf(), .dateTime] {
      let asset = try await rig.library.save(
        [PhotoResource(.data(original)), PhotoResource(.data(edited), isEdited: true)],
        naming: naming)
      let files = try await asset.representations()
      #expect(files.map(\.role) == [.edited, .original])
      #expect(try await asset.defaultRepresentation.data() == edited)
    }
    #expect(try await rig.all().count == 2)
  }

  @Test func anEditedVersionWithoutExifKeepsTheOriginalsDateAndPlace() async throws {
    let rig = try await LibraryRig()
    func save(_ seed: Int, takenAt seconds: Int64, isEdited: Bool) async throws -> Asset {
      let tags = PhotoTags(
        captureDate: CaptureDate(localSeconds: seconds, nanoseconds: 0, offset: 0),
        location: GeoPosition(latitude: 1, longitude: 2))
      var files = [PhotoResource(.data(LibraryFolder.jpeg(seed: seed)), metadata: tags)]
      if isEdited {
        files.append(PhotoResource(.data(LibraryFolder.jpeg(seed: seed + 100)), isEdited: true))
      }
      return try await rig.library.save(files)
    }
    let late = try await save(1, takenAt: 1_000_000_000, isEdited: false)
    let early = try await save(2, takenAt: 500_000_000, isEdited: true)
    #expect(early.captureDate?.localSeconds == 500_000_000)
    #expect(early.location == late.location && early.location != nil)
    #expect(early.defaultRepresentation.captureDate == nil)
    #expect(try await rig.library.assets(ids: [early.id]) == [early])
    #expect(try await rig.all() == [early, late])
    // Of two that say something, the original counts, for the order too.
    let files = try await early.representations().map(\.file)
    var other = files[0]
    (other.name, other.info.captureDate) = ("a-edited.jpg", late.captureDate)
    #expect(AssetFacts(files[0], [other, files[1]]).captureDate == early.captureDate)
    // Whoever throws the original away loses what it said.
    try FileManager.default.removeItem(at: try await early.representations()[1].fileURL)
    try await rig.library.update()
    #expect(try await rig.all().map(\.id) == [late.id, early.id])
    #expect(try await rig.all()[1].captureDate == nil)
  }

  @Test func aFileIsCopiedOrMovedIn() async throws {
    let rig = try await LibraryRig()
    let outside = LibraryFolder(rig.base.appending("Outside"))
    try outside.write("a.jpg", seed: 1)
    try outside.write("b.jpg", seed: 2)
    let (a, b) = (outside.path.appending("a.jpg"), outside.path.appending("b.jpg"))
    try await rig.library.save([PhotoResource(.copy(a.url))])
    try await rig.library.save([PhotoResource(.move(b.url))])
    #expect(FileStatus(of: a) != nil)
    #expect(FileStatus(of: b) == nil)
    #expect(try await rig.all().count == 2)
  }

  @Test func whatIsNoPictureIsRefusedAndNothingIsWritten() async throws {
    let rig = try await LibraryRig()
    await #expect {
      try await rig.library.save([PhotoResource(.data(Data("text".utf8)))])
    } throws: { error in
      if case PhotoLibraryError.unsupported = error { true } else { false }
    }
    await #expect { try await rig.library.save([PhotoResource]()) } throws: { error in
      if case PhotoLibraryError.invalidRequest = error { true } else { false }
    }
    #expect(FileStatus(of: rig.root.appending("DCIM")) == nil)
  }

  @Test func whatTheFoldersAllowIsToldWithAdvice() async throws {
    let rig = try await LibraryRig()
    var configuration = PhotoLibrary.Configuration(roots: [rig.root.url])
    configuration.indexFolder = rig.base.appending("index").url
    #expect(await PhotoLibrary.authorizationStatus(for: configuration) == .authorized)
    configuration.roots = [rig.base.appending("nowhere").url]
    let problem = FolderProblem.missing(path: rig.base.appending("nowhere").description)
    #expect(await PhotoLibrary.authorizationStatus(for: configuration) == .denied(problem))
    #expect(problem.description.contains("nowhere isn't there. Make it"))
    await #expect(throws: PhotoLibraryError.notAuthorized(problem)) {
      try await PhotoLibrary.open(configuration)
    }
    #expect(await PhotoLibrary.requestAuthorization(for: configuration) == .authorized)
  }

  @Test("Whoever waits for it hears that a folder may be used, and that it may not any more")
  func authorizationUpdates() async throws {
    let rig = try await LibraryRig()
    let folder = rig.base.appending("disk")
    var updates = PhotoLibrary.authorizationUpdates(
      for: PhotoLibrary.Configuration(roots: [folder.url])
    ).makeAsyncIterator()
    let denied = PhotoLibraryAuthorization.denied(.missing(path: folder.description))
    #expect(await updates.next() == denied)
    try folder.makeFolder()
    #expect(await updates.next() == .authorized)
    try FileManager.default.removeItem(at: folder.url)
    #expect(await updates.next() == denied)
  }

  @Test func rawAndHEICBesideAJPEGAreOneAssetAndAPNGIsNot() {
    func file(_ name: FilePath, _ type: ContentType) -> FileRow {
      let id = UUID()
      let found = FoundFile(folder: "/", name: name, status: FileStatus(stat()))
      let file = ExaminedFile(
        found: found, content: id, info: MediaInfo(type: type), isItem: true)
      return FileRow(file, in: 1, id: id, added: 0)
    }
    let files = [
      file("IMG_1.dng", .dng), file("IMG_1.JPG", .jpeg), file("img_1.heic", .heic),
      file("IMG_1.png", .png),
      file("IMG_1.mp4", .mpeg4), file("IMG_1-edited.jpg", .jpeg),
    ]
    #expect(Set(files.map(\.stem)) == ["img_1"])
    let groups = AssetGrouping.groups(of: files).map { $0.map(\.name) }
    #expect(
      Set(groups) == [
        ["IMG_1-edited.jpg", "IMG_1.JPG", "img_1.heic", "IMG_1.dng"], ["IMG_1.png"], ["IMG_1.mp4"],
      ])
  }

  @Test func aBurstIsOneAssetWithItsCoverInFront() async throws {
    let rig = try await LibraryRig { folder in
      for number in 1...3 {
        let cover = number == 2 ? "_COVER" : ""
        try folder.write(
          "0000\(number)IMG_0000\(number)_BURST20240102030405678\(cover).jpg", seed: number)
      }
      try folder.write("IMG_1.jpg", seed: 9)
    }
    let bursts = try await rig.library.album(.bursts).assets()
    #expect(bursts.count == 1)
    let burst = try #require(try await bursts.asset(at: 0))
    #expect(burst.fileName.contains("COVER"))
    #expect(try await burst.representations().count == 3)
    #expect(try await rig.all().count == 2)
  }
}
