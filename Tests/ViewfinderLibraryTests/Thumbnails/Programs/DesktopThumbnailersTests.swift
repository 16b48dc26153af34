import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// A type that no decoder here takes.
extension ContentType {
  fileprivate static let strange = ContentType(
    mimeType: "video/x-strange", kind: .video, pathExtension: "strange")
}

/// A desktop with one program that makes thumbnails, a script of the shell.
private struct ProgramRig {
  let rig: ThumbnailRig
  var programs: DesktopThumbnailers

  init(_ script: String) throws {
    rig = try ThumbnailRig()
    let folder = rig.folder.appendingPathComponent("thumbnailers")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try """
    [Thumbnailer Entry]
    TryExec=sh
    Exec=/bin/sh -c '\(script)' sh %i %o %s %u
    MimeType=video/x-strange;
    """.write(
      to: folder.appendingPathComponent("a.thumbnailer"), atomically: true, encoding: .utf8)
    programs = DesktopThumbnailers()
    programs.folders = [FilePath(folder)]
  }

  /// A file whose bytes are a PNG picture, which the script can copy.
  func item(_ data: Data? = nil) throws -> ThumbnailItem {
    let data = try data ?? PixelBuffer.quadrants(Dimensions(width: 400, height: 300)).pngData()
    var item = try rig.item(rig.write(data, name: "a \"b\" ü.strange"))
    item.info.type = .strange
    return item
  }

  func thumbnail(_ item: ThumbnailItem, isCancelled: () -> Bool = { false }) throws -> PixelBuffer {
    try programs.thumbnail(of: item, size: .normal, isCancelled: isCancelled)
  }

  /// What the file has become: the letters of its thumbnail, or what kind of error.
  func outcome(_ data: Data? = nil) throws -> String {
    let item = try item(data)
    do {
      return try thumbnail(item).letters
    } catch let error as PhotoLibraryError {
      return "\(error)".components(separatedBy: " was to make its thumbnail, but ").last ?? ""
    }
  }
}

@Suite struct DesktopThumbnailersTests {
  /// Whether programs run in a sandbox here: bubblewrap is installed, and may make namespaces.
  private static let hasSandbox: Bool = {
    guard let rig = try? ProgramRig("cp $1 $2") else { return false }
    return (try? rig.outcome()) == "rgbw"
  }()
  private static let needsSandbox: ConditionTrait = .enabled(
    if: hasSandbox, "needs Debian's bubblewrap, and a system that lets it make sandboxes")

  @Test("A program makes the thumbnail, which is no larger than asked for", needsSandbox)
  func making() throws {
    let rig = try ProgramRig("test $3 = 128 && test $4 = file://$1 && cp $1 $2")
    let thumbnail = try rig.thumbnail(rig.item())
    #expect(thumbnail.dimensions == Dimensions(width: 128, height: 96))
    #expect(try thumbnail.letters == "rgbw")
  }

  @Test("The maker keeps what a program made, and that one failed", needsSandbox)
  func keeping() throws {
    let png = try PixelBuffer.quadrants(Dimensions(width: 8, height: 8)).pngData()
    let picture = "echo \(png.base64EncodedString()) | base64 -d >$2"
    for (script, folder) in [(picture, "normal"), ("exit 1", "fail/viewfinder-2")] {
      let rig = try ProgramRig(script)
      var maker = rig.rig.maker
      maker.programs = rig.programs
      let item = try rig.item(Data("nothing that a decoder here takes".utf8))
      _ = try? maker.thumbnail(of: item, size: .normal)
      #expect(rig.rig.cached == ["\(folder)/\(md5(item.path.uri)).png"])
    }
  }

