import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

@Suite struct ThumbnailCacheTests {
  @Test func nameIsTheOneOfTheSpecification() {
    #expect(md5(FilePath("/home/jens/photos/me.png").uri) == "c6ee772d9e49320e97ec29a7eb5b1697")
    #expect(md5("") == "d41d8cd98f00b204e9800998ecf8427e")
  }

  @Test func folderIsTheOneOfTheEnvironment() {
    let folder = {
      ThumbnailCache.standardFolder(XDGFolders(environment: $0, defaultHome: nil))
    }
    #expect(folder(["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == "/c/thumbnails")
    #expect(folder(["XDG_CACHE_HOME": "c", "HOME": "/h"]) == "/h/.cache/thumbnails")
    #expect(folder(["HOME": "/h"]) == "/h/.cache/thumbnails")
    #expect(folder([:]) == nil)
  }

  /// Gives the thread a file mask of its own: other tests run beside this one.
  private static func setMask(_ mask: mode_t) -> Bool {
    typealias Unshare = @convention(c) (Int32) -> Int32
    // Glibc's Swift module lacks it.
    guard let symbol = unsafe dlsym(nil, "unshare") else { return false }
    let unshare = unsafe unsafeBitCast(symbol, to: Unshare.self)
    guard unshare(0x200) == 0 else { return false }  // CLONE_FS
    umask(mask)
    return true
  }

  @Test(arguments: [0, 0o77, 0o777] as [mode_t])
  func foldersAndFilesAreForTheUserAloneWhateverTheMask(mask: mode_t) async throws {
    let rig = try ThumbnailRig()
    let item = try rig.photo()
    let isMasked = await withCheckedContinuation { (done: CheckedContinuation<Bool, Never>) in
      Thread {
        let isMasked = Self.setMask(mask)
        if isMasked {
          _ = try? rig.maker.thumbnail(of: item, size: .large)
          rig.cache.storeFailure(of: item)
        }
        done.resume(returning: isMasked)
      }.start()
    }
    try #require(isMasked)
    func mode(_ path: FilePath) -> mode_t {
      var status = stat()
      _ = unsafe path.withCString { unsafe stat($0, &status) }
      return status.st_mode & 0o7777
    }
    #expect(rig.cached.count == 2)
    for name in ["large", "fail/viewfinder-2"] {
      let file = rig.cache.path(of: item, in: name)
      #expect(mode(file) == 0o600)
      #expect(mode(file.folder) == 0o700)
    }
    #expect(mode(rig.cache.folder) == 0o700)
    #expect(mode(rig.cache.folder.folder) == 0o700)
    #expect(mode(rig.cache.folder.appending("fail")) == 0o700)
  }

