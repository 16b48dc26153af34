import CardBarcodes
import CardModel
import Foundation
import Testing
import Viewfinder

@Suite(
  "Bar codes",
  .disabled(if: BarcodeSample.absence != nil, Comment(rawValue: BarcodeSample.absence ?? "")))
struct BarcodeTests {
  @Test(
    "What is drawn is read",
    arguments: [
      (BarcodeType.ean13, "4006381333931"), (.ean8, "96385074"), (.code128, "Card 12-3"),
      (.code39, "CARD-12"), (.qrCode, "https://x.example/?a=1&b=<2>"), (.itf, "00123456789050"),
    ])
  func drawnAndRead(type: BarcodeType, text: String) async throws {
    let photo = try BarcodeSample.photo(of: text, type)
    let found = try await BarcodeReader().barcodes(in: photo)
    #expect(found.contains(.init(type: type, text: text)), "\(found)")
  }

  @Test(
    "Every kind is drawn as SVG that loads nothing and runs nothing",
    arguments: BarcodeType.allCases)
  func svg(type: BarcodeType) async throws {
    let texts: [BarcodeType: String] = [
      .ean13: "4006381333931", .ean8: "96385074", .upcA: "036000291452", .upcE: "01234565",
      .itf: "1234567890", .codabar: "A40156B",
    ]
    let svg = try await BarcodeDrawing().svg(of: texts[type] ?? "CARD12", type: type)
    let words = String(decoding: svg, as: UTF8.self)
    #expect(words.contains("<svg"))
    #expect(!words.contains("<script") && !words.contains("<image"))
  }

  @Test(
    "A text that such a bar code can't have is refused in words",
    arguments: [
      (BarcodeType.ean13, "40063X"), (.ean13, "4006381333932"), (.ean8, "96385075"),
      (.ean8, "963850741"), (.upcA, "1"), (.code128, ""),
    ])
  func unfit(type: BarcodeType, text: String) async {
    await #expect {
      _ = try await BarcodeDrawing().svg(of: text, type: type)
    } throws: { error in
      guard case BarcodeError.unfit(type.rawValue, _) = error else { return false }
      return "\(error)".contains("choose another kind")
    }
  }

  @Test("A photo without a bar code has none, and what is no photo is told")
  func nothing() async throws {
    let grey = try PixelBuffer(
      pixelFormat: .grey, dimensions: Dimensions(width: 64, height: 64),
      data: Data(repeating: 128, count: 64 * 64)
    ).jpegData()
    let found = try await BarcodeReader().barcodes(in: grey)
    #expect(found.isEmpty)
    await #expect {
      _ = try await BarcodeReader().barcodes(in: Data("<svg onload='x'/>".utf8))
    } throws: { error in
      if case BarcodeError.failed("zbarimg", _) = error { true } else { false }
    }
  }
}

/// Photos with bar codes in them.
enum BarcodeSample {
  /// Why there are none; `nil` when there are.
  static let absence: String? = {
    do {
      _ = try (BarcodeReader(), BarcodeDrawing())
      return nil
    } catch {
      return "\(error)"
    }
  }()

  /// A bar code on white, black on white, as a grey picture.
  static func picture(of text: String, _ type: BarcodeType) throws -> PixelBuffer {
    let numbers: [BarcodeType: String] = [
      .ean13: "13", .ean8: "13", .code128: "20", .code39: "8", .qrCode: "58", .itf: "3",
    ]
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "zint", "--input=-", "--barcode=\(numbers[type] ?? "20")", "--filetype=PNG", "--direct",
      "--scale=2", "--quietzones",
    ]
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    // Zint makes the last digit of an EAN-8 itself.
    let data = Data((type == .ean8 ? String(text.dropLast()) : text).utf8)
    try input.fileHandleForWriting.write(contentsOf: data)
    try input.fileHandleForWriting.close()
    let png = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return try PixelBuffer(decoding: png).converted(to: .grey)
  }

  /// A photo of a white card in the middle of the picture with a bar code in its middle.
  static func photo(
    of text: String, _ type: BarcodeType,
    size: Dimensions = Dimensions(width: 1280, height: 720)
  ) throws -> Data {
    let code = try picture(of: text, type)
    var pixels = [UInt8](repeating: 90, count: size.width * size.height)
    let card = try Outline.card().boundingBox(in: size)
    for y in Int(card.minY) + 4..<Int(card.maxY) - 4 {
      for x in Int(card.minX) + 4..<Int(card.maxX) - 4 { pixels[y * size.width + x] = 235 }
    }
    let (left, top) = (
      (size.width - code.dimensions.width) / 2, (size.height - code.dimensions.height) / 2
    )
    let stride = code.bytesPerRow()
    let bytes = code.bytes()
    for y in 0..<code.dimensions.height {
      for x in 0..<code.dimensions.width {
        pixels[(top + y) * size.width + left + x] = bytes[y * stride + x]
      }
    }
    return try PixelBuffer(pixelFormat: .grey, dimensions: size, data: Data(pixels)).jpegData()
  }
}