  @Test(
    "A program that fails, or makes no picture of a thumbnail's size, is damage", needsSandbox,
    arguments: [
      ("exit 1", "it failed."), ("true", "it failed."), ("echo garbage >$2", "it made no picture."),
      ("head -c 300 $1 >$2", "it made no picture."), (": >$2", "it made no picture."),
      ("mkfifo $2", "it took too long."), ("ln -s /etc/passwd $2", "it failed."),
      ("head -c 50000000 /dev/zero >$2", "it failed."),
      (
        "cat /dev/zero >/tmp/a; cat /dev/zero >/tmp/b; cat /dev/zero >/tmp/c; cp $1 $2",
        "it failed."
      ),
    ])
  func failing(script: String, reason: String) throws {
    var rig = try ProgramRig(script)
    rig.programs.sandbox.limits.time = .seconds(5)
    #expect(try rig.outcome() == reason)
  }

  @Test("A huge picture is damage and takes no memory", needsSandbox)
  func hugePicture() throws {
    let rig = try ProgramRig("cp $1 $2")
    #expect(try rig.outcome(BlackPNG.file(width: 20_000, height: 9000)) == "it made no picture.")
  }

  @Test(
    "A program sees its file and the system's programs, to read, and nothing else", needsSandbox,
    arguments: [
      "cat /etc/passwd", "cat /etc/shadow", "ls /home", "ls /root", "ls /proc/self", "ls /sys",
      "ls /var", "ls /run", "ls FOLDER", "echo x >>$1", "echo x >/usr/x", "echo x >/x",
      "echo x >FOLDER/x", "echo x >/dev/x", "test \"$HOME\" != /tmp",
      "test -n \"$LANG$USER$SHELL$PATH_INFO\"", "mount -t tmpfs x /usr",
    ])
  func isolation(command: String) throws {
    let folder = try ScratchFolder()
    let command = command.replacing("FOLDER", with: folder.path.description)
    let rig = try ProgramRig("if \(command); then exit 1; fi; cp $1 $2")
    #expect(try rig.outcome() == "rgbw")
    #expect(try folder.names().isEmpty)
  }

  @Test("A program has only as much memory as it may", needsSandbox)
  func memory() throws {
    // tail keeps all that it may have to show.
    var rig = try ProgramRig(
      "head -c 300000000 /dev/zero | tail -c 290000000 >/dev/null && cp $1 $2")
    #expect(try rig.outcome() == "rgbw")
    rig.programs.sandbox.limits.memory = 100 << 20
    #expect(try rig.outcome() == "it failed.")
  }

  @Test("A program that hangs is ended with all that it started", needsSandbox)
  func hanging() async throws {
    let marker = "1000.\(Int.random(in: 1_000_000..<9_999_999))"
    var rig = try ProgramRig("setsid sleep \(marker) & sleep \(marker) & sleep \(marker)")
    rig.programs.sandbox.limits.time = .seconds(1)
    #expect(try rig.outcome() == "it took too long.")
    #expect(try await eventually { !isRunning(marker) })
  }

  @Test("What a program leaves running when it is done is ended", needsSandbox)
  func forking() async throws {
    let marker = "1000.\(Int.random(in: 1_000_000..<9_999_999))"
    let rig = try ProgramRig("setsid sleep \(marker) & sleep \(marker) & cp $1 $2")
    #expect(try rig.outcome() == "rgbw")
    #expect(try await eventually { !isRunning(marker) })
  }

