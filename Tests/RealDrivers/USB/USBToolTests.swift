import Foundation
import Testing
import Viewfinder

extension UVCVideoTests {
  @Suite("The tool") struct ToolTests {
    private let pictures: CameraPictures

    init() throws { pictures = try CameraPictures.shared.get() }

    @Test("devices and formats tell what the camera is and what it can do")
    func devices() async throws {
      let camera = try USBCamera()
      let device = try await camera.device()
      let list = try Tool("devices", "--json")
      #expect(await list.status() == 0)
      let devices = list.json["devices"] as? [[String: Any]] ?? []
      #expect(devices.count == 1)
      #expect(devices.first?["path"] as? String == device.path)
      #expect(devices.first?["id"] as? String == device.uniqueID)
      #expect((devices.first?["name"] as? String)?.contains("Sim UVC Camera") == true)
      #expect(devices.first?["simulated"] as? Bool == false)

      let formats = try Tool("formats", "--json", "--device", device.path)
      #expect(await formats.status() == 0)
      let modes = (formats.json["formats"] as? [[String: Any]] ?? []).map { format in
        ["pixelFormat", "width", "height"].map { "\(format[$0] ?? "")" }.joined(separator: " ")
      }
      #expect(
        Set(modes) == ["MJPG 640 480", "MJPG 1280 720", "MJPG 1920 1080", "YUYV 320 240"])
    }

    @Test("photo writes the camera's JPEG behind its Exif data", arguments: CameraPictures.sizes)
    func photo(size: Dimensions) async throws {
      let camera = try USBCamera()
      let device = try await camera.device()
      let tool = try Tool(
        "photo", "--device", device.path, "--size", "\(size.width)x\(size.height)", "-o",
        "photo.jpg")
      #expect(await tool.status() == 0, "\(tool.errors)")
      let file = tool.file("photo.jpg"), picture = try pictures.picture(size)
      #expect(file.suffix(picture.count) == picture)
      #expect(file.dropFirst(6).prefix(4) == Data("Exif".utf8))
    }

    @Test(
      "stream writes the camera's frames byte for byte",
      arguments: [CameraPictures.sizes[0], CameraPictures.sizes[2]])
    func stream(size: Dimensions) async throws {
      let camera = try USBCamera()
      let device = try await camera.device()
      let tool = try Tool(
        "stream", "--device", device.path, "--type", "mjpeg", "--count", "60", "--size",
        "\(size.width)x\(size.height)")
      #expect(await tool.status() == 0, "\(tool.errors)")
      let numbers = pictures.numbers(in: tool.output, size)
      #expect(numbers.count == 60 && !numbers.contains(nil))
      // What is missing is told.
      if tool.errors.isEmpty {
        for (a, b) in zip(numbers, numbers.dropFirst()) {
          #expect(b == a.map { ($0 + 1) % CameraPictures.count })
        }
      }
      print("\(size): \(numbers.count) frames by the tool; \(tool.errors)")
    }

    @Test("stream goes on when the camera is plugged in again, and fails when it isn't")
    func unplug() async throws {
      let camera = try USBCamera(), size = CameraPictures.sizes[0]
      let device = try await camera.device()
      let tool = try Tool(
        "stream", "--device", device.path, "--size", "640x480", "--wait", "20")
      #expect(await eventually(seconds: 30) { tool.output.count > 100_000 }, "\(tool.errors)")
      camera.unplug()
      #expect(await eventually(seconds: 30) { !tool.errors.isEmpty })
      let before = tool.output.count
      try camera.plugIn()
      #expect(await eventually(seconds: 30) { tool.output.count > before + 100_000 })
      await tool.interrupt()
      #expect(!pictures.numbers(in: tool.output, size).contains(nil))

      // It may have another node now.
      let path = try await camera.device().path
      let other = try Tool("stream", "--device", path, "--size", "640x480", "--wait", "0.5")
      #expect(await eventually(seconds: 30) { other.output.count > 100_000 }, "\(other.errors)")
      camera.unplug()
      #expect(await other.status() == 69, "EX_UNAVAILABLE; \(other.errors)")
      #expect(!pictures.numbers(in: other.output, size).contains(nil))
    }
  }
}
