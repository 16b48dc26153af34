import Foundation
import Testing

@testable import ViewfinderLibrary

@Suite struct ThumbnailerEntryTests {
  private let places = ThumbnailerEntry.Places(input: "/in.mp4", output: "/out.png", size: 256)

  @Test("A file of the desktop gives the program, its types and its arguments")
  func reading() throws {
    let entry = try #require(
      ThumbnailerEntry(
        """
        # A comment
        [Other]
        Exec=wrong
        [Thumbnailer Entry]
        TryExec=ffmpegthumbnailer
        Exec = ffmpegthumbnailer -i %i -o %o -s %s -u %u 100%% %x
        MimeType=video/mp4;video/webm;
        [More]
        MimeType=image/jpeg;
        """))
    #expect(entry.tryExec == "ffmpegthumbnailer")
    #expect(entry.mimeTypes == ["video/mp4", "video/webm"])
    #expect(
      entry.command(places) == [
        "ffmpegthumbnailer", "-i", "/in.mp4", "-o", "/out.png", "-s", "256", "-u",
        "file:///in.mp4", "100%", "",
      ])
  }

  @Test(
    "Arguments are taken apart as a shell does",
    arguments: [
      (#"a "b c" 'd "e' f\ g"#, ["a", "b c", "d \"e", "f g"]), (#"a"b"'c' """#, ["abc", ""]),
      (#"a "\"\\""#, ["a", #""\"#]), ("a\t b  ", ["a", "b"]), (#"x '\n'"#, ["x", #"\n"#]),
    ] as [(String, [String])])
  func words(line: String, words: [String]) {
    #expect(ThumbnailerEntry("[Thumbnailer Entry]\nExec=\(line)")?.exec == words)
  }

  @Test(
    "What describes no program is none",
    arguments: [
      "", "Exec=a", "[Thumbnailer Entry]\nMimeType=a/b", "[Thumbnailer Entry]\nExec=",
      "[Thumbnailer Entry]\nExec=a 'b", "[Thumbnailer Entry]\nExec=a \\",
    ])
  func none(text: String) {
    #expect(ThumbnailerEntry(text) == nil)
  }
}
