import CViewfinder
import Foundation
import Testing

@Suite("Files") struct FilesTests {
  @Test("A file moves to a name that nothing has; a name that is taken keeps what it names")
  func renameToFree() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func path(_ name: String) -> String { folder.appending(path: name).path }
    func text(_ name: String) -> String? {
      try? String(contentsOfFile: path(name), encoding: .utf8)
    }
    for name in ["one", "two"] {
      try name.write(toFile: path(name), atomically: false, encoding: .utf8)
    }
    #expect(vf_rename_to_free(path("one"), path("two")) == -EEXIST)
    #expect(text("one") == "one" && text("two") == "two")
    #expect(vf_rename_to_free(path("one"), path("three")) == 0)
    #expect(text("one") == nil && text("three") == "one")
    #expect(vf_rename_to_free(path("one"), path("four")) == -ENOENT)
    #expect(vf_rename_to_free(path("three"), path("none/there")) == -ENOENT)
    #expect(text("three") == "one")
  }
}
