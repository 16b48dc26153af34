import Foundation
import Testing
import Viewfinder

@Suite struct CropCommandTests {
  struct Expectation: Decodable, CustomTestStringConvertible, Sendable {
    var file: String
    var what: String
    var expect: String
    var upright_width: Int?
    var upright_height: Int?
    var upright_luma_8x8: [[Double]]?
    var components: Int?

    var testDescription: String { "\(file): \(what)" }
  }

  private struct Manifest: Decodable {
    var images: [Expectation]
  }

  static let expectations: [Expectation] = {
    guard let url = testData?.appending("jpeg/manifest.json"),
      let data = try? Data(contentsOf: url)
    else { return [] }
    return (try? JSONDecoder().decode(Manifest.self, from: data).images) ?? []
  }()

  @Test("An outline that sticks out of the picture is clipped to it, with a word and in the JSON")
  func clipping() async throws {
    struct Report: Decodable {
      struct File: Decodable {
        var width: Int
        var clipped: Bool
      }
      var files: [File]?
      var photos: [File]?
    }
    let folder = try Folder()
    for (outline, width, isClipped) in [
      ("rect:600,0,80,80", 40, true), ("rect:600,0,40,80", 40, false),
    ] {
      let photo = try await tool(
        ["photo"] + smallCamera + ["--outline", outline, "--json", "-o", "cut.png"], in: folder)
      #expect(photo.status == 0, "\(photo.errors)")
      #expect(photo.errors.contains("sticks out of the picture (640x480 pixels)") == isClipped)
      let taken = try JSONDecoder().decode(Report.self, from: photo.output).photos?.first
      #expect(taken?.width == width && taken?.clipped == isClipped)
      _ = try await tool(["photo"] + smallCamera + ["-o", "a.jpg"], in: folder)
      let crop = try await tool(
        ["crop", "a.jpg", "--outline", outline, "--json", "-o", "b.jpg"], in: folder)
      #expect(crop.errors.contains("sticks out of a.jpg (640x480 pixels)") == isClipped)
      let cropped = try JSONDecoder().decode(Report.self, from: crop.output).files?.first
      #expect(cropped?.width == width && cropped?.clipped == isClipped)
    }
  }

