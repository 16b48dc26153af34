import Foundation

#if Barcodes
  import CLibZBar

  /// Reads bar codes, with libzbar.
  ///
  /// Used by one thread at a time.
  @safe final class CodeReader: @unchecked Sendable {
    private let scanner: OpaquePointer
    private let image: OpaquePointer

    /// The kinds of codes that are read, and what libzbar calls them.
    static let types: [MetadataObjectType: zbar_symbol_type_t] = [
      .ean13: ZBAR_EAN13, .ean8: ZBAR_EAN8, .upce: ZBAR_UPCE, .code39: ZBAR_CODE39,
      .code93: ZBAR_CODE93, .code128: ZBAR_CODE128, .interleaved2of5: ZBAR_I25,
      .codabar: ZBAR_CODABAR, .gs1DataBar: ZBAR_DATABAR, .gs1DataBarExpanded: ZBAR_DATABAR_EXP,
      .qr: ZBAR_QRCODE,
    ]

    /// More pixels than this cost time and tell no more.
    private static let workingSize = Dimensions(width: 1280, height: 1280)
    /// Rows of grey, a byte a pixel.
    private static let y800: UInt = 0x3030_3859

    init() {
      unsafe scanner = unsafe zbar_image_scanner_create()
      unsafe image = unsafe zbar_image_create()
    }

    deinit {
      unsafe zbar_image_destroy(image)
      unsafe zbar_image_scanner_destroy(scanner)
    }

    /// The codes of some kinds in a frame, as they lie in the upright picture.
    func codes(
      in frame: VideoFrame, _ wanted: [MetadataObjectType], orientation: ImageOrientation
    ) throws(CaptureError) -> [MetadataMachineReadableCodeObject] {
      unsafe zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
      for symbol in wanted.compactMap({ Self.types[$0] }) {
        unsafe zbar_image_scanner_set_config(scanner, symbol, ZBAR_CFG_ENABLE, 1)
      }
      let source = try PhotoSource(frame, orientation: orientation)
      let size = source.dimensions.fitted(into: Self.workingSize)
      let small = try source.decoded(fitting: Self.workingSize).luminance(size)
      return unsafe small.pixels.withUnsafeBufferPointer { pixels in
        unsafe zbar_image_set_format(image, Self.y800)
        unsafe zbar_image_set_size(image, UInt32(size.width), UInt32(size.height))
        unsafe zbar_image_set_data(image, pixels.baseAddress, UInt(pixels.count), nil)
        // Lent for this call alone.
        defer { unsafe zbar_image_set_data(image, nil, 0, nil) }
        guard unsafe zbar_scan_image(scanner, image) > 0 else { return [] }
        var found: [MetadataMachineReadableCodeObject] = []
        var symbol = unsafe zbar_image_first_symbol(image)
        while let code = unsafe symbol {
          if let object = unsafe Self.object(code, size, frame.timestamp) {
            found.append(object.upright(source.orientation))
          }
          unsafe symbol = unsafe zbar_symbol_next(code)
        }
        return found
      }
    }

    private static func object(_ symbol: OpaquePointer, _ size: Dimensions, _ time: Duration)
      -> MetadataMachineReadableCodeObject?
    {
      let kind = unsafe zbar_symbol_get_type(symbol)
      guard let type = types.first(where: { $0.value == kind })?.key else { return nil }
      let points = (0..<(unsafe zbar_symbol_get_loc_size(symbol))).map { index in
        CGPoint(
          x: (Double(unsafe zbar_symbol_get_loc_x(symbol, index)) + 0.5) / Double(size.width),
          y: (Double(unsafe zbar_symbol_get_loc_y(symbol, index)) + 0.5) / Double(size.height))
      }
      let length = Int(unsafe zbar_symbol_get_data_length(symbol))
      let bytes = unsafe UnsafeRawBufferPointer(start: zbar_symbol_get_data(symbol), count: length)
      return MetadataMachineReadableCodeObject(
        type: type, time: time, corners: corners(around: points),
        stringValue: String(validating: unsafe Array(bytes), as: UTF8.self))
    }

    /// A QR code's four corners, or those of the rectangle around where scan lines met a linear code.
    private static func corners(around points: [CGPoint]) -> [CGPoint] {
      guard points.count != 4 else {
        // libzbar goes the other way round.
        return [points[0], points[3], points[2], points[1]]
      }
      let (x, y) = (points.map(\.x), points.map(\.y))
      guard let left = x.min(), let right = x.max(), let top = y.min(), let bottom = y.max() else {
        return []
      }
      return Quadrilateral(CGRect(x: left, y: top, width: right - left, height: bottom - top))
        .corners
    }
  }
#else
  /// Reads no bar codes: the trait `Barcodes` is off.
  final class CodeReader: Sendable {
    static let types: [MetadataObjectType: Int] = [:]

    func codes(
      in frame: VideoFrame, _ wanted: [MetadataObjectType], orientation: ImageOrientation
    ) throws(CaptureError) -> [MetadataMachineReadableCodeObject] { [] }
  }
#endif
