import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// Ours against what desktops themselves do.
@Suite struct DesktopThumbnailTests {
  private func python(
    _ script: String, _ arguments: [String] = [], cache: FilePath? = nil, input: Data = Data()
  )
    throws -> [String]
  {
    let environment = cache.map { ["XDG_CACHE_HOME": $0.description] } ?? [:]
    return try output(
      Desktop.python, ["-c", script] + arguments, environment: environment, input: input
    ).split(separator: "\n").map(String.init)
  }

  private static let gnome = """
    import sys, gi
    gi.require_version("GnomeDesktop", "3.0")
    from gi.repository import GnomeDesktop, GdkPixbuf
    factory = GnomeDesktop.DesktopThumbnailFactory.new(GnomeDesktop.DesktopThumbnailSize.LARGE)
    uri, time = sys.argv[1], int(sys.argv[2])

    """

  @Test(.enabled(if: Desktop.hasGLib, "needs Debian's python3-gi"))
  func namesAreThoseOfGLib() throws {
    let bytes = (UInt8(1)...255).filter { $0 != UInt8(ascii: "/") }
    var paths = bytes.map { FilePath(bytes: Array("/photos/a".utf8) + [$0] + Array("b.jpg".utf8)) }
    paths += [
      "/home/jens/photos/me.png", "/a b/ü 😀;#?%.jpg", FilePath(bytes: [UInt8(ascii: "/")] + bytes),
    ]
    paths.append(FilePath(bytes: Array("/".utf8) + [0xc3, 0x28, 0xf0, 0x9f, 0x98]))
    let script = """
      import sys
      from gi.repository import GLib
      for path in sys.stdin.buffer.read().split(b"\\0"):
          uri = GLib.filename_to_uri(path, None)
          print(uri, GLib.compute_checksum_for_string(GLib.ChecksumType.MD5, uri, -1))
      """
    let input = Data(paths.map(\.bytes).joined(separator: [0]))
    let lines = try python(script, input: input)
    #expect(lines.count == paths.count)
    for (path, line) in zip(paths, lines) { #expect("\(path.uri) \(md5(path.uri))" == line) }
  }

  @Test(.enabled(if: Desktop.hasGNOME, "needs Debian's gir1.2-gnomedesktop-3.0"))
  func gnomeFindsOurThumbnails() throws {
    let rig = try ThumbnailRig()
    let item = try rig.photo(name: "a b é.jpg")
    _ = try rig.maker.thumbnail(of: item, size: .large)
    let script =
      Self.gnome + """
        path = factory.lookup(uri, time)
        picture = GdkPixbuf.Pixbuf.new_from_file(path)
        print(path)
        print(picture.get_width(), picture.get_height(), picture.get_bits_per_sample(), picture.get_has_alpha())
        print(picture.get_option("tEXt::Thumb::Size"))
        print(factory.lookup(uri, time + 1))
        """
    let lines = try python(script, [item.path.uri, "1600000000"], cache: rig.cache.folder.folder)
    #expect(
      lines == [
        rig.cache.path(of: item, in: "large").description, "256 192 8 True", "\(item.status.size)",
        "None",
      ])
  }

  @Test(.enabled(if: Desktop.hasGNOME, "needs Debian's gir1.2-gnomedesktop-3.0"))
  func gnomesThumbnailsAreUsed() throws {
    let rig = try ThumbnailRig()
    let item = try rig.photo(name: "a b é.jpg")
    let script =
      Self.gnome + """
        picture = GdkPixbuf.Pixbuf.new(GdkPixbuf.Colorspace.RGB, False, 8, 256, 192)
        picture.fill(0x1414e6ff)
        factory.save_thumbnail(picture, uri, time, None)
        """
    _ = try python(script, [item.path.uri, "1600000000"], cache: rig.cache.folder.folder)
    #expect(try rig.maker.thumbnail(of: item, size: .large).letters == "bbbb")
    #expect(try rig.maker.thumbnail(of: item, size: .normal).letters == "bbbb")
  }

  private static let thumbnailer = "/usr/bin/gdk-pixbuf-thumbnailer"

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: thumbnailer),
      "needs Debian's libgdk-pixbuf2.0-bin"))
  func gdkPixbufReadsOurThumbnails() throws {
    let rig = try ThumbnailRig()
    let item = try rig.photo()
    _ = try rig.maker.thumbnail(of: item, size: .large)
    let result = FilePath(rig.folder).appending("result.png")
    let path = rig.cache.path(of: item, in: "large")
    _ = try output(Self.thumbnailer, ["-s", "64", path.uri, result.description])
    #expect(try PixelBuffer(decoding: Data(contentsOf: result.url)).letters == "rgbw")
  }
}
