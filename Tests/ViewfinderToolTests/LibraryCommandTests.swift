import Foundation
import Testing
import Viewfinder
import ViewfinderLibrary

@testable import viewfinder

@Suite struct LibraryCommandTests {
  // MARK: Telling

  @Test("Albums are listed with counts and posters, for people and as JSON")
  func albums() async throws {
    let rig = try LibraryToolRig(["a.jpg", "b.jpg", "Trip/c.jpg"])
    let albums = try #require(try await rig.json(["albums"])["albums"] as? [[String: Any]])
    let all = try #require(albums.first { $0["name"] as? String == "All Photos" })
    #expect(all["all"] as? Int == 3 && all["photos"] as? Int == 3 && all["videos"] as? Int == 0)
    let trip = try #require(albums.first { $0["name"] as? String == "Trip" })
    #expect(trip["kind"] as? String == "folder")
    #expect((trip["poster"] as? [String: String])?["fileName"] == "c.jpg")
    let videos = try #require(
      try await rig.json(["albums", "--kind", "video"])["albums"] as? [[String: Any]])
    #expect(videos.allSatisfy { $0["all"] as? Int == 0 })
    let text = try await rig.run(["albums"])
    #expect(text.text.hasPrefix("NAME"))
    #expect(text.text.contains("Trip") && text.errors == "")
  }

  @Test("A list is of an album by its name, URL or folder, in pages and in order")
  func list() async throws {
    let rig = try LibraryToolRig(["a.jpg", "b.jpg", "c.jpg", "Trip/d.jpg"])
    #expect(try await rig.names([]) == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
    #expect(try await rig.names(["--order", "newest", "--limit", "2"]) == ["d.jpg", "c.jpg"])
    #expect(
      try await rig.names(["--order", "name", "--offset", "1"]) == ["b.jpg", "c.jpg", "d.jpg"])
    let albums = try #require(try await rig.json(["albums"])["albums"] as? [[String: Any]])
    let url = try #require(albums.first { $0["name"] as? String == "Trip" }?["url"] as? String)
    for name in ["Trip", "trip", url, "Pictures/Trip"] {
      #expect(try await rig.names([name]) == ["d.jpg"], "\(name)")
    }
    let page = try await rig.json(["list", "--limit", "1"])
    #expect(page["count"] as? Int == 4 && page["offset"] as? Int == 0)
  }

  @Test("Lists are filtered by kind, by favourites and by the day of capture")
  func filters() async throws {
    let rig = try LibraryToolRig(["a.jpg"])
    for (arguments, count) in [
      (["--kind", "photo"], 1), (["--kind", "raw"], 0), (["--kind", "raw", "--kind", "photo"], 1),
      (["--favorites"], 0), (["--since", "2000-01-01"], 1), (["--until", "2000-01-01"], 0),
      (["--since", "2000-01-01T00:00:00", "--until", "2200-12-31"], 1),
    ] {
      #expect(try await rig.json(["list"] + arguments)["count"] as? Int == count, "\(arguments)")
    }
  }

  @Test("Without an update the index tells what it had")
  func noUpdate() async throws {
    let rig = try LibraryToolRig(["a.jpg"])
    #expect(try await rig.names(["--no-update"]) == [])
    #expect(try await rig.names([]) == ["a.jpg"])
    try rig.write("b.jpg", seed: 2)
    #expect(try await rig.names(["--no-update"]) == ["a.jpg"])
  }

  @Test("An asset is shown by file, ID or URL, with its files")
  func show() async throws {
    let rig = try LibraryToolRig()
    try await tool(
      ["photo"] + smallCamera + ["--orientation", "right", "-o", "Pictures/a.jpg"], in: rig.folder)
    try rig.write("a-edited.jpg", seed: 1)
    let shown = try await rig.json(["show", "Pictures/a.jpg"])
    #expect(shown["width"] as? Int == 16 && shown["favorite"] as? Bool == false)
    let files = try #require(shown["representations"] as? [[String: Any]])
    #expect(files.map { $0["role"] as? String } == ["edited", "original"])
    #expect(files.map { $0["default"] as? Bool } == [true, false])
    #expect(files[1]["width"] as? Int == 480 && files[1]["height"] as? Int == 640)
    #expect(
      files[1]["bytes"] as? Int == (try Data(contentsOf: rig.pictures.appending("a.jpg")).count))
    for key in ["id", "url", "fileURL"] {
      let name = try #require(shown[key] as? String)
      #expect(try await rig.json(["show", name])["id"] as? String == shown["id"] as? String)
    }
    let text = try await rig.run(["show", "Pictures/a.jpg"]).text
    for words in ["Orientation:", "Favourite:    no", "edited", "480x640"] {
      #expect(text.contains(words), "\(text)")
    }
  }

  @Test("Files that can't be read are listed with the reason")
  func unreadable() async throws {
    let rig = try LibraryToolRig(["a.jpg"])
    try Data("nothing".utf8).write(to: rig.pictures.appending("b.png"))
    let assets = try #require(try await rig.json(["list"])["assets"] as? [[String: Any]])
    #expect(assets.count { $0["error"] != nil } == 1)
    #expect(try await rig.run(["list", "--long"]).text.contains("no picture or video"))
  }

  @Test("Odd names break neither lines nor JSON, and lead back to their files")
  func oddNames() async throws {
    let rig = try LibraryToolRig()
    let names: [[UInt8]] = [
      Array("line\nbreak.jpg".utf8), Array("esc\u{1b}[31m.jpg".utf8),
      [0xff, 0x80] + Array(".jpg".utf8),
      Array("a “b”😀.jpg".utf8),
    ]
    for (seed, name) in names.enumerated() { try rig.write(bytes: name, seed: seed) }
    let text = try await rig.run(["list", "--long"]).text
    #expect(text.split(separator: "\n").count == 5)
    #expect(!text.contains("\u{1b}"))
    #expect(text.contains(#"line\nbreak.jpg'"#) && text.contains("a “b”😀.jpg'"))
    let assets = try #require(try await rig.json(["list"])["assets"] as? [[String: Any]])
    let urls = assets.compactMap { $0["fileURL"] as? String }
    #expect(urls.contains { $0.hasSuffix("/%FF%80.jpg") })
    for url in urls { #expect(try await rig.run(["show", url]).status == 0) }
    #expect(try await rig.run(["save"] + urls).text.split(separator: "\n").count == 4)
  }

  // MARK: Saving

  @Test("Files are saved into the camera roll and an album, and one that fails keeps none away")
  func save() async throws {
    let rig = try LibraryToolRig()
    for (number, name) in ["a.jpg", "b.jpg", "e.jpg"].enumerated() {
      try Data(LibraryToolRig.jpeg(seed: number)).write(to: rig.folder.url.appending(name))
    }
    let missing = try await rig.run(["save", "a.jpg", "--album", "Best"])
    #expect(missing.status == 66 && missing.errors.contains("--make-album"))
    let run = try await rig.run(
      ["save", "a.jpg", "none.jpg", "b.jpg", "--album", "Best", "--make-album", "--json"])
    #expect(run.status == 66)
    let files = try #require(run.json["files"] as? [[String: Any]])
    #expect(files.map { $0["exitCode"] as? Int } == [nil, 66, nil])
    #expect(try await rig.names(["Best"]) == ["VWF_0001.JPG", "VWF_0002.JPG"])
    #expect(try await rig.names(["camera-roll"]).count == 2)
    let edited = try await rig.run(
      ["save", "a.jpg", "--edited", "e.jpg", "--naming", "date", "--album", "Best", "--json"])
    let asset = (edited.json["files"] as? [[String: Any]])?.first?["asset"] as? [String: Any]
    let id = try #require(asset?["id"] as? String)
    let shown = try await rig.json(["show", id])
    #expect((shown["representations"] as? [Any])?.count == 2)
    #expect((shown["fileName"] as? String)?.hasPrefix("IMG_") == true)
    #expect(try await rig.run(["save", "a.jpg", "--album", "all"]).status == 64)
  }

  @Test("Albums are made, renamed, filled, emptied and deleted, and their photos stay")
  func albumVerbs() async throws {
    let rig = try LibraryToolRig(["a.jpg", "b.jpg"])
    let made = try await rig.json(["album", "make", "Best"])["album"] as? [String: String]
    let url = try #require(made?["url"])
    _ = try await rig.run(["album", "add", url, "Pictures/b.jpg", "Pictures/a.jpg"])
    _ = try await rig.run(["album", "rename", "Best", "Very best"])
    #expect(try await rig.names(["Very best"]) == ["b.jpg", "a.jpg"])
    _ = try await rig.run(["album", "remove", url, "Pictures/b.jpg"])
    #expect(try await rig.names([url]) == ["a.jpg"])
    _ = try await rig.run(["album", "add", "favorites", "Pictures/a.jpg"])
    #expect(try await rig.names(["--favorites"]) == ["a.jpg"])
    #expect(try await rig.run(["album", "delete", "Very best"]).text.contains(url))
    #expect(try await rig.run(["list", url]).status == 66)
    #expect(try await rig.names([]) == ["a.jpg", "b.jpg"])
  }

  // MARK: Making thumbnails

  @Test("Thumbnails that are missing are made, and failures counted with the reason")
  func thumbnails() async throws {
    let rig = try LibraryToolRig(["a.jpg", "b.jpg"])
    try rig.writeCut("cut.jpg")
    let first = try await rig.run(["thumbnails", "--size", "normal", "--json"])
    #expect(first.status == 65)
    #expect(first.json["made"] as? Int == 2 && first.json["ready"] as? Int == 0)
    let failed = try #require(first.json["failed"] as? [[String: Any]])
    #expect(failed.map { $0["fileName"] as? String } == ["cut.jpg"])
    let made = rig.cache.appending("thumbnails/normal")
    #expect(try FileManager.default.contentsOfDirectory(atPath: made.path).count == 2)
    let second = try await rig.run(["thumbnails", "--size", "normal"])
    #expect(second.text == "0 made, 2 there already, 0 skipped, 1 failed\n")
    #expect(second.errors.contains("cut.jpg"))
  }

  // MARK: Watching

  @Test("What changes is printed with names until the interruption")
  func watch() async throws {
    let rig = try LibraryToolRig(["a.jpg", "b.jpg"])
    let output = rig.folder.aside.appending("watched")
    try Data().write(to: output)
    var steps = [
      ("watching", { try rig.write("c.jpg", seed: 3) }),
      ("inserted", { try rig.move("a.jpg", "d.jpg") }),
      ("moved", { try rig.write("b.jpg", seed: 9) }),
      ("updated", { try rig.move("b.jpg", "../b.jpg") }),
    ][...]
    var isInterrupted = false
    let run = try await rig.run(["watch", "--json"], output: FileHandle(forWritingTo: output)) {
      process in
      let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
      if let (event, act) = steps.first, text.contains("\"\(event)\"") {
        steps.removeFirst()
        try? act()
      } else if text.contains("\"removed\""), !isInterrupted {
        isInterrupted = true
        kill(process.processIdentifier, SIGINT)
      }
    }
    #expect(run.status == 130)
    let lines = try String(contentsOf: output, encoding: .utf8).split(separator: "\n")
    let events = try lines.map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    func event(_ name: String) throws -> [String: Any] {
      try #require(events.first { $0["event"] as? String == name })
    }
    #expect(try event("watching")["assets"] as? Int == 2)
    #expect(try event("inserted")["fileName"] as? String == "c.jpg")
    #expect(try event("moved")["fileName"] as? String == "d.jpg")
    #expect((try event("moved")["from"] as? String)?.hasSuffix("/a.jpg") == true)
    #expect(try event("removed")["fileName"] as? String == "b.jpg")
  }

  // MARK: Checking and mending

  @Test("A damaged file is found, and told by the exit code")
  func verify() async throws {
    let rig = try LibraryToolRig(["a.jpg"])
    _ = try await rig.run(["list"])
    let well = try await rig.run(["verify"])
    #expect(well.status == 0)
    #expect(well.text == "1 files read, 0 of them compared with their checksums, 0 damaged\n")
    let checksums = try await rig.run(["checksums"])
    #expect(checksums.text.hasSuffix("/a.jpg\n") && checksums.text.count > 34)
    #expect(try await rig.run(["verify"]).text.contains("1 of them compared"))
    try rig.writeCut("cut.jpg")
    // What the index doesn't have is read, too.
    let unknown = try await rig.run(["verify"])
    #expect(unknown.status == 65 && unknown.text.contains("1 new files"))
    _ = try await rig.run(["list"])
    let damaged = try await rig.run(["verify", "--json"])
    #expect(damaged.status == 65)
    let found = try #require(damaged.json["damagedFiles"] as? [[String: String]])
    #expect(found.map { $0["fileURL"]?.hasSuffix("/cut.jpg") } == [true])
    #expect(try await rig.run(["verify"]).errors.contains("cut.jpg"))
  }

  @Test(
    "Photos that can't be read for want of their folder are no health, and the other folders are of use"
  )
  func missingRoot() async throws {
    let rig = try LibraryToolRig(["a.jpg"])
    let roots = ["--root", "Other", "--root", "Pictures"]
    let other = rig.folder.url.appendingPathComponent("Other")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: rig.folder.url.appendingPathComponent("Pictures/a.jpg"),
      to: other.appendingPathComponent("b.jpg"))
    #expect(try await rig.run(["verify"] + roots).status == 0)
    _ = try await rig.run(["list"] + roots)
    try FileManager.default.moveItem(
      at: other, to: rig.folder.url.appendingPathComponent("Away"))
    let listed = try await rig.run(["list"] + roots)
    #expect(listed.text.contains("a.jpg") && listed.text.contains("b.jpg"))
    #expect(listed.errors.contains("Other"))
    let verified = try await rig.run(["verify"] + roots)
    #expect(verified.status == 66 && verified.errors.contains("1 files weren't read"))
  }

  @Test("Albums of one name can be merged, and don't keep anybody from saving")
  func twinAlbums() async throws {
    let rig = try LibraryToolRig(["a.jpg", "b.jpg"])
    for (name, photo) in [("One", "a.jpg"), ("Two", "b.jpg")] {
      _ = try await rig.run(["album", "make", name])
      _ = try await rig.run(["album", "add", name, "Pictures/\(photo)"])
    }
    _ = try await rig.run(["album", "rename", "Two", "One"])
    let saved = try await rig.run(["save", "Pictures/a.jpg", "--album", "One"])
    #expect(saved.status == 0 && saved.errors.contains("album merge"), "\(saved.errors)")
    #expect(try await rig.run(["album", "merge", "One", "One"]).status == 0)
    #expect(Set(try await rig.names(["One"])) == ["a.jpg", "b.jpg", "VWF_0001.JPG"])
  }

  @Test(
    "A deleted, broken or good index is made anew, with albums and IDs",
    arguments: ["", "deleted", "broken"])
  func rebuild(harm: String) async throws {
    let rig = try LibraryToolRig(["a.jpg", "b.jpg"])
    let saved = try await rig.run(["save", "Pictures/a.jpg", "--album", "Best", "--make-album"])
    #expect(saved.status == 0, "\(saved.errors)")
    let before = try await rig.json(["list"])["assets"] as? [[String: Any]]
    for file in rig.indexFiles {
      if harm == "deleted" { try FileManager.default.removeItem(at: file) }
      if harm == "broken" { try Data(repeating: 7, count: 9999).write(to: file) }
    }
    #expect(try await rig.json(["rebuild"])["filesRead"] as? Int == 3)
    #expect(try await rig.names(["Best"]) == ["VWF_0001.JPG"])
    let after = try await rig.json(["list", "--no-update"])["assets"] as? [[String: Any]]
    #expect(
      Set(try #require(after).map { $0["id"] as? String })
        == Set(try #require(before).map { $0["id"] as? String }))
  }

  @Test("Tools that run at once on one library don't get in each other's way")
  func together() async throws {
    let rig = try LibraryToolRig((0..<20).map { "\($0).jpg" })
    let runs = try await withThrowingTaskGroup(of: ToolRun.self) { group in
      for command in ["list", "rebuild", "albums", "rebuild", "verify", "list"] {
        group.addTask { try await rig.run([command]) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for run in runs { #expect(run.status == 0, "\(run.errors)") }
    #expect(try await rig.json(["list"])["count"] as? Int == 20)
  }

  // MARK: Failing

  static let failures: [([String], Int32, String)] = [
    (["list", "nope"], 66, "viewfinder library albums"),
    (["list", "viewfinder-library:///album/made/x"], 64, "neither"),
    (["list", "viewfinder-library:///asset/\(UUID())"], 64, "names an asset"),
    (["show", "nope.jpg"], 66, "nope.jpg"),
    (["list", "--kind", "sound"], 64, "photo, raw or video"),
    (["list", "--since", "2026-02-30"], 64, "YYYY-MM-DD"),
    (["list", "--since", "2026-02-03", "--until", "2026-02-01"], 64, "after"),
    (["list", "--order", "size"], 64, "oldest"),
    (["list", "--offset", "x"], 64, "from 0"),
    (["thumbnails", "--size", "9"], 64, "xx-large"),
    (["save", "a", "b", "--edited", "c"], 64, "one file"),
    (["save", "a", "--make-album"], 64, "--album"),
    (["save", "a", "--naming", "x"], 64, "dcf or date"),
    (["album", "add", "all", "x"], 66, "x"),
    (["album", "delete", "all"], 64, "fills itself"),
    (["album", "make", " "], 64, "needs a name"),
    (["save", "/dev/null"], 74, "/dev/null"),
    (["list", "--root", "nowhere"], 66, "nowhere"),
    (["rebuild", "--root", "nowhere"], 66, "nowhere"),
    (["list", "--index", "/proc/none"], 74, "/proc/none"),
    (["list", "-0", "--json"], 64, "exclude"),
    (["trash", "nope.jpg"], 66, "nope.jpg"),
    (["restore", "nope.jpg"], 66, "library trashed"),
    (["delete", "nope.jpg"], 64, "--permanently"),
    (["delete", "--permanently", "nope.jpg"], 64, "--yes"),
    (["album", "make", ""], 64, "needs a name"),
  ]

  @Test("Each failure has its exit code and says what is wrong", arguments: failures)
  func failure(arguments: [String], status: Int32, message: String) async throws {
    let rig = try LibraryToolRig()
    let run = try await rig.run(arguments)
    #expect(run.status == status, "\(run.errors)")
    #expect(run.errors.hasPrefix("viewfinder: ") && run.errors.contains(message), "\(run.errors)")
    #expect(run.text == "")
  }

  static let errors: [(PhotoLibraryError, Int32)] = [
    (.notFound(what: "x"), 66), (.notAuthorized(.noHome), 77),
    (.cannotRead(path: "x", code: ENOENT), 66), (.cannotRead(path: "x", code: EACCES), 77),
    (.cannotRead(path: "x", code: EIO), 74), (.cannotWrite(path: "x", code: ENOSPC), 74),
    (.cannotWrite(path: "x", code: EACCES), 77), (.damaged(what: "x", reason: ""), 65),
    (.unsupported(what: "x", reason: ""), 65), (.invalidRequest(reason: ""), 64),
    (.namesExhausted(folder: "x"), 74), (.indexUnusable(path: "x", reason: ""), 74),
    (.cancelled, 69), (.incomplete(done: [], left: [], because: .cancelled), 74),
  ]

  @Test("Every error of the photo library has an exit code", arguments: errors)
  func exitStatus(error: PhotoLibraryError, status: Int32) {
    #expect(error.exitStatus == status)
  }

  @Test(
    "Each command has help",
    arguments: [
      "albums", "list", "show", "save", "trash", "trashed", "restore", "delete", "thumbnails",
      "watch", "verify", "rebuild",
    ])
  func help(command: String) async throws {
    let run = try await tool(["library", command, "--help"], in: Folder())
    #expect(run.status == 0 && run.text.contains("JSON: "))
  }
}
