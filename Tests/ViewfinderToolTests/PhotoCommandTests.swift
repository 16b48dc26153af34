import Foundation
import Testing
import Viewfinder

@Suite struct PhotoCommandTests {
  static let outlines: [(String, String)] = [
    ("rect:0.25,0.25,0.5,0.5", "320x240"),
    ("rect:10,20,100,50", "100x50"),
    ("rect:600,400,100,100", "40x80"),
    ("rounded:0.25,0.25,0.5,0.5,0.05", "320x240"),
    ("ellipse:100,100,200,100", "200x100"),
    ("polygon:100,100,200,100,150,200", "100x100"),
    ("quad:100,100,300,110,310,250,90,240", "220x150"),
    ("card:100,100,200", "200x126"),
    ("card", "512x322"),
  ]

  @Test("A photo is cropped to each kind of outline", arguments: outlines)
  func outline(outline: String, size: String) async throws {
    let folder = try Folder()
    let run = try await tool(
      ["photo"] + smallCamera + ["--outline", outline, "-o", "a.jpg"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.picture("a.jpg").dimensions.description == size)
    #expect(String(decoding: run.output, as: UTF8.self).hasPrefix("a.jpg  \(size)"))
    #expect(folder.names == ["a.jpg"])
  }

  @Test("The picture around an outline is transparent in a PNG")
  func transparency() async throws {
    let folder = try Folder()
    try await tool(
      ["photo"] + smallCamera + ["--outline", "rounded:100,100,200,100,30", "-o", "a.png"],
      in: folder)
    let picture = try folder.picture("a.png")
    #expect(picture.dimensions == Dimensions(width: 200, height: 100))
    #expect(try picture.color(x: 0, y: 0)[3] == 0)
    #expect(try picture.color(x: 199, y: 99)[3] == 0)
    #expect(try picture.color(x: 100, y: 50)[3] == 255)
  }

  @Test("The picture around an outline has the colour asked for")
  func background() async throws {
    let folder = try Folder()
    try await tool(
      ["photo"] + smallCamera
        + ["--outline", "ellipse:0,0,200,200", "--background", "FF0000", "-o", "a.jpg"],
      in: folder)
    let color = try folder.picture("a.jpg").color(x: 2, y: 2)
    #expect(color[0] > 240 && color[1] < 16 && color[2] < 16, "\(color)")
  }

  @Test("An outline's corners are pulled straight to the size asked for")
  func rectification() async throws {
    let folder = try Folder()
    try await tool(
      ["photo"] + smallCamera
        + ["--outline", "quad:100,100,300,110,310,250,90,240", "--rectify", "250x160"]
        + ["-o", "a.jpg"], in: folder)
    #expect(try folder.picture("a.jpg").dimensions == Dimensions(width: 250, height: 160))
  }

  @Test(
    "Outlines lie in the upright picture",
    arguments: [("up", 640, 480), ("right", 480, 640), ("8", 480, 640), ("downMirrored", 640, 480)])
  func orientation(orientation: String, width: Int, height: Int) async throws {
    let folder = try Folder()
    try await tool(
      ["photo"] + smallCamera
        + ["--orientation", orientation, "--outline", "rect:0,0,\(width),\(height)"]
        + ["-o", "a.jpg"], in: folder)
    #expect(try folder.picture("a.jpg").dimensions == Dimensions(width: width, height: height))
  }

  @Test("A replayed photo's Exif orientation is followed, in photo and in crop")
  func replayedOrientation() async throws {
    let folder = try Folder()
    try await tool(
      ["photo", "--simulate=bars", "--size", "640x480", "--orientation", "right"]
        + ["-o", "turned.jpg"], in: folder)
    // The bars run down the stored picture, so they lie on top of each other in the upright one.
    let upright = try folder.picture("turned.jpg")
    #expect(upright.dimensions == Dimensions(width: 480, height: 640))
    let outline = ["--outline", "rect:0,320,480,100"]
    try await tool(["photo", "--replay", "turned.jpg"] + outline + ["-o", "a.jpg"], in: folder)
    try await tool(["crop", "turned.jpg"] + outline + ["-o", "b.jpg"], in: folder)
    for name in ["a.jpg", "b.jpg"] {
      let picture = try folder.picture(name)
      #expect(picture.dimensions == Dimensions(width: 480, height: 100))
      let (cropped, whole) = try (picture.color(x: 240, y: 8), upright.color(x: 240, y: 328))
      for (a, b) in zip(cropped, whole) { #expect(abs(a - b) <= 8, "\(cropped) \(whole)") }
    }
  }

  @Test("A series gets numbered names")
  func series() async throws {
    let folder = try Folder()
    let run = try await tool(
      ["photo"] + smallCamera + ["--count", "3", "--interval", "0.05", "-o", "photo.jpg"],
      in: folder)
    #expect(run.status == 0)
    #expect(folder.names == ["photo-0001.jpg", "photo-0002.jpg", "photo-0003.jpg"])
    for name in folder.names { #expect(try folder.picture(name).dimensions.width == 640) }
  }

  @Test("A series ends when its time is over, or its bytes are used up")
  func limits() async throws {
    let folder = try Folder()
    let series = ["photo"] + smallCamera + ["--interval", "0.2", "--json", "-o", "a.jpg"]
    let timed = try await tool(series + ["--max-time", "0.6"], in: folder)
    #expect(timed.status == 0)
    let photos = try #require(timed.json["photos"] as? [[String: Any]])
    #expect(photos.count + (timed.json["missed"] as? Int ?? -1) == 3)
    let size = try #require(photos.first?["bytes"] as? Int)
    let bounded = try await tool(series + ["--max-bytes", "\(size * 5 / 2)"], in: folder)
    #expect(bounded.status == 0)
    #expect((bounded.json["photos"] as? [Any])?.count == 2)
  }

  @Test("Without a name, the file is named after the time")
  func suggestedName() async throws {
    let folder = try Folder()
    let run = try await tool(["photo"] + smallCamera + ["--type", "png"], in: folder)
    #expect(run.status == 0)
    #expect(folder.names.count == 1)
    #expect(folder.names.first?.wholeMatch(of: /IMG_\d{8}_\d{6}_\d{3}\.png/) != nil)
  }

  @Test("A file is replaced, unless that is refused")
  func replacement() async throws {
    let folder = try Folder()
    let old = Data("old".utf8)
    try old.write(to: folder.url.appending("a.jpg"))
    let refused = try await tool(
      ["photo"] + smallCamera + ["--no-clobber", "-o", "a.jpg"], in: folder)
    #expect(refused.status == 74)
    #expect(try folder.data("a.jpg") == old)
    let run = try await tool(["photo"] + smallCamera + ["-o", "a.jpg"], in: folder)
    #expect(run.status == 0)
    #expect(try folder.picture("a.jpg").dimensions.width == 640)
    #expect(folder.names == ["a.jpg"])
  }

  @Test("A photo goes to standard output, alone")
  func standardOutput() async throws {
    let folder = try Folder()
    let run = try await tool(["photo"] + smallCamera + ["-o", "-"], in: folder)
    #expect(run.status == 0)
    #expect(try PixelBuffer(decoding: run.output).dimensions.width == 640)
    #expect(run.output.suffix(2) == Data([0xff, 0xd9]))
    let full = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full"))
    let lost = try await tool(["photo"] + smallCamera + ["-o", "-"], in: folder, output: full)
    #expect(lost.status == 74)
    #expect(folder.names == [])
  }

  @Test("A signal ends a series after the last whole photo", arguments: [SIGINT, SIGTERM])
  func signal(number: Int32) async throws {
    let folder = try Folder()
    var isSent = false
    let run = try await tool(
      ["photo"] + smallCamera + ["--interval", "0.1", "--json", "-o", "a.jpg"],
      in: folder
    ) { process in
      guard !isSent, folder.names.contains("a-0002.jpg") else { return }
      // A second signal would end the process at once.
      isSent = true
      kill(process.processIdentifier, number)
    }
    #expect(run.status == 128 + number)
    #expect(folder.names.count >= 2)
    for name in folder.names { #expect(try folder.picture(name).dimensions.width == 640) }
    let photos = run.json["photos"] as? [[String: Any]]
    #expect(photos?.count == folder.names.count)
  }

  @Test("The simulated camera shows the scene that is named, wherever its option stands")
  func scenes() async throws {
    let folder = try Folder()
    let scene = ["--simulate=grey"]
    let others = ["--size", "320x240", "--format", "YUYV"]
    try await tool(["photo"] + scene + others + ["-o", "first.jpg"], in: folder)
    try await tool(["photo"] + others + ["-o", "last.jpg"] + scene, in: folder)
    for name in ["first.jpg", "last.jpg"] {
      let color = try folder.picture(name).color(x: 160, y: 120)
      #expect(color.prefix(3).allSatisfy { abs(Int($0) - 128) < 16 }, "\(name): \(color)")
    }
  }

  @Test("Controls are set before the photo")
  func controls() async throws {
    let folder = try Folder()
    for (brightness, name) in [("-60", "dark.jpg"), ("60", "light.jpg")] {
      try await tool(
        ["photo", "--simulate=grey", "--size", "320x240", "--set", "brightness=\(brightness)"]
          + ["-o", name], in: folder)
    }
    let dark = try folder.picture("dark.jpg").color(x: 160, y: 120)[0]
    let light = try folder.picture("light.jpg").color(x: 160, y: 120)[0]
    #expect(dark + 40 < light)
  }
}
