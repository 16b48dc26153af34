import Foundation
import Testing
import Viewfinder

@testable import viewfinder

/// Paths of any bytes, as arguments and as output.
@Suite struct PathTests {
  @Test(
    "Arguments come back from text byte for byte, and no two are the same text",
    arguments: [
      [], Array("a.jpg".utf8), [0xff], [0xc3], [0xe2, 0x82], [0x61, 0xff, 0xfe, 0x62],
      [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc0, 0xaf],
      Array("\u{10ff80}\u{10ffff}é\u{301}😀".utf8), Array(0x01...0xff),
    ] as [[UInt8]])
  func argumentText(bytes: [UInt8]) {
    let text = ArgumentText.encode(bytes)
    #expect(ArgumentText.decode(text) == bytes)
    #expect(ArgumentText.isBytes("a.jpg") == false && ArgumentText.isBytes("\u{10ff80}"))
    // What stands for a byte, typed by somebody, is something else.
    #expect(ArgumentText.encode([0xff]) != ArgumentText.encode(Array("\u{10ffff}".utf8)))
  }

  @Test(
    "A path is one word for a shell, which gets its bytes back",
    arguments: [
      "a.jpg", "a b.jpg", "it's", "$HOME", "~x", "-rf", "a\nb", "\u{1b}[31m", "“é”😀", "\u{202e}x",
      "a\\b", "!x", "tab\there",
    ].map { Array($0.utf8) } + [[0xff, 0x31], Array("é".utf8) + [0x80, 0x27]] as [[UInt8]])
  func quoting(bytes: [UInt8]) async throws {
    let quoted = Path(bytes: bytes).quoted
    #expect(quoted.unicodeScalars.allSatisfy { !$0.isControl })
    let run = try await tool([], by: ["bash", "-c", "printf %s \(quoted)"], in: Folder())
    #expect(Array(run.output) == bytes, "\(quoted)")
  }

  @Test("The parts of a path are those that the shell's own programs tell")
  func parts() {
    for (path, folder, name) in [
      ("a", ".", "a"), ("a/b", "a", "b"), ("/a", "/", "a"), ("/a/b/", "/a", "b"), ("a/", ".", "a"),
    ] {
      #expect(Path(path).folder == Path(folder), "\(path)")
      #expect(Path(path).name == Path(name), "\(path)")
    }
    #expect(Path("a.b.jpg").nameParts.stem == Array("a.b".utf8))
    #expect(Path(".hidden").nameParts.ending.isEmpty)
    #expect(Path(argument: "file:///a%20b/%FF")?.bytes == Array("/a b/".utf8) + [0xff])
    #expect(Path(argument: "file:///a%00b")?.bytes == Array("/a%00b".utf8))
  }

  static let names = [
    #"$'\xff\x80.jpg'"#, #"$'line\nbreak.jpg'"#, #"$'\e[31mred.jpg'"#, "-rf.jpg", "'a b.jpg'",
    "é.jpg", #"$'\xf4\x8f\xbe\x80.jpg'"#, #"$'\'quoted\'.jpg'"#,
  ]

  /// A library with a photo of each of the names.
  private func rig() async throws -> LibraryToolRig {
    let rig = try LibraryToolRig()
    for (seed, name) in Self.names.enumerated() {
      try LibraryToolRig.jpeg(seed: seed).write(to: rig.folder.aside.appending("new.jpg"))
      _ = try await rig.shell("mv ../aside/new.jpg Pictures/\(name)")
    }
    return rig
  }

  @Test("show takes every path that exists, and every one that list prints")
  func list() async throws {
    let rig = try await rig()
    for name in Self.names {
      let run = try await rig.shell("library show Pictures/\(name) --json")
      #expect(run.status == 0, "\(name): \(run.errors)")
      let beside = try await rig.shell(
        "cd Pictures; viewfinder library show --root . --index ../i -- \(name)")
      #expect(beside.status == 0, "\(name): \(beside.errors)")
    }
    let count = Self.names.count
    let zeros = try await rig.shell(
      #"library list -0 | while IFS= read -r -d '' p; do library show "$p" >/dev/null && echo ok; done"#
    )
    #expect(zeros.text == String(repeating: "ok\n", count: count), "\(zeros.errors)")
    // All names but that with a line end come through lines as well.
    let lines = try await rig.shell(
      #"library list | while IFS= read -r p; do test -e "$p" && library show "$p" >/dev/null && echo ok; done"#
    )
    #expect(lines.text == String(repeating: "ok\n", count: count - 1), "\(lines.errors)")
    let raw = try await rig.shell("library list -0")
    #expect(raw.output.count { $0 == 0 } == count)
    #expect(raw.output.firstRange(of: Data([0x2f, 0xff, 0x80, 0x2e])) != nil)
    let urls = try await rig.shell(
      """
      library list --json | grep -o 'file://[^"]*' | while read -r u; do library show "$u" >/dev/null && echo ok; done
      """)
    #expect(urls.text == String(repeating: "ok\n", count: count), "\(urls.errors)")
  }

