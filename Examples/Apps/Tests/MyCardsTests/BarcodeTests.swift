import CardModel
import Foundation
import Testing
import Viewfinder

@testable import CardBarcodes

@Suite("Bar codes") struct BarcodeTests {
  @Test(
    "What is drawn is read",
    arguments: [
      (BarcodeType.ean13, "4006381333931"), (.ean8, "96385074"), (.code128, "Card 12-3"),
      (.code39, "CARD-12"), (.qrCode, "https://x.example/?a=1&b=<2>"), (.itf, "00123456789050"),
    ])
  func drawnAndRead(type: BarcodeType, text: String) throws {
    let photo = try BarcodeSample.photo(of: text, type)
    let found = try BarcodeReader().barcodes(in: photo)
    #expect(found.contains(.init(type: type, text: text)), "\(found)")
  }

  @Test(
    "Every kind is drawn as SVG that loads nothing and runs nothing",
    arguments: BarcodeType.allCases)
  func svg(type: BarcodeType) throws {
    let texts: [BarcodeType: String] = [
      .ean13: "4006381333931", .ean8: "96385074", .upcA: "036000291452", .upcE: "01234565",
      .itf: "1234567890", .codabar: "A40156B",
    ]
    let drawing = try BarcodeDrawing(of: texts[type] ?? "CARD12", type: type)
    let words = String(decoding: drawing.svg, as: UTF8.self)
    #expect(words.contains("viewBox=\"0 0 \(drawing.width) \(drawing.height)\""))
    #expect(words.contains("<svg"))
    #expect(!words.contains("<script") && !words.contains("<image"))
  }

  @Test(
    "A text that such a bar code can't have is refused in words",
    arguments: [
      (BarcodeType.ean13, "40063X"), (.ean13, "4006381333932"), (.ean8, "96385075"),
      (.ean8, "963850741"), (.upcA, "1"), (.code128, ""),
    ])
  func unfit(type: BarcodeType, text: String) {
    #expect {
      _ = try BarcodeDrawing(of: text, type: type)
    } throws: { error in
      guard case BarcodeError.unfit(type.rawValue, _) = error else { return false }
      return "\(error)".contains("choose another kind")
    }
  }

  @Test("A photo without a bar code has none, and what is no photo is told")
  func nothing() throws {
    let grey = try PixelBuffer(
      pixelFormat: .grey, dimensions: Dimensions(width: 64, height: 64),
      data: Data(repeating: 128, count: 64 * 64)
    ).jpegData()
    let found = try BarcodeReader().barcodes(in: grey)
    #expect(found.isEmpty)
    #expect(throws: CaptureError.self) {
      try BarcodeReader().barcodes(in: Data("<svg onload='x'/>".utf8))
    }
  }

  @Test(
    "A drawing is as many modules wide as the standard says, with the quiet zone in it",
    arguments: [
      (BarcodeType.ean13, "4006381333931", 95 + 22), (.ean8, "96385074", 67 + 14),
      (.upcA, "036000291452", 95 + 18), (.upcE, "01234565", 51 + 18), (.qrCode, "a", 21 + 8),
    ])
  func modules(type: BarcodeType, text: String, width: Int) throws {
    let drawing = try BarcodeDrawing(of: text, type: type)
    #expect(drawing.width == width)
    #expect(!type.isMatrix || drawing.height == width)
    let isFull = drawing.rows.allSatisfy { $0.modules.count == width - 2 * type.quietZone }
    #expect(isFull && drawing.rows[0].modules.first == true)
  }
}

/// Photos with bar codes in them.
enum BarcodeSample {
  /// A bar code on white, black on white, as a grey picture.
  static func picture(of text: String, _ type: BarcodeType) throws -> PixelBuffer {
    let drawing = try BarcodeDrawing(of: text, type: type)
    let scale = 4
    let size = Dimensions(width: drawing.width * scale, height: drawing.height * scale)
    var pixels = Data(repeating: 255, count: size.area)
    var y = type.isMatrix ? type.quietZone : 0
    for row in drawing.rows {
      for down in y * scale..<(y + row.height) * scale {
        for (x, isDark) in row.modules.enumerated() where isDark {
          let start = down * size.width + (type.quietZone + x) * scale
          pixels.replaceSubrange(start..<start + scale, with: repeatElement(0, count: scale))
        }
      }
      y += row.height
    }
    return try PixelBuffer(pixelFormat: .grey, dimensions: size, data: pixels)
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