  @Test("A program that nobody waits for any more is ended", needsSandbox)
  func cancelling() async throws {
    let marker = "1000.\(Int.random(in: 1_000_000..<9_999_999))"
    let rig = try ProgramRig("sleep \(marker)")
    #expect(throws: PhotoLibraryError.cancelled) {
      try rig.thumbnail(rig.item()) { isRunning(marker) }
    }
    #expect(try await eventually { !isRunning(marker) })
  }

  @Test("Without a sandbox no program runs, and the error says what helps")
  func withoutSandbox() throws {
    let rig = try ProgramRig("cp $1 $2")
    var without = rig
    without.programs.sandbox.program = nil
    #expect(try without.outcome().contains("apt install bubblewrap"))
    let fake = rig.rig.folder.appendingPathComponent("bwrap")
    try "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1".write(
      to: fake, atomically: true, encoding: .utf8)
    FilePath(fake).setMode(0o755)
    without.programs.sandbox.program = FilePath(fake)
    #expect(try without.outcome().contains("bwrap: No permissions to create new namespace."))
    without.programs.sandbox.program = "/no/bwrap"
    #expect(try without.outcome().contains("bwrap can't be started: No such file or directory"))
  }

  @Test(
    "Without a program the error names the package that has one",
    arguments: [
      (.heic, "heif-thumbnailer"), (.avif, "heif-thumbnailer"), (.mpeg4, "ffmpegthumbnailer"),
    ] as [(ContentType, String)])
  func advice(type: ContentType, package: String) throws {
    var rig = try ProgramRig("cp $1 $2")
    rig.programs.folders = ["/no/folder"]
    var item = try rig.item()
    item.info.type = type
    let error = #expect(throws: PhotoLibraryError.self) { try rig.thumbnail(item) }
    #expect("\(try #require(error))".contains("apt install \(package)"))
  }

  @Test("Programs that aren't installed, or not among the system's, are passed over")
  func installed() throws {
    let rig = try ProgramRig("cp $1 $2")
    #expect(rig.programs.entry(for: .strange)?.exec.first == "/bin/sh")
    #expect(rig.programs.entry(for: .mpeg4) == nil)
    var elsewhere = rig
    let folder = FilePath(rig.rig.folder)
    elsewhere.programs.path = [folder]
    try FileManager.default.copyItem(atPath: "/bin/sh", toPath: folder.appending("sh").description)
    #expect(elsewhere.programs.entry(for: .strange) == nil)
    elsewhere.programs.path = []
    #expect(elsewhere.programs.entry(for: .strange) == nil)
  }

  private static let heifPrograms: [String] = ["/usr/bin/heif-thumbnailer", "/usr/bin/heif-enc"]

  @Test(
    "HEIC and AVIF get thumbnails from heif-thumbnailer", needsSandbox,
    .enabled(
      if: heifPrograms.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) },
      "needs Debian's heif-thumbnailer and libheif-examples"),
    arguments: [ContentType.heic, .avif])
  func heif(type: ContentType) throws {
    let rig = try ThumbnailRig()
    let source = try rig.write(PixelBuffer.quadrants(.photo).pngData(), name: "source.png")
    let path = FilePath(rig.folder).appending("a.\(type.pathExtension)")
    _ = try output(
      "/usr/bin/heif-enc",
      (type == .avif ? ["-A"] : []) + [source.description, "-o", path.description])
    var item = try rig.item(path, .photo)
    item.info.type = type
    let thumbnail = try DesktopThumbnailers().thumbnail(of: item, size: .large) { false }
    #expect(thumbnail.dimensions == Dimensions(width: 256, height: 192))
    #expect(try thumbnail.letters == "rgbw")
  }

  /// Real videos, which are no part of the project.
  private static let videoPaths: [String] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../../../shared/data/media/files").standardizedFileURL
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.lowercased().hasSuffix(".mp4") }.sorted()
      .map { folder.appendingPathComponent($0).path }
  }()

  @Test(
    "Videos get thumbnails from ffmpegthumbnailer", needsSandbox,
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpegthumbnailer"),
      "needs Debian's ffmpegthumbnailer"),
    .enabled(if: !videoPaths.isEmpty, "needs ../shared/data"))
  func videos() throws {
    let sizes = Self.videoPaths.prefix(3).compactMap { path -> Dimensions? in
      guard var item = try? ThumbnailRig().item(FilePath(path)) else { return nil }
      item.info.type = .mpeg4
      let made = try? DesktopThumbnailers().thumbnail(of: item, size: .large) { false }
      return made?.dimensions
    }
    #expect(!sizes.isEmpty)
    for size in sizes { #expect(max(size.width, size.height) <= 256) }
  }
}