  @Test("--lossless cuts at MCUs or, asked for, at restart intervals, and says where")
  func lossless() async throws {
    struct Report: Decodable {
      struct File: Decodable {
        struct Lossless: Decodable, Equatable {
          var alignment: String
          var x: Int
          var y: Int
        }
        var width: Int
        var height: Int
        var lossless: Lossless?
      }
      var files: [File]
    }
    let folder = try Folder()
    _ = try await tool(["photo"] + smallCamera + ["-o", "a.jpg"], in: folder)
    for (option, alignment) in [
      ("--lossless", "mcu"), ("--lossless=mcu", "mcu"), ("--lossless=grid", "grid"),
    ] {
      let run = try await tool(
        ["crop", option, "a.jpg", "--outline", "rect:101,83,200,100", "--json", "-o", "b.jpg"],
        in: folder)
      #expect(run.status == 0, "\(run.errors)")
      let file = try #require(
        JSONDecoder().decode(Report.self, from: run.output).files.first)
      let lossless = try #require(file.lossless)
      #expect(lossless.alignment == alignment && lossless.x <= 101 && lossless.y <= 83)
      #expect(lossless.x + file.width >= 301 && lossless.y + file.height >= 183)
      #expect(try folder.picture("b.jpg").dimensions.width == file.width)
    }
    let words = try await tool(
      ["crop", "a.jpg", "--lossless", "--outline", "rect:101,83,200,100", "-o", "b.jpg"], in: folder
    )
    #expect(String(decoding: words.output, as: UTF8.self).contains("aligned to MCUs"))
    for wrong in [
      ["--lossless=pixel"], ["--lossless", "--quality", "50"], ["--lossless", "--type", "png"],
    ] {
      let run = try await tool(["crop", "a.jpg", "-o", "c"] + wrong, in: folder)
      #expect(run.status == 64)
    }
    #expect(folder.names == ["a.jpg", "b.jpg"])
  }

  @Test("Corners are pulled straight as fast or as well as is asked for")
  func prioritization() async throws {
    let folder = try Folder()
    _ = try await tool(["photo"] + smallCamera + ["-o", "a.png"], in: folder)
    var rows: [[[Int]]] = []
    for options in [["speed"], ["balanced"], ["Quality"], []] {
      let crop = try await tool(
        ["crop", "a.png", "--outline", "quad:100,100,400,110,410,350,90,340", "-o", "b.png"]
          + ["--rectify", "250x160"] + options.flatMap { ["--prioritize", $0] }, in: folder)
      #expect(crop.status == 0, "\(crop.errors)")
      let picture = try folder.picture("b.png")
      #expect(picture.dimensions == Dimensions(width: 250, height: 160))
      rows.append(try (0..<250).map { try picture.color(x: $0, y: 80) })
    }
    let (isOther, isDefault) = (rows[0] != rows[1], rows[1] == rows[3])
    #expect(isOther && isDefault)
  }

  @Test(
    "Every sample file is cropped, or refused with 65 and no file",
    .enabled(if: testData != nil, "needs sample files (VIEWFINDER_TEST_DATA)"),
    arguments: expectations)
  func sample(sample: Expectation) async throws {
    let folder = try Folder()
    let input = try #require(testData).appending("jpeg/\(sample.file)").path
    let run = try await tool(["crop", input, "-o", "a.png"], in: folder)
    if sample.expect == "decode" { #expect(run.status == 0, "\(run.errors)") }
    if sample.expect == "clean error" { #expect(run.status == 65) }
    #expect([0, 65].contains(run.status))
    guard run.status == 0 else {
      #expect(folder.names == [])
      #expect(run.errors.hasPrefix("viewfinder: \(input) is "))
      return
    }
    let picture = try folder.picture("a.png")
    #expect(picture.dimensions.width == sample.upright_width)
    #expect(picture.dimensions.height == sample.upright_height)
    guard sample.expect == "decode", sample.components != 4,
      let grid = sample.upright_luma_8x8
    else { return }
    let size = picture.dimensions
    guard size.width >= 64, size.height >= 64 else { return }
    for (row, column) in [(0, 0), (0, 7), (7, 0), (7, 7), (3, 4)] {
      let luma = try picture.meanLuma(
        x: column * size.width / 8..<(column + 1) * size.width / 8,
        y: row * size.height / 8..<(row + 1) * size.height / 8)
      #expect(abs(luma - grid[row][column]) <= 10, "row \(row), column \(column)")
    }
  }

  @Test("Several files go into a folder, which is made")
  func severalFiles() async throws {
    let folder = try Folder()
    for name in ["a.jpg", "b.png"] {
      try await tool(["photo"] + smallCamera + ["-o", name], in: folder)
    }
    let run = try await tool(
      ["crop", "a.jpg", "b.png", "missing.jpg", "--outline", "rect:0,0,64,48", "-o", "x/y/"],
      in: folder)
    #expect(run.status == 66)
    #expect(run.errors.contains("missing.jpg"))
    #expect(try folder.picture("x/y/a.jpg").dimensions == Dimensions(width: 64, height: 48))
    #expect(try folder.picture("x/y/b.jpg").dimensions == Dimensions(width: 64, height: 48))
  }

  @Test("A file that was cut short is cropped with a warning")
  func damage() async throws {
    let folder = try Folder()
    try await tool(["photo"] + smallCamera + ["-o", "a.jpg"], in: folder)
    let data = try folder.data("a.jpg")
    try data.prefix(data.count * 2 / 3).write(to: folder.url.appending("cut.jpg"))
    let run = try await tool(["crop", "cut.jpg", "-o", "b.jpg", "--json"], in: folder)
    #expect(run.status == 0)
    #expect(run.errors.contains("damaged or cut short"))
    let files = run.json["files"] as? [[String: Any]]
    #expect(files?.first?["damaged"] as? Bool == true)
    #expect(try folder.picture("b.jpg").dimensions == Dimensions(width: 640, height: 480))
  }

  @Test("The orientation can be given in place of the file's own")
  func orientation() async throws {
    let folder = try Folder()
    try await tool(["photo"] + smallCamera + ["-o", "a.jpg"], in: folder)
    try await tool(["crop", "a.jpg", "--orientation", "left", "-o", "b.jpg"], in: folder)
    #expect(try folder.picture("b.jpg").dimensions == Dimensions(width: 480, height: 640))
  }
}

extension PixelBuffer {
  /// The mean luma of a part of the picture.
  func meanLuma(x: Range<Int>, y: Range<Int>) throws -> Double {
    let picture = try converted(to: .rgba32)
    let stride = picture.bytesPerRow()
    let bytes = picture.bytes()
    var sum = 0
    for row in y {
      for column in x {
        let offset = row * stride + 4 * column
        let (red, green, blue) = (bytes[offset], bytes[offset + 1], bytes[offset + 2])
        sum += 299 * Int(red) + 587 * Int(green) + 114 * Int(blue)
      }
    }
    return Double(sum) / 1000 / Double(x.count * y.count)
  }
}
