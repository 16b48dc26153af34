import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

@Suite struct TrashTests {
  private func trash(_ folder: FilePath) -> Trash { Trash(home: folder.appending("data/Trash")) }

  @Test("A file of any name goes into the trash and comes back", arguments: FilePath.hostileNames)
  func thereAndBack(name: FilePath) throws {
    let folder = try ScratchFolder()
    let file = try folder.write(name, "picture")
    let trashed = try trash(folder.path).put(file)
    #expect(!file.exists)
    #expect(trashed.file.folder == folder.path.appending("data/Trash/files"))
    #expect(trashed.file.text == "picture")
    #expect(trashed.info.name.stem == trashed.file.name)
    let lines = try #require(trashed.info.text).split(separator: "\n").map(String.init)
    #expect(lines.count == 3 && lines[0] == "[Trash Info]")
    #expect(lines[1] == "Path=\(file.escaped)")
    #expect(lines[2].wholeMatch(of: /DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) != nil)
    try trash(folder.path).restore([trashed])
    #expect(file.text == "picture")
    #expect(!trashed.info.exists && !trashed.file.exists)
  }

  @Test func filesOfOneNameAreKeptApart() throws {
    let folder = try ScratchFolder()
    var trashed: [TrashedFile] = []
    for number in 0..<3 {
      trashed.append(try trash(folder.path).put(try folder.write("a.jpg", "\(number)")))
    }
    #expect(trashed.map { $0.file.text } == ["0", "1", "2"])
    #expect(trashed.map { $0.file.name } == ["a.jpg", "a.2.jpg", "a.3.jpg"])
    // A name that only an info file, or only a file, has is taken too.
    try folder.write("data/Trash/info/b.jpg.trashinfo")
    try folder.write("data/Trash/files/b.2.jpg", "kept")
    let other = try trash(folder.path).put(try folder.write("b.jpg", "b"))
    #expect(other.file.name == "b.3.jpg" && other.file.text == "b")
    #expect(folder.path.appending("data/Trash/files/b.2.jpg").text == "kept")
    #expect(!folder.path.appending("data/Trash/info/b.2.jpg.trashinfo").exists)
  }

  @Test func theTrashIsTheUsersAlone() throws {
    let folder = try ScratchFolder()
    _ = try trash(folder.path).put(try folder.write("a.jpg"))
    for name in ["", "/files", "/info"] {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: folder.path.description + "/data/Trash" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
    }
  }

