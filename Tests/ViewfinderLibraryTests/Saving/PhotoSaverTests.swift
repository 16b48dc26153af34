import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

@Suite struct PhotoSaverTests {
  private let date = CaptureDate(localSeconds: 1_776_007_812, nanoseconds: 250_000_000)
  private static let stem = "IMG_20260412_153012_250"

  private func jpeg(_ text: String) -> PhotoSaver.File {
    .init(source: .data(Data(text.utf8)), type: .testJPEG)
  }

  private func save(_ folder: ScratchFolder, naming: PhotoNaming = .dcf()) throws -> FilePath {
    try PhotoSaver(folder: folder.path, naming: naming).save([jpeg("x")], date: date)[0]
      .relative(to: folder.path)
  }

  // MARK: DCF

  @Test func numbersGoOnAfterTheHighestOfAnyPrefixAndEnding() throws {
    let folder = try ScratchFolder()
    #expect(try save(folder) == "DCIM/100VWFND/VWF_0001.JPG")
    #expect(try save(folder) == "DCIM/100VWFND/VWF_0002.JPG")
    try folder.write("DCIM/100VWFND/DSC_0041.mov")
    #expect(try save(folder) == "DCIM/100VWFND/VWF_0042.JPG")
    try folder.write("DCIM/100VWFND/vwf_0050.thm")
    #expect(try save(folder) == "DCIM/100VWFND/VWF_0051.JPG")
    // No DCF names.
    for name in ["ABCD12345.JPG", "AB-D0099.JPG", "ABCD0000.JPG", "ABCD009.JPG"] {
      try folder.write(FilePath("DCIM/100VWFND/\(name)"))
    }
    #expect(try save(folder) == "DCIM/100VWFND/VWF_0052.JPG")
  }

  @Test func anotherMakersDirectoryIsLeftAlone() throws {
    let folder = try ScratchFolder()
    try folder.write("DCIM/104CANON/IMG_0001.JPG")
    #expect(try save(folder) == "DCIM/105VWFND/VWF_0001.JPG")
    #expect(try save(folder) == "DCIM/105VWFND/VWF_0002.JPG")
  }

  @Test func aFullDirectoryIsFollowedByANewOne() throws {
    let folder = try ScratchFolder()
    try folder.write("DCIM/100VWFND/VWF_9999.JPG")
    try folder.write("DCIM/101OTHER/X")
    #expect(try save(folder) == "DCIM/102VWFND/VWF_0001.JPG")
  }

