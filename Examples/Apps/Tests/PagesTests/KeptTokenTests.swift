import Foundation
import Testing

@testable import WebServing

@Suite("A token that is kept") struct KeptTokenTests {
  private func run(_ body: (KeptToken) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-token-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(KeptToken(file: folder.appending(components: "viewfinder", "my-cards.token")))
  }

  @Test("It is made once, for its owner alone to read")
  func made() throws {
    try run { kept in
      let token = try kept.token()
      #expect(try kept.token() == token)
      let mode = try FileManager.default.attributesOfItem(atPath: kept.file.path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
      let folder = kept.file.deletingLastPathComponent()
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
      try FileManager.default.removeItem(at: kept.file)
      #expect(try kept.token() != token)
    }
  }

  @Test("Of two programs that start at once both have the token of the faster one")
  func atOnce() throws {
    try run { kept in
      let token = try kept.token()
      // The slower one has found none before, and writes its own now.
      try kept.write(AccessToken())
      #expect(try kept.token() == token)
    }
  }

  @Test("One that others may have read, and what is none, isn't used, and the words say what to do")
  func refused() throws {
    try run { kept in
      _ = try kept.token()
      #expect(chmod(kept.file.path, 0o640) == 0)
      let read = #expect(throws: KeptToken.Failure.self) { try kept.token() }
      #expect(read?.description.contains("Remove the file") == true)
      #expect(chmod(kept.file.path, 0o600) == 0)
      try Data("short\n".utf8).write(to: kept.file)
      #expect(chmod(kept.file.path, 0o600) == 0)
      let none = #expect(throws: KeptToken.Failure.self) { try kept.token() }
      #expect(none?.description.contains("there is no token") == true)
    }
  }

  @Test("Where it can't be kept, the words say where and what to do")
  func noPlace() throws {
    let failure = #expect(throws: KeptToken.Failure.self) {
      try KeptToken(file: URL(fileURLWithPath: "/proc/viewfinder/a.token")).token()
    }
    #expect(failure?.description.contains("--token-file") == true)
  }
}