  @Test func fileSaysWhatItShows() throws {
    let rig = try ThumbnailRig()
    let item = try rig.photo(name: "a b.jpg")
    _ = try rig.maker.thumbnail(of: item, size: .normal)
    #expect(rig.cached == ["normal/" + md5(item.path.uri) + ".png"])
    let bytes = try rig.bytes(item, in: "normal")
    let header = try #require(PNGText.read(Array(bytes)))
    #expect(
      header.texts == [
        "Thumb::URI": item.path.uri, "Thumb::MTime": "1600000000",
        "Thumb::Size": "\(item.status.size)", "Thumb::Mimetype": "image/jpeg",
        "Thumb::Image::Width": "640", "Thumb::Image::Height": "480", "Software": "Viewfinder",
      ])
    // 8 bits, RGBA, not interlaced.
    #expect(Array(bytes[24..<29]) == [8, 6, 0, 0, 0])
    #expect((header.width, header.height) == (128, 96))
  }

  @Test func thumbnailComesFromTheCache() throws {
    let rig = try ThumbnailRig()
    let item = try rig.photo()
    let made = try rig.maker.thumbnail(of: item, size: .normal)
    let cached = try #require(rig.cache.thumbnail(of: item, size: .normal))
    #expect(cached.dimensions == made.dimensions)
    #expect(try cached.letters == "rgbw")
    #expect(rig.cache.thumbnail(of: item, size: .large) == nil)
  }

  @Test func largerThumbnailServesASmallerSize() throws {
    let rig = try ThumbnailRig()
    let item = try rig.photo()
    _ = try rig.maker.thumbnail(of: item, size: .extraLarge)
    let small = try #require(rig.cache.thumbnail(of: item, size: .normal))
    #expect(small.dimensions == Dimensions(width: 128, height: 96))
    #expect(rig.cached.map { $0.prefix { $0 != "/" } } == ["normal", "x-large"])
  }

  @Test func smallPictureIsNotEnlarged() throws {
    let rig = try ThumbnailRig()
    let item = try rig.photo(Dimensions(width: 60, height: 40))
    #expect(try rig.maker.thumbnail(of: item, size: .large).dimensions.width == 60)
    #expect(rig.cache.thumbnail(of: item, size: .large)?.dimensions.width == 60)
  }

  @Test func thumbnailOfAChangedFileIsStale() throws {
    let rig = try ThumbnailRig()
    let item = try rig.photo()
    _ = try rig.maker.thumbnail(of: item, size: .normal)
    #expect(rig.cache.thumbnail(of: item, size: .normal) != nil)
    var other = item
    other.status.modified += 1_000_000_000
    #expect(rig.cache.thumbnail(of: other, size: .normal) == nil)
    other = item
    other.status.size += 1
    #expect(rig.cache.thumbnail(of: other, size: .normal) == nil)
    other = item
    other.status.modified += 999  // Thumbnails don't know fractions.
    #expect(rig.cache.thumbnail(of: other, size: .normal) != nil)
  }

  @Test func timesBefore1970AreRoundedDown() throws {
    let rig = try ThumbnailRig()
    var item = try rig.photo()
    item.status.modified = -1
    #expect(item.modifiedSeconds == -1)
    item.status.modified = -1_000_000_000
    #expect(item.modifiedSeconds == -1)
    item.status.modified = .min
    #expect(item.modifiedSeconds == -9_223_372_037)
  }

  @Test func onlyTheFilesOwnThumbnailIsUsed() throws {
    let rig = try ThumbnailRig()
    let item = try rig.photo()
    let picture = try PixelBuffer.quadrants(Dimensions(width: 128, height: 96)).pngData()
    let uri = item.path.uri
    func isUsed(_ texts: KeyValuePairs<String, String>, _ png: Data? = nil) throws -> Bool {
      let file = PNGText.inserting(texts, into: png ?? picture)
      try rig.replace(item, in: "normal", by: file)
      return rig.cache.thumbnail(of: item, size: .normal) != nil
    }
    let time = "1600000000"
    #expect(try isUsed(["Thumb::URI": uri, "Thumb::MTime": time]))
    #expect(try isUsed(["Thumb::URI": uri, "Thumb::MTime": time + ".000000123"]))
    #expect(
      try isUsed(["Thumb::URI": uri, "Thumb::MTime": time, "Thumb::Size": "\(item.status.size)"]))
    #expect(try !isUsed(["Thumb::URI": uri, "Thumb::MTime": time, "Thumb::Size": "1"]))
    #expect(try !isUsed(["Thumb::URI": uri + "x", "Thumb::MTime": time]))
    #expect(try !isUsed(["Thumb::URI": uri, "Thumb::MTime": "1600000001"]))
    #expect(try !isUsed(["Thumb::URI": uri, "Thumb::MTime": "soon"]))
    #expect(try !isUsed(["Thumb::URI": uri]))
    #expect(try !isUsed(["Thumb::MTime": time]))
    // A picture that is no thumbnail, one in the wrong folder, one that wasn't turned, black bars.
    #expect(try !isUsed([:]))
    for size in ["256x192", "96x128", "128x128", "60x45"] {
      let other = try PixelBuffer.quadrants(#require(Dimensions(size))).pngData()
      #expect(try !isUsed(["Thumb::URI": uri, "Thumb::MTime": time], other))
    }
  }

  @Test func damagedThumbnailIsMadeAnew() throws {
    let rig = try ThumbnailRig()
    let item = try rig.photo()
    _ = try rig.maker.thumbnail(of: item, size: .normal)
    let whole = try rig.bytes(item, in: "normal")
    for count in [0, 7, 40, whole.count / 2, whole.count - 13, whole.count - 1] {
      try rig.replace(item, in: "normal", by: whole.prefix(count))
      #expect(rig.cache.thumbnail(of: item, size: .normal) == nil)
      #expect(try rig.maker.thumbnail(of: item, size: .normal).letters == "rgbw")
      #expect(try rig.bytes(item, in: "normal") == whole)
    }
  }

  @Test func leftoverOfAKilledProgramIsNotUsed() throws {
    let rig = try ThumbnailRig()
    let item = try rig.photo()
    _ = try rig.maker.thumbnail(of: item, size: .normal)
    let path = rig.cache.path(of: item, in: "normal")
    let leftover = path.folder.appending(FilePath(".\(path.name).123"))
    try FileManager.default.moveItem(at: path.url, to: leftover.url)
    #expect(rig.cache.thumbnail(of: item, size: .normal) == nil)
    _ = try rig.maker.thumbnail(of: item, size: .normal)
    #expect(rig.cached.count == 1 && leftover.exists)
  }

  @Test func failureHoldsUntilTheFileChanges() throws {
    let rig = try ThumbnailRig()
    let path = try rig.write(Data([0xff, 0xd8, 0xff, 0xe0]))
    let item = try rig.item(path)
    #expect { try rig.maker.thumbnail(of: item, size: .normal) } throws: { error in
      if case PhotoLibraryError.damaged(path.description, _) = error { true } else { false }
    }
    #expect(rig.cached == ["fail/viewfinder-2/" + md5(path.uri) + ".png"])
    #expect(rig.cache.hasFailed(item))
    // Nothing is read any more: the file may be gone bad, or good, behind our back.
    try PixelBuffer.quadrants(.photo).jpegData().write(to: path.url)
    rig.setTime(path, 1_600_000_000)
    #expect { try rig.maker.thumbnail(of: item, size: .normal) } throws: { error in
      if case PhotoLibraryError.damaged(path.description, _) = error { true } else { false }
    }
    let changed = try rig.item(path)
    #expect(!rig.cache.hasFailed(changed))
    #expect(try rig.maker.thumbnail(of: changed, size: .normal).letters == "rgbw")
  }

  @Test func thumbnailsHaveNoThumbnails() throws {
    let rig = try ThumbnailRig()
    let item = try rig.photo()
    _ = try rig.maker.thumbnail(of: item, size: .large)
    let before = rig.cached
    let thumbnail = rig.cache.path(of: item, in: "large")
    rig.setTime(thumbnail, 1_600_000_000)
    #expect(try rig.maker.thumbnail(of: rig.item(thumbnail), size: .normal).letters == "rgbw")
    #expect(rig.cached == before)
    // Nor when the cache is known by a link.
    let link = rig.folder.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: rig.cache.folder.url)
    let linked = ThumbnailMaker(cache: ThumbnailCache(folder: FilePath(link)))
    _ = try linked.thumbnail(of: rig.item(thumbnail), size: .normal)
    #expect(rig.cached == before)
  }

  @Test func thumbnailOfWhatCannotBeReadIsNotUsed() throws {
    let rig = try ThumbnailRig()
    let item = try rig.photo()
    _ = try rig.maker.thumbnail(of: item, size: .normal)
    try FileManager.default.removeItem(at: item.path.url)
    #expect(rig.cache.thumbnail(of: item, size: .normal) == nil)
    #expect(throws: PhotoLibraryError.cannotRead(path: item.path.description, code: ENOENT)) {
      try rig.maker.thumbnail(of: item, size: .normal)
    }
  }

  @Test func fileOfThisVerySecondGetsNoThumbnailYet() throws {
    let rig = try ThumbnailRig()
    let data = try PixelBuffer.quadrants(.photo).jpegData()
    let now = try rig.item(rig.write(data, age: time(nil)))
    _ = try rig.maker.thumbnail(of: now, size: .normal)
    let future = try rig.item(rig.write(data, name: "b", age: time(nil) + 9999))
    #expect(rig.cached.isEmpty)
    _ = try rig.maker.thumbnail(of: future, size: .normal)
    #expect(rig.cached.count == 1)
  }

  @Test func cacheThatCannotBeWrittenIsNoError() throws {
    let rig = try ThumbnailRig()
    let item = try rig.photo()
    // Nobody, not even root, makes folders there.
    for folder: FilePath in ["/proc/1/thumbnails", item.path, "relative", "", "/dev/full"] {
      let maker = ThumbnailMaker(cache: ThumbnailCache(folder: folder))
      #expect(try maker.thumbnail(of: item, size: .normal).letters == "rgbw")
    }
    // A folder in the file's place: nothing is left beside it.
    let path = rig.cache.path(of: item, in: "normal")
    try FileManager.default.createDirectory(
      at: path.appending("x").url, withIntermediateDirectories: true)
    #expect(try rig.maker.thumbnail(of: item, size: .normal).letters == "rgbw")
    #expect(try path.folder.names() == [path.name])
  }
}
