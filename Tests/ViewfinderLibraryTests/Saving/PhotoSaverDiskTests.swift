import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// Savers that are killed, meet in one folder, or find the disk full: each is a process of its own.
@Suite struct PhotoSaverDiskTests {
  /// Half a megabyte of one byte, and as a raw file of another.
  private static func photo(_ number: Int) -> [PhotoSaver.File] {
    let byte = UInt8(truncatingIfNeeded: number)
    return [
      .init(source: .data(Data(repeating: byte, count: 500_000)), type: .testJPEG),
      .init(source: .data(Data(repeating: byte, count: 300_000)), type: .testRaw),
    ]
  }

  private static func checkWhole(_ path: FilePath) throws {
    let data = try FileReader(path).readAll(limit: 1 << 20)
    let size = path.pathExtension == "jpg" ? 500_000 : 300_000
    #expect(data == Data(repeating: data.first ?? 0, count: size), "\(path) isn't whole")
  }

  @Test(arguments: [true, false])
  func afterAKillAllFilesAreWholeAndAllThatWasToldOfIsThere(isDCF: Bool) async throws {
    for _ in 0..<8 {
      let folder = try ScratchFolder()
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [text = folder.path.description as String, isDCF = isDCF as Bool] in
        let folder = FilePath(text)
        let told = folder.appending("told").description
        let file = unsafe open(told, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        Thread.detachNewThread {
          usleep(.random(in: 2000..<150_000))
          kill(getpid(), SIGKILL)
        }
        let saver = PhotoSaver(
          folder: folder.appending("out"), naming: isDCF ? .dcf() : .dateTime)
        for number in 0... {
          for path in try saver.save(Self.photo(number), date: CaptureDate(localSeconds: 0)) {
            _ = FileSystem.write(Data("\(path)\n".utf8), to: file)
          }
        }
      }
      let out = folder.path.appending(isDCF ? "out/DCIM/100VWFND" : "out")
      let names = (try? out.names()) ?? []
      for name in names { try Self.checkWhole(out.appending(name)) }
      let told = (folder.path.appending("told").text ?? "").split(separator: "\n")
      for path in told { #expect(FilePath(String(path)).exists) }
      // At most one photo more than was told of, and no file that isn't a photo's.
      #expect(names.count <= told.count + 2)
      #expect(names.allSatisfy { ["jpg", "dng"].contains($0.pathExtension) })
    }
  }

  @Test(arguments: [true, false])
  func twoProcessesNeverShareAName(isDCF: Bool) async throws {
    let folder = try ScratchFolder()
    let text = folder.path.description
    @Sendable func run() async {
      await #expect(processExitsWith: .success) { [text = text as String, isDCF = isDCF as Bool] in
        let saver = PhotoSaver(folder: FilePath(text), naming: isDCF ? .dcf() : .dateTime)
        for number in 0..<100 {
          let type = number % 2 == 0 ? ContentType.testJPEG : .testRaw
          let data = Data("\(getpid()) \(number)".utf8)
          let paths = try saver.save(
            [.init(source: .data(data), type: type)], date: CaptureDate(localSeconds: 0))
          #expect(paths[0].text == String(decoding: data, as: UTF8.self))
        }
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 { group.addTask { await run() } }
    }
    let out = folder.path.appending(isDCF ? "DCIM/100VWFND" : "")
    let names = try out.names()
    #expect(names.count == 200)
    #expect(Set(names.map { PhotoName($0).stem }).count == 200)
    #expect(Set(names.map { out.appending($0).text }).count == 200)
  }

  @Test(
    "On a full disk a photo is an error that says so, and nothing of it is left",
    .enabled(if: TestDisk.canMount, "needs to mount a disk, as root"))
  func fullDisk() async throws {
    let folder = try ScratchFolder()
    await #expect(processExitsWith: .success) { [text = folder.path.description as String] in
      let disk = FilePath(text).appending("disk")
      try TestDisk.mount("size=2m", at: disk)
      let saver = PhotoSaver(folder: disk, naming: .dateTime)
      var paths: [FilePath] = []
      #expect {
        for number in 0..<10 {
          paths += try saver.save(Self.photo(number), date: CaptureDate(localSeconds: 0))
        }
      } throws: { error in
        guard case PhotoLibraryError.cannotWrite(_, ENOSPC) = error else { return false }
        return "\(error)".contains("No space left on device. Free some space")
      }
      #expect(paths.count == 4)
      for path in paths { try Self.checkWhole(path) }
      #expect(try disk.names().count == 4)
      // A file from elsewhere stays there.
      let source = FilePath(text).appending("in.jpg")
      try FileDraft.replace(source, with: Data(count: 1_000_000))
      for from in [PhotoSaver.Source.move(source), .copy(source)] {
        #expect {
          _ = try saver.save(
            [.init(source: from, type: .testJPEG)], date: CaptureDate(localSeconds: 0))
        } throws: { error in
          if case PhotoLibraryError.cannotWrite(_, ENOSPC) = error { true } else { false }
        }
      }
      #expect(FileStatus(of: source)?.size == 1_000_000)
      #expect(try disk.names().count == 4)
    }
  }

  @Test(
    "A file is moved to another file system, and only then taken away",
    .enabled(if: TestDisk.canMount, "needs to mount a disk, as root"))
  func movedToAnotherDisk() async throws {
    let folder = try ScratchFolder()
    await #expect(processExitsWith: .success) { [text = folder.path.description as String] in
      let disk = FilePath(text).appending("disk")
      try TestDisk.mount("size=8m", at: disk)
      let source = FilePath(text).appending("in.jpg")
      try FileDraft.replace(source, with: Data(repeating: 7, count: 3_000_000))
      let saver = PhotoSaver(folder: disk, naming: .dcf())
      let path = try saver.save(
        [.init(source: .move(source), type: .testJPEG)], date: CaptureDate(localSeconds: 0))[0]
      #expect(path == disk.appending("DCIM/100VWFND/VWF_0001.JPG"))
      #expect(try FileReader(path).readAll(limit: 1 << 24) == Data(repeating: 7, count: 3_000_000))
      #expect(!source.exists)
      // One that was changed after it was read isn't lost.
      try FileDraft.replace(source, with: Data([1]))
      let pending = try PendingFile(.move(source), in: disk)
      try FileDraft.replace(source, with: Data([2]))
      #expect(pending.publish(at: disk.appending("a.jpg")) == 0)
      pending.finish()
      #expect(source.text == "\u{2}")
    }
  }

  @Test(
    "A disk that may only be read is an error that says to choose another folder",
    .enabled(if: TestDisk.canMount, "needs to mount a disk, as root"))
  func readOnlyDisk() async throws {
    let folder = try ScratchFolder()
    await #expect(processExitsWith: .success) { [text = folder.path.description as String] in
      let disk = FilePath(text).appending("disk")
      try TestDisk.mount("size=1m", at: disk)
      let file = disk.appending("a.jpg")
      try FileDraft.replace(file, with: Data([1]))
      try TestDisk.makeReadOnly(disk)
      for naming in [PhotoNaming.dcf(), .dateTime] {
        #expect {
          _ = try PhotoSaver(folder: disk, naming: naming).save(
            Self.photo(0), date: CaptureDate(localSeconds: 0))
        } throws: { error in
          guard case PhotoLibraryError.cannotWrite(_, EROFS) = error else { return false }
          return "\(error)".contains("Read-only file system. Choose a folder")
        }
      }
      // Nor can anything be thrown away there: it stays, and the error says what to do.
      #expect {
        _ = try Trash(home: FilePath(text).appending(".local/share/Trash")).put(file)
      } throws: { error in
        guard case PhotoLibraryError.notTrashed(_, _, EROFS) = error else { return false }
        return "\(error)".contains("Read-only file system. Make its folder")
      }
      #expect(file.exists)
    }
  }
}