  @Test func afterTheLastNameThereIsAnErrorAndNothingIsLeft() throws {
    let folder = try ScratchFolder()
    try folder.write("DCIM/999VWFND/VWF_9998.JPG")
    #expect(try save(folder) == "DCIM/999VWFND/VWF_9999.JPG")
    #expect(throws: PhotoLibraryError.namesExhausted(folder: "\(folder.path)/DCIM")) {
      try save(folder)
    }
    #expect(try folder.names("DCIM") == ["999VWFND"])
    #expect(try folder.names("DCIM/999VWFND").count == 2)
  }

  // MARK: By date

  @Test func photosOfOneMomentGetNumbers() throws {
    let folder = try ScratchFolder()
    #expect(try save(folder, naming: .dateTime) == FilePath("\(Self.stem).jpg"))
    #expect(try save(folder, naming: .dateTime) == FilePath("\(Self.stem)_1.jpg"))
    // Whatever has the stem belongs to another photo.
    try folder.write(FilePath("\(Self.stem)_2-edited.png"))
    try folder.write(FilePath("\(Self.stem)_3.dng"))
    #expect(try save(folder, naming: .dateTime) == FilePath("\(Self.stem)_4.jpg"))
  }

  // MARK: Photos of several files

  @Test(arguments: [PhotoNaming.dcf(), .dateTime])
  func theFilesOfAPhotoShareAStem(naming: PhotoNaming) throws {
    let folder = try ScratchFolder()
    let saver = PhotoSaver(folder: folder.path, naming: naming)
    let files = [
      jpeg("original"), .init(source: .data(Data("raw".utf8)), type: .testRaw),
      .init(source: .data(Data("edited".utf8)), type: .testPNG, role: .edited),
    ]
    for _ in 0..<2 {
      let paths = try saver.save(files, date: date)
      #expect(paths.map(\.text) == ["original", "raw", "edited"])
      #expect(paths.map { PhotoName($0.name).role } == [.original, .original, .edited])
      #expect(Set(paths.map { PhotoName($0.name).stem }).count == 1)
    }
    let names = try folder.names(naming == .dateTime ? "" : "DCIM/100VWFND").map(\.description)
    #expect(
      names
        == (naming == .dateTime
          ? [
            "\(Self.stem)-edited.png", "\(Self.stem).dng", "\(Self.stem).jpg",
            "\(Self.stem)_1-edited.png", "\(Self.stem)_1.dng", "\(Self.stem)_1.jpg",
          ]
          : [
            "VWFE0001.PNG", "VWFE0002.PNG", "VWF_0001.DNG", "VWF_0001.JPG", "VWF_0002.DNG",
            "VWF_0002.JPG",
          ]))
  }

  @Test func whenOneFileFailsNothingIsSavedAndNothingIsMoved() throws {
    let folder = try ScratchFolder()
    let moved = try folder.write("in/raw.dng", "raw")
    let saver = PhotoSaver(folder: folder.path.appending("out"), naming: .dateTime)
    #expect(throws: PhotoLibraryError.cannotRead(path: "/nowhere.png", code: ENOENT)) {
      _ = try saver.save(
        [
          jpeg("a"), .init(source: .move(moved), type: .testRaw),
          .init(source: .copy("/nowhere.png"), type: .testPNG),
        ], date: date)
    }
    #expect(moved.text == "raw")
    #expect(try folder.names("out").isEmpty)
  }

  @Test func aNameThatComesToNothingTakesTheOthersBack() throws {
    // In a candidate's way stands something that isn't seen by name: the stem of a directory's file.
    let folder = try ScratchFolder()
    let moved = try folder.write("in/raw.dng", "raw")
    let first = try PendingFile(.move(moved), in: folder.path)
    let second = try PendingFile(.data(Data([1])), in: folder.path)
    #expect(first.publish(at: folder.path.appending("a.dng")) == 0)
    try folder.write("a.jpg", "theirs")
    #expect(second.publish(at: folder.path.appending("a.jpg")) == EEXIST)
    // The next candidate: what had a name gets another.
    #expect(first.publish(at: folder.path.appending("b.dng")) == 0)
    #expect(second.publish(at: folder.path.appending("b.jpg")) == 0)
    #expect(try folder.names() == ["a.jpg", "b.dng", "b.jpg", "in"])
    second.withdraw()
    first.withdraw()
    #expect(try folder.names() == ["a.jpg", "in"])
    #expect(moved.text == "raw")
  }

  @Test func twoFilesOfOneKindAreRefused() throws {
    let folder = try ScratchFolder()
    let saver = PhotoSaver(folder: folder.path, naming: .dateTime)
    for files in [[], [jpeg("a"), jpeg("b")]] {
      #expect { _ = try saver.save(files, date: date) } throws: { error in
        if case PhotoLibraryError.invalidRequest = error { true } else { false }
      }
    }
    #expect(try folder.names().isEmpty)
  }

  // MARK: Copies and moves

  @Test("A file of any name is copied with its time, or moved", arguments: FilePath.hostileNames)
  func copiedAndMoved(name: FilePath) throws {
    let folder = try ScratchFolder()
    let text = String(repeating: "picture ", count: 300_000)
    let source = try folder.write(FilePath("in").appending(name), text)
    source.setModified(1_000_000_000, nanoseconds: 123_456_789)
    let modified = try #require(FileStatus(of: source)?.modified)
    let saver = PhotoSaver(folder: folder.path.appending("out"), naming: .dcf())
    let copy = try saver.save([.init(source: .copy(source), type: .testJPEG)], date: date)[0]
    #expect(copy.text == text && source.text == text)
    #expect(FileStatus(of: copy)?.modified == modified)
    let moved = try saver.save([.init(source: .move(source), type: .testJPEG)], date: date)[0]
    #expect(moved.text == text && !source.exists)
    #expect(FileStatus(of: moved)?.modified == modified)
  }

  @Test func linksAndPipesAreNotMovedIn() throws {
    let folder = try ScratchFolder()
    let file = try folder.write("a.jpg")
    let (link, pipe) = (folder.path.appending("link.jpg"), folder.path.appending("pipe.jpg"))
    link.makeLink(to: file.description)
    pipe.makePipe()
    let saver = PhotoSaver(folder: folder.path.appending("out"), naming: .dateTime)
    for path in [link, pipe] {
      #expect(throws: PhotoLibraryError.cannotRead(path: path.description, code: EINVAL)) {
        _ = try saver.save([.init(source: .move(path), type: .testJPEG)], date: date)
      }
    }
    #expect(throws: PhotoLibraryError.cannotRead(path: pipe.description, code: EINVAL)) {
      _ = try saver.save([.init(source: .copy(pipe), type: .testJPEG)], date: date)
    }
    #expect(
      try folder.names("out").isEmpty && folder.names() == ["a.jpg", "link.jpg", "out", "pipe.jpg"])
  }

  // MARK: Edited versions

  @Test(
    "An edited version lies beside its original, of any name",
    arguments: FilePath.hostileNames.dropLast())
  func editedVersion(name: FilePath) throws {
    let folder = try ScratchFolder()
    let original = try folder.write(name, "original")
    let saver = PhotoSaver(folder: folder.path, naming: .dateTime)
    let edited = try saver.saveEdited(of: original, .data(Data("1".utf8)), type: .testPNG)
    #expect(edited.text == "1" && edited.folder == folder.path)
    #expect(PhotoName(edited.name).stem == original.stem)
    #expect(throws: PhotoLibraryError.cannotWrite(path: edited.description, code: EEXIST)) {
      _ = try saver.saveEdited(of: original, .data(Data("2".utf8)), type: .testPNG)
    }
    #expect(edited.text == "1")
    let other = try folder.write("other", "3")
    for source in [PhotoSaver.Source.data(Data("2".utf8)), .move(other)] {
      #expect(
        try saver.saveEdited(of: original, source, type: .testPNG, replacesExisting: true) == edited
      )
    }
    #expect(edited.text == "3" && !other.exists && original.text == "original")
  }

  @Test func namesThatGetTooLongAreAnErrorAndNothingIsLeft() throws {
    let folder = try ScratchFolder()
    let name = FilePath(bytes: Array(repeating: 0x61, count: 255))
    let original = try folder.write(name)
    let saver = PhotoSaver(folder: folder.path, naming: .dateTime)
    #expect {
      _ = try saver.saveEdited(of: original, .data(Data([1])), type: .testPNG)
    } throws: { error in
      if case PhotoLibraryError.cannotWrite(_, ENAMETOOLONG) = error { true } else { false }
    }
    #expect(try folder.names() == [name])
  }

  // MARK: Many at once

  @Test(
    "Photos that many threads save at once all have names of their own",
    arguments: [PhotoNaming.dcf(), .dateTime])
  func manyThreads(naming: PhotoNaming) async throws {
    let folder = try ScratchFolder()
    let saver = PhotoSaver(folder: folder.path, naming: naming)
    let date = date
    // Few enough for a busy machine: each waits 30 s at most for the others' lock.
    // Raw files and JPEGs by turns: two photos' files must not become one photo.
    let saved = try await onThreads(8) { thread in
      try (0..<25).map { number in
        let text = "\(thread) \(number)"
        let type = (thread + number) % 2 == 0 ? ContentType.testJPEG : .testRaw
        let file = PhotoSaver.File(source: .data(Data(text.utf8)), type: type)
        return (path: try saver.save([file], date: date)[0], text: text)
      }
    }.flatMap { $0 }
    #expect(Set(saved.map { PhotoName($0.path.name).stem }).count == 200)
    for (path, text) in saved { #expect(path.text == text) }
    #expect(try saved[0].path.folder.names().count == 200)
  }
}
