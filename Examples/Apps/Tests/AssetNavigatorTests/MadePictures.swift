import BrowserSupport
import Foundation
import Testing
import Viewfinder

/// Pictures and files that the tests make up.
enum MadePictures {
  /// Three pictures, the last of them the newest.
  static func few(_ folder: URL) throws {
    for number in 0..<3 { try write(number, to: folder) }
  }

  /// What they are called.
  static func names(_ numbers: Range<Int>) -> [String] { numbers.map { "picture-\($0).jpg" } }

  /// Writes `picture-NUMBER.jpg`, a minute newer than that of the number before.
  static func write(
    _ number: Int, to folder: URL, as name: String? = nil, minute: Int? = nil
  ) throws {
    let url = folder.appending(component: name ?? "picture-\(number).jpg")
    // Whole at once, as other programs write.
    try landscape(number).jpegData().write(to: url, options: .atomic)
    let date = Date(timeIntervalSince1970: 1_700_000_000 + 60 * Double(minute ?? number))
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
  }

  /// Hills before a sky, other ones for each number.
  static func landscape(
    _ number: Int, size: Dimensions = Dimensions(width: 320, height: 240)
  ) throws -> PixelBuffer {
    let hue = Double(number) * 0.61
    func color(_ light: Double, _ shift: Double) -> [Double] {
      (0..<3).map { light * (150 + 90 * cos(6.28 * (hue + shift) + 2.1 * Double($0))) }
    }
    let (sky, far, near) = (color(1, 0), color(0.6, 0.12), color(0.35, 0.2))
    let sun: [Double] = [255, 244, 214]
    let (width, height) = (Double(size.width), Double(size.height))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.width * size.height * 3)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (across, down) = (Double(x) / width, Double(y) / height)
        let fromSun = hypot((across - 0.7) * width / height, down - 0.3)
        let pixel: [Double] =
          if down > 0.78 + 0.1 * sin(across * 5 + hue * 7) {
            near
          } else if down > 0.6 + 0.12 * sin(across * 7 + hue * 3) {
            far
          } else if fromSun < 0.11 {
            sun
          } else {
            sky.map { min($0 + 60 * down, 255) }
          }
        bytes += pixel.map { UInt8(max(min($0, 255), 0)) }
      }
    }
    return try PixelBuffer(pixelFormat: .rgb24, dimensions: size, data: Data(bytes))
  }

  /// A JPEG that names the camera which took it.
  static func written(by model: String) throws -> Data {
    let text = Array(model.utf8) + [0]
    // TIFF with one entry (0x0110, Model) in Exif's segment, which comes first.
    let entry: [UInt8] = [0x10, 1, 2, 0, UInt8(text.count), 0, 0, 0, 26, 0, 0, 0]
    let head: [UInt8] = Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 1, 0]
    let content = head + entry + [0, 0, 0, 0] + text
    let segment: [UInt8] = [0xff, 0xe1, 0, UInt8(content.count + 2)] + content
    let jpeg = try landscape(30).jpegData()
    return Data(jpeg.prefix(2)) + Data(segment) + Data(jpeg.dropFirst(2))
  }

  /// The head of a digital negative: all that the library reads of one.
  static let negative: Data = {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    // Tag, type, count, value: width, height, colour filter array, DNG 1.4.
    let entries = [
      (0xfe, 4, 1, 0), (0x100, 4, 1, 6000), (0x101, 4, 1, 4000), (0x106, 3, 1, 32803),
      (0xc612, 1, 4, 0x0401),
    ]
    var bytes: [UInt8] = Array("II*\0".utf8) + little(8, 4) + little(entries.count, 2)
    for (tag, type, count, value) in entries {
      bytes += little(tag, 2) + little(type, 2) + little(count, 4) + little(value, 4)
    }
    return Data(bytes + little(0, 4) + [UInt8](repeating: 0, count: 64))
  }()

  /// A second of colours as WebM, which the browser makes.
  static func video(with browser: Browser) async throws -> Data {
    let text = try await browser.run(
      """
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [160, 120];
      const drawing = canvas.getContext("2d");
      const recorder = new MediaRecorder(
        canvas.captureStream(25), { mimeType: "video/webm;codecs=vp8" });
      const parts = [];
      recorder.ondataavailable = (event) => parts.push(event.data);
      const end = new Promise((resolve) => { recorder.onstop = resolve; });
      recorder.start();
      for (let frame = 0; frame < 25; frame += 1) {
        drawing.fillStyle = `hsl(${frame * 14} 80% 50%)`;
        drawing.fillRect(0, 0, 160, 120);
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
      recorder.stop();
      await end;
      const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
      return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));
      """)
    return try #require(Data(base64Encoded: text.string ?? ""))
  }
}
