import Foundation
import Testing

/// What `trash`, `trashed`, `restore` and `delete` do with photos.
@Suite struct TrashCommandTests {
  private func trashed(_ rig: LibraryToolRig) async throws -> [[String: Any]] {
    try #require(try await rig.json(["trashed"])["trashed"] as? [[String: Any]])
  }

  private func place(_ name: String, _ rig: LibraryToolRig) -> String {
    rig.folder.data.appending("Trash/files/\(name)").path
  }

  @Test("A photo in the trash comes back by its ID, its old path or its path there, as it was")
  func thereAndBack() async throws {
    let rig = try LibraryToolRig(["a.jpg", "b.jpg"])
    try Data("edits".utf8).write(to: rig.pictures.appending("a.xmp"))
    _ = try await rig.run(["album", "make", "Best"])
    _ = try await rig.run(["album", "add", "Best", "Pictures/a.jpg"])
    let id = try #require(try await rig.json(["show", "Pictures/a.jpg"])["id"] as? String)
    for name in [id, "viewfinder-library:///asset/\(id)", "Pictures/a.jpg", place("a.jpg", rig)] {
      let run = try await rig.run(["trash", "Pictures/a.jpg"])
      #expect(run.status == 0 && run.text.contains("Trash/files/a.jpg"), "\(run.errors)")
      #expect(try await rig.names([]) == ["b.jpg"])
      let items = try await trashed(rig)
      #expect(items.map { $0["id"] as? String } == [id])
      let files = try #require(items[0]["files"] as? [[String: String]])
      #expect(files.map { $0["trashedURL"]?.hasSuffix("/a.jpg") } == [true, false])
      let table = try await rig.run(["trashed"]).text
      #expect(table.hasPrefix("DELETED") && table.contains("Pictures/a.jpg"))
      let restored = try await rig.run(["restore", name])
      #expect(restored.status == 0, "\(name): \(restored.errors)")
      #expect(try await rig.names(["Best"]) == ["a.jpg"])
      #expect(try Data(contentsOf: rig.pictures.appending("a.xmp")) == Data("edits".utf8))
    }
    #expect(try await trashed(rig).isEmpty)
  }

  @Test("What can't go into the trash keeps none from it, and sets the exit code")
  func someFail() async throws {
    let rig = try LibraryToolRig(["a.jpg", "b.jpg"])
    let run = try await rig.run(
      ["trash", "Pictures/a.jpg", "none.jpg", "Pictures/b.jpg", "--json"])
    #expect(run.status == 66 && run.errors.contains("none.jpg"))
    let assets = try #require(run.json["assets"] as? [[String: Any]])
    #expect(assets.map { $0["exitCode"] as? Int } == [nil, 66, nil])
    #expect(assets.map { ($0["inputURL"] as? String)?.hasPrefix("file:///") } == [true, nil, true])
    #expect(try await trashed(rig).count == 2)
  }

  @Test("Nothing is restored over another file; --keep-both has both")
  func taken() async throws {
    let rig = try LibraryToolRig(["a.jpg"])
    _ = try await rig.run(["trash", "Pictures/a.jpg"])
    try rig.write("a.jpg", seed: 7)
    let refused = try await rig.run(["restore", "Pictures/a.jpg"])
    #expect(refused.status == 74 && refused.errors.contains("a.jpg"), "\(refused.errors)")
    #expect(try await trashed(rig).count == 1)
    // Two of one name are told apart by their places.
    _ = try await rig.run(["trash", "Pictures/a.jpg"])
    let both = try await rig.run(["restore", "Pictures/a.jpg"])
    #expect(both.status == 64 && both.errors.contains("a.2.jpg"), "\(both.errors)")
    #expect(try await rig.run(["restore", place("a.2.jpg", rig)]).status == 0)
    let kept = try await rig.run(["restore", "Pictures/a.jpg", "--keep-both"])
    #expect(kept.status == 0 && kept.text.contains("Pictures/Restored/a.jpg"), "\(kept.errors)")
    #expect(try await rig.names([]).count == 2)
  }

  @Test("Deleting for good needs two words where nobody can be asked")
  func delete() async throws {
    let rig = try LibraryToolRig(["a.jpg", "b.jpg"])
    for arguments in [[], ["--yes"], ["--permanently"]] {
      #expect(try await rig.run(["delete", "Pictures/a.jpg"] + arguments).status == 64)
    }
    #expect(try await rig.names([]) == ["a.jpg", "b.jpg"])
    let run = try await rig.run(["delete", "Pictures/a.jpg", "--permanently", "--yes", "--json"])
    let deleted = (run.json["assets"] as? [[String: Any]])?.first?["deleted"] as? [String]
    #expect(run.status == 0 && deleted?.count == 1)
    #expect(try await rig.names([]) == ["b.jpg"])
    #expect(try await trashed(rig).isEmpty)
    _ = try await rig.run(["trash", "Pictures/b.jpg"])
    #expect(
      try await rig.run(["delete", "Pictures/b.jpg", "--permanently", "-y", "--trashed"]).status
        == 0)
    #expect(try await trashed(rig).isEmpty)
    #expect(try await rig.run(["restore", "Pictures/b.jpg"]).status == 66)
  }

  @Test("A person at the terminal is asked, and only “yes” deletes", arguments: ["n", "", "y"])
  func asking(answer: String) async throws {
    let rig = try LibraryToolRig(["a.jpg"])
    let run = try await rig.shell(
      """
      export -f library
      echo '\(answer)' | SHELL=$BASH script -qec "library delete --permanently Pictures/a.jpg" /dev/null
      """)
    #expect(run.status == 0 && run.text.contains("for good? [y/N]"), "\(run.text)")
    #expect(try await rig.names([]) == (answer == "y" ? [] : ["a.jpg"]))
  }
}