  @Test("What a terminal shows of list is harmless, and leads back to the file when pasted")
  func terminal() async throws {
    let rig = try await rig()
    let run = try await rig.shell(
      """
      export -f library
      SHELL=$BASH script -qec "library list 2>/dev/null" /dev/null
      """)
    #expect(run.status == 0 && !run.output.contains(0x1b))
    let rows = run.text.split(whereSeparator: \.isNewline).filter { $0.contains("image/jpeg") }
    #expect(rows.count == Self.names.count)
    for row in rows {
      let start = try #require(row.firstRange(of: /[$']*\/[^ ]*\/Pictures\//)?.lowerBound)
      let pasted = try await rig.shell("library show \(row[start...])")
      #expect(pasted.status == 0, "\(row): \(pasted.errors)")
    }
  }

  @Test("A pipe gets all paths, and a table the first hundred")
  func limits() async throws {
    let rig = try LibraryToolRig((0..<105).map { "\($0).jpg" })
    #expect(try await rig.run(["list"]).text.split(separator: "\n").count == 105)
    #expect(try await rig.run(["list", "--limit", "3"]).text.split(separator: "\n").count == 3)
    #expect(try await rig.run(["list", "--long"]).text.split(separator: "\n").count == 101)
  }

  @Test("Roots, indexes and files to save may have any name")
  func folders() async throws {
    let rig = try LibraryToolRig(["a.jpg"])
    let run = try await rig.shell(
      #"""
      mv Pictures $'p\xff'
      ours=(--root $'p\xff' --index $'i\xfe')
      viewfinder library list "${ours[@]}" >/dev/null
      ls -d $'i\xfe' >/dev/null || echo no index
      cp $'p\xff/a.jpg' $'s\xfd.jpg'
      viewfinder library save $'s\xfd.jpg' --edited ./$'p\xff'/a.jpg "${ours[@]}" --json
      viewfinder library list $'p\xff' "${ours[@]}" | wc -l
      viewfinder library trash $'p\xff/a.jpg' "${ours[@]}"
      viewfinder library restore $'p\xff/a.jpg' "${ours[@]}"
      ls $'p\xff/a.jpg' >/dev/null && echo back
      """#)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    #expect(run.text.contains("/s%FD.jpg") && run.text.hasSuffix("back\n"), "\(run.text)")
    #expect(!run.text.contains("no index"))
  }

  @Test("Pictures of any name are cropped, into folders of any name")
  func crop() async throws {
    let rig = try LibraryToolRig(["a.jpg"])
    let run = try await rig.shell(
      #"""
      cp Pictures/a.jpg $'in\xff.jpg'; cp Pictures/a.jpg ./-x.jpg; mkdir $'there\xfe'
      viewfinder crop -o $'new\xfe/deep/' --json -- $'in\xff.jpg' -x.jpg
      ls $'new\xfe/deep/in\xff.jpg' new*/deep/-x.jpg >/dev/null && echo whole
      viewfinder crop $'in\xff.jpg' -o $'there\xfe' && ls $'there\xfe/in\xff.jpg' >/dev/null && echo there
      viewfinder crop $'in\xff.jpg' -o $'out\xfe.png' && ls $'out\xfe.png' >/dev/null && echo file
      viewfinder photo --replay $'in\xff.jpg' -o $'photo\xfe.jpg' && ls $'photo\xfe.jpg' >/dev/null && echo photo
      """#)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    for word in ["/in%FF.jpg", "new%FE/deep/in%FF.jpg", "whole\n", "there\n", "file\n", "photo\n"] {
      #expect(run.text.contains(word), "\(word): \(run.text)")
    }
    let missing = try await rig.shell(#"viewfinder crop $'\e[31m\xff' -o out/"#)
    #expect(missing.status == 66 && !missing.errors.contains("\u{1b}"), "\(missing.errors)")
    // Nor do the parser's own words carry what was typed to the terminal.
    let wrong = try await rig.shell(#"viewfinder crop x -o out/ --orientation $'\e[31m\xff'"#)
    #expect(wrong.status == 64 && !wrong.errors.contains("\u{1b}"), "\(wrong.errors)")
    #expect(!wrong.errors.unicodeScalars.contains { ArgumentText.byte(of: $0) != nil })
    #expect(
      try await rig.shell(#"library album make $'\xff'"#).errors.contains("UTF-8"))
  }
}