  @Test func whenOneFileFailsTheOthersAreBack() throws {
    let folder = try ScratchFolder()
    let files = try ["a.jpg", "b.jpg"].map { try folder.write(FilePath($0), $0) }
    #expect(throws: PhotoLibraryError.cannotRead(path: "\(folder.path)/c", code: ENOENT)) {
      _ = try trash(folder.path).put(files + [folder.path.appending("c")])
    }
    #expect(files.map(\.text) == ["a.jpg", "b.jpg"])
    #expect(try folder.names("data/Trash/files").isEmpty)
    #expect(try folder.names("data/Trash/info").isEmpty)
  }

  @Test func nothingIsRestoredOverAnotherFile() throws {
    let folder = try ScratchFolder()
    let file = try folder.write("a.jpg", "old")
    let trashed = try trash(folder.path).put(file)
    try folder.write("a.jpg", "new")
    #expect(throws: PhotoLibraryError.cannotWrite(path: file.description, code: EEXIST)) {
      try trash(folder.path).restore([trashed])
    }
    #expect(file.text == "new" && trashed.file.text == "old" && trashed.info.exists)
  }

  @Test func aFolderThatIsGoneIsMadeAgain() throws {
    let folder = try ScratchFolder()
    let file = try folder.write("day/a.jpg", "a")
    let trashed = try trash(folder.path).put(file)
    file.folder.removeFolder()
    try trash(folder.path).restore([trashed])
    #expect(file.text == "a")
  }

  @Test func aTrashThatIsNoFolderIsAnErrorAndTheFileStays() throws {
    let folder = try ScratchFolder()
    let file = try folder.write("a.jpg")
    try folder.write("data/Trash")
    #expect { _ = try trash(folder.path).put(file) } throws: { error in
      guard case PhotoLibraryError.notTrashed = error else { return false }
      return "\(error)".contains("or delete the file for good")
    }
    #expect(file.exists)
  }

  @Test func aLinkInPlaceOfTheTrashIsNotFollowed() throws {
    let folder = try ScratchFolder()
    let file = try folder.write("a.jpg")
    try folder.write("elsewhere/x")
    try folder.write("data/x")
    folder.path.appending("data/Trash").makeLink(to: folder.path.description + "/elsewhere")
    #expect { _ = try trash(folder.path).put(file) } throws: { error in
      if case PhotoLibraryError.notTrashed = error { true } else { false }
    }
    #expect(file.exists)
    #expect(try folder.names("elsewhere") == ["x"])
  }

  @Test(
    "What lies there is what the desktop's own program leaves",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gio"), "needs gio (libglib2.0-bin)"
    ),
    arguments: ["a b%.jpg", "é😀;#?.jpg", "x\ny.jpg"])
  func sameAsGIO(name: String) throws {
    let folder = try ScratchFolder()
    let file = try folder.write(FilePath(name), "gio")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/gio")
    process.arguments = ["trash", file.description]
    process.environment = [
      "HOME": folder.path.description, "XDG_DATA_HOME": "\(folder.path)/data", "PATH": "/usr/bin",
    ]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    let info = try #require(try folder.names("data/Trash/info").first)
    let theirs = try #require(folder.path.appending("data/Trash/info").appending(info).text)
    try folder.write(FilePath(name), "ours")
    let trashed = try trash(folder.path).put(file)
    let ours = try #require(trashed.info.text)
    #expect(try folder.names("data/Trash/files").count == 2)
    func keys(_ text: String) -> [Substring] {
      text.split(separator: "\n").map { $0.prefix { $0 != "=" } }
    }
    func path(_ text: String) -> String? {
      text.split(separator: "\n").first { $0.hasPrefix("Path=") }?.dropFirst(5)
        .removingPercentEncoding
    }
    #expect(keys(ours) == keys(theirs))
    #expect(path(ours) == file.description && path(theirs) == file.description)
  }

  @Test(
    "On another file system the trash is at its top, in the safest of its places",
    .enabled(if: TestDisk.canMount, "needs to mount a disk, as root"))
  func otherFileSystem() async throws {
    let folder = try ScratchFolder()
    await #expect(processExitsWith: .success) { [text = folder.path.description as String] in
      let home = FilePath(text)
      let disk = home.appending("disk")
      try TestDisk.mount("size=1m", at: disk)
      let trash = Trash(home: home.appending(".local/share/Trash"))
      let file = disk.appending("day/a b.jpg")
      func make(_ text: String) throws {
        try file.folder.makeFolder()
        try FileDraft.replace(file, with: Data(text.utf8))
      }
      // None yet: our own.
      try make("1")
      var trashed = try trash.put(file)
      let user = getuid()
      #expect(trashed.file == disk.appending(".Trash-\(user)/files/a b.jpg"))
      #expect(trashed.info.text?.contains("\nPath=day/a%20b.jpg\n") == true)
      try trash.restore([trashed])
      #expect(file.text == "1")
      // Through a link, the path is the file's true one.
      disk.appending("link").makeLink(to: "day")
      trashed = try trash.put(disk.appending("link/a b.jpg"))
      #expect(trashed.info.text?.contains("\nPath=day/a%20b.jpg\n") == true)
      // One that isn't sticky isn't safe.
      try disk.appending(".Trash").makeFolder()
      disk.appending(".Trash").setMode(0o777)
      try make("2")
      trashed = try trash.put(file)
      #expect(trashed.file == disk.appending(".Trash-\(user)/files/a b.2.jpg"))
      // The administrator's.
      disk.appending(".Trash").setMode(0o1777)
      try make("3")
      trashed = try trash.put(file)
      #expect(trashed.file == disk.appending(".Trash/\(user)/files/a b.jpg"))
      #expect(trashed.info.text?.contains("\nPath=day/a%20b.jpg\n") == true)
      // Both are looked into, and only for what was below the folders.
      #expect(
        Set(trash.contents(of: [disk.appending("day")]).map(\.file)) == [
          trashed.file, disk.appending(".Trash-\(user)/files/a b.2.jpg"),
          disk.appending(".Trash-\(user)/files/a b.jpg"),
        ])
      #expect(trash.contents(of: [disk.appending("gone/day")]).isEmpty)
      // Never by way of a link.
      #expect(disk.appending(".Trash").moveToFree(disk.appending("real")) == 0)
      disk.appending(".Trash").makeLink(to: "real")
      try make("4")
      #expect(!trash.contents(of: [disk]).contains { $0.file.isInside(disk.appending("real")) })
      trashed = try trash.put(file)
      #expect(trashed.file == disk.appending(".Trash-\(user)/files/a b.3.jpg"))
      // Neither place: an error, and the file stays.
      disk.appending(".Trash").unlink()
      #expect(disk.appending(".Trash-\(user)").moveToFree(disk.appending("old")) == 0)
      disk.appending(".Trash-\(user)").makeLink(to: "old")
      try make("5")
      #expect { _ = try trash.put(file) } throws: { error in
        if case PhotoLibraryError.notTrashed = error { true } else { false }
      }
      #expect(file.text == "5")
    }
  }
}
