import Foundation
import Testing
import Viewfinder

@Suite struct ReportTests {
  @Test("Devices, formats and controls are told as JSON")
  func lists() async throws {
    let folder = try Folder()
    let devices = try await tool(["devices", "--simulate", "--json"], in: folder).json
    let device = try #require((devices["devices"] as? [[String: Any]])?.first)
    #expect(device["name"] as? String == "Simulated camera")
    #expect(device["simulated"] as? Bool == true)
    #expect((devices["unusable"] as? [Any])?.isEmpty == true)

    let formats = try await tool(["formats", "--simulate", "--json"], in: folder).json
    let list = try #require(formats["formats"] as? [[String: Any]])
    #expect(list.contains { $0["pixelFormat"] as? String == "MJPG" && $0["width"] as? Int == 1920 })
    #expect((list.first?["frameRates"] as? [[String: Double]])?.first?["maximum"] != nil)

    let controls = try await tool(
      ["controls", "--simulate", "--set", "brightness=7", "--set", "power_line_frequency=50 hz"]
        + ["--json"], in: folder
    ).json
    let rows = try #require(controls["controls"] as? [[String: Any]])
    #expect(rows.first { $0["name"] as? String == "brightness" }?["value"] as? Int == 7)
    #expect(rows.first { $0["name"] as? String == "power_line_frequency" }?["value"] as? Int == 1)
  }

  @Test(
    "Lists for people have a heading and aligned columns",
    arguments: [("devices", "NODE"), ("formats", "SIZE"), ("controls", "CONTROL")])
  func tables(command: String, heading: String) async throws {
    let run = try await tool([command, "--simulate"], in: Folder())
    let lines = String(decoding: run.output, as: UTF8.self).split(separator: "\n")
    #expect(run.status == 0)
    #expect(lines.count > 1)
    #expect(lines.first?.hasPrefix(heading) == true)
  }

  @Test("Formats that differ in layout alone share a line")
  func foldedFormats() async throws {
    let run = try await tool(["formats", "--simulate"], in: Folder())
    let lines = String(decoding: run.output, as: UTF8.self).split(separator: "\n")
    let vga = lines.filter { $0.hasPrefix("640x480 ") }
    #expect(vga.count < 4)
    #expect(vga.joined(separator: " ").contains("YUYV"))
    #expect(Set(vga).count == vga.count)
    #expect(lines.filter { $0.hasPrefix("YUYV") }.count == 1)
  }

  @Test("A size that the camera lacks is refused with what comes near and the command for all")
  func unsupportedSize() async throws {
    let run = try await tool(["photo", "--simulate", "--size", "650x490"], in: Folder())
    #expect(run.status == 69)
    #expect(run.errors.contains("640x480"))
    #expect(run.errors.contains("viewfinder formats --simulate"))
    #expect(run.errors.count < 500)
  }

  @Test("Photo and crop tell as JSON what they made")
  func photos() async throws {
    let folder = try Folder()
    let photo = try await tool(["photo"] + smallCamera + ["--json", "-o", "a.jpg"], in: folder).json
    let taken = try #require((photo["photos"] as? [[String: Any]])?.first)
    #expect(taken["path"] as? String == "a.jpg")
    #expect(taken["width"] as? Int == 640)
    #expect(taken["bytes"] as? Int == (try folder.data("a.jpg")).count)
    #expect((photo["format"] as? String)?.hasPrefix("YUYV 640x480 at 30") == true)

    let crop = try await tool(
      ["crop", "a.jpg", "--outline", "rect:0,0,0.5,0.5", "--json", "-o", "b.png"], in: folder
    ).json
    let cropped = try #require((crop["files"] as? [[String: Any]])?.first)
    #expect(cropped["input"] as? String == "a.jpg")
    #expect(cropped["width"] as? Int == 320)
    #expect(cropped["originalWidth"] as? Int == 640)
    #expect(cropped["damaged"] as? Bool == false)
  }

  @Test("The demo makes its three pictures and says how it went")
  func demo() async throws {
    let folder = try Folder()
    let run = try await tool(["demo"] + smallCamera + ["--json", "-o", "out"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.picture("out/photo.jpg").dimensions == Dimensions(width: 640, height: 480))
    let card = try folder.picture("out/card.png")
    #expect(try card.color(x: 0, y: 0)[3] == 0)
    #expect(
      try folder.picture("out/card-rectified.jpg").dimensions
        == Dimensions(width: 1011, height: 638))
    let report = run.json
    let photos = try #require(report["photos"] as? [[String: Any]])
    #expect(photos.count == 3)
    let what = photos[1]["what"] as? String
    #expect(what?.contains("willBegin → willCapture → didCapture → didFinishProcessing") == true)
    let frames = try #require(report["frames"] as? [String: Int])
    #expect(Set(frames.keys) == ["delivered", "lost", "corrupt", "starved", "late"])
    #expect(report["grantedFrameRate"] as? Double == 30)
  }

  @Test("The demo's words name the camera, the rates and the files")
  func demoText() async throws {
    let folder = try Folder()
    let run = try await tool(["demo"] + smallCamera, in: folder)
    let text = String(decoding: run.output, as: UTF8.self)
    for words in [
      "Simulated camera", "YUYV 640x480", "viewfinder-demo/photo.jpg", "ms from shutter to file",
      "30 granted", "delivered", "lost", "corrupt", "starved", "late",
    ] {
      #expect(text.contains(words), "\(words)")
    }
  }
}
