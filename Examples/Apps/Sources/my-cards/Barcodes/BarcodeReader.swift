import CZBar
import CardModel
import Foundation
import Viewfinder

/// Reads bar codes from photos, with libzbar.
public struct BarcodeReader: Sendable {
  /// A bar code that was found.
  public struct Barcode: Hashable, Sendable {
    /// Its kind.
    public var type: BarcodeType
    /// What it says.
    public var text: String

    /// Creates a bar code.
    public init(type: BarcodeType, text: String) { (self.type, self.text) = (type, text) }
  }

  /// More pixels cost time and tell no more.
  private static let box = Dimensions(width: 2048, height: 2048)

  /// Creates a reader.
  public init() {}

  /// Reads the bar codes of a photo, the surest first; none where there is none.
  ///
  /// - Parameter photo: A JPEG or PNG file.
  /// - Returns: The bar codes.
  /// - Throws: `CaptureError` for what is no picture.
  public func barcodes(in photo: Data) throws -> [Barcode] {
    let grey = try PixelBuffer(decoding: photo, fitting: Self.box).converted(to: .grey)
    let (size, bytes, stride) = (grey.dimensions, grey.bytes(), grey.bytesPerRow())
    // ZBar's rows have no padding.
    var pixels: [UInt8] = []
    pixels.reserveCapacity(size.area)
    for row in 0..<size.height {
      for column in 0..<size.width { pixels.append(bytes[row * stride + column]) }
    }
    return pixels.withUnsafeBufferPointer { Self.scan($0, size) }
  }

  /// Rows of grey, a byte a pixel, by ZBar's name: Y800.
  private static let layout: UInt = 0x3030_3859

  private static func scan(
    _ pixels: UnsafeBufferPointer<UInt8>, _ size: Dimensions
  ) -> [Barcode] {
    guard let scanner = zbar_image_scanner_create(), let image = zbar_image_create() else {
      return []
    }
    defer {
      zbar_image_destroy(image)
      zbar_image_scanner_destroy(scanner)
    }
    zbar_image_set_format(image, layout)
    zbar_image_set_size(image, UInt32(size.width), UInt32(size.height))
    // Lent: what frees it is left out.
    zbar_image_set_data(image, pixels.baseAddress, UInt(pixels.count), nil)
    guard zbar_scan_image(scanner, image) > 0 else { return [] }
    var found: [(barcode: Barcode, quality: Int32)] = []
    var next = zbar_image_first_symbol(image)
    while let symbol = next {
      next = zbar_symbol_next(symbol)
      let length = Int(zbar_symbol_get_data_length(symbol))
      let bytes = UnsafeRawBufferPointer(start: zbar_symbol_get_data(symbol), count: length)
      // What isn't text can't be typed at a till.
      guard let type = BarcodeType(zbar_symbol_get_type(symbol)),
        let text = String(validating: bytes, as: UTF8.self), !text.isEmpty
      else { continue }
      found.append((Barcode(type: type, text: text), zbar_symbol_get_quality(symbol)))
    }
    return found.sorted { $0.quality > $1.quality }.map(\.barcode)
  }
}
