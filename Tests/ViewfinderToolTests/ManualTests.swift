import Foundation
import Testing

@testable import viewfinder

/// What the tool says of itself: its version, its manual page and its completions.
@Suite struct ManualTests {
  @Test("--version prints the version, which is the newest of the changelog") func version()
    async throws
  {
    let run = try await tool(["--version"], in: Folder())
    #expect(run.status == 0)
    let version = String(decoding: run.output, as: UTF8.self).trimmingCharacters(in: .newlines)
    #expect(version == ViewfinderTool.version)
    #expect(version.wholeMatch(of: /\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?/) != nil)

    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let changelog = try String(contentsOf: root.appending(path: "CHANGELOG.md"), encoding: .utf8)
    if let newest = changelog.firstMatch(of: /\n## (\d\S*)/) { #expect(newest.1 == version) }
  }

  @Test("The manual page has every command and option") func manual() async throws {
    let folder = try Folder()
    let page = String(
      decoding: try await tool(["--generate-manual"], in: folder).output, as: UTF8.self)
    let sections = page.matches(of: /\n\.S[HS] ([^\n]+)/).map {
      $0.1.replacing("\\-", with: "-")
    }
    #expect(sections.prefix(4) == ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS"])
    for name in ["devices", "photo", "library list", "library album add"] {
      #expect(sections.contains("viewfinder \(name)"))
    }
    // A group that commands share is there once, and says whose it is.
    #expect(sections.count { $0 == "CAMERA OPTIONS" } == 1)
    #expect(page.count(of: "\\-\\-simulate\\fR [\\fIscene\\fR]") == 1)
    #expect(page.contains("\nFor devices, formats, controls, photo, stream, demo.\n"))
    #expect(page.contains("\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIfile\\fR\n"))
    // The exit codes keep their lines.
    #expect(page.contains(".SH EXIT CODES\n.EX\n  0    done\n"))
    #expect(!page.contains("generate"), "What is hidden from the help is hidden here.")
  }

  @Test("No line of the manual page is taken for a request of troff's by accident") func escapes()
    throws
  {
    let definitions = """
      {"command": {"commandName": "t", "abstract": "Does.", "shouldDisplay": true,
       "discussion": ".hidden is a 'file' – one\\\\two\\n\\n  .indented -x\\n'quoted"}}
      """
    let page = try ManualPage.render(definitions, version: "1.0.0")
    #expect(page.contains("\n\\&.hidden is a \\(aqfile\\(aq \\[u2013] one\\etwo\n"))
    #expect(page.contains("\n.EX\n  .indented \\-x\n.EE\n"))
    #expect(page.contains("\n\\(aqquoted\n"))
    #expect(page.utf8.allSatisfy { $0 < 128 })
  }

  @Test("Completions are made for each shell", arguments: ["bash", "zsh", "fish"])
  func completions(_ shell: String) async throws {
    let run = try await tool(["--generate-completion-script", shell], in: Folder())
    #expect(run.status == 0)
    let script = String(decoding: run.output, as: UTF8.self)
    for word in ["devices", "rectify", "make-album"] { #expect(script.contains(word)) }
  }
}

extension String {
  /// How often `part` is in it.
  fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}
