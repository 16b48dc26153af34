import CLibTIFF
import Foundation
import Viewfinder

/// A TIFF file open in libtiff, which reads it through `FileReader`.
@safe final class TIFFFile {
  /// What libtiff's calls get.
  private final class Source {
    let file: FileReader
    var offset = 0

    init(_ file: FileReader) { self.file = file }
  }

  let handle: OpaquePointer
  private let source: Unmanaged<Source>
  private let words: UnsafeMutablePointer<vf_tiff_words>

  init(_ file: FileReader, allocationLimit: Int) throws(CaptureError) {
    unsafe source = .passRetained(Source(file))
    unsafe words = .allocate(capacity: 1)
    unsafe words.initialize(to: vf_tiff_words())
    let opened = unsafe vf_tiff_open(
      source.toOpaque(),
      { client, bytes, count in
        guard let client = unsafe client, let bytes = unsafe bytes, count >= 0 else { return -1 }
        let source = unsafe Unmanaged<Source>.fromOpaque(client).takeUnretainedValue()
        guard let read = try? source.file.read(at: source.offset, count: Int(count)) else {
          return -1
        }
        unsafe UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)).copyBytes(from: read)
        source.offset += read.count
        return tmsize_t(read.count)
      },
      { client, offset, origin in
        guard let client = unsafe client else { return .max }
        let source = unsafe Unmanaged<Source>.fromOpaque(client).takeUnretainedValue()
        let start = origin == SEEK_CUR ? source.offset : origin == SEEK_END ? source.file.size : 0
        let (place, overflows) = start.addingReportingOverflow(Int(truncatingIfNeeded: offset))
        guard !overflows, place >= 0 else { return .max }
        source.offset = place
        return UInt64(place)
      },
      { client in
        guard let client = unsafe client else { return 0 }
        return UInt64(unsafe Unmanaged<Source>.fromOpaque(client).takeUnretainedValue().file.size)
      }, tmsize_t(allocationLimit), words)
    guard let opened = unsafe opened else {
      let text = unsafe Self.text(words)
      unsafe words.deallocate()
      unsafe source.release()
      throw .badImageData(what: "the picture", reason: text ?? "libtiff can't open it")
    }
    unsafe handle = opened
  }

  deinit {
    unsafe TIFFClose(handle)
    unsafe words.deallocate()
    unsafe source.release()
  }

  private static func text(_ words: UnsafeMutablePointer<vf_tiff_words>) -> String? {
    let text = unsafe withUnsafeBytes(of: &words.pointee) { bytes in
      // Most words begin with the name of the file, which has none here.
      unsafe String(
        decoding: bytes.prefix { $0 != 0 }.drop { ": ".utf8.contains($0) }, as: UTF8.self)
    }
    return text.isEmpty ? nil : "libtiff says: \(text)"
  }

  /// The error for what libtiff said, or for `reason` when it said nothing.
  func damage(_ reason: String) -> CaptureError {
    .badImageData(what: "the picture", reason: unsafe Self.text(words) ?? reason)
  }

  /// The first of the file's pages that is no smaller copy of another, as `TIFFReader` takes it.
  func selectFirstPage() {
    for _ in 0..<32 {
      guard number(TIFFTAG_SUBFILETYPE) & UInt32(FILETYPE_REDUCEDIMAGE) != 0 else { return }
      guard unsafe TIFFReadDirectory(handle) != 0 else { break }
    }
    unsafe TIFFSetDirectory(handle, 0)
  }

  func number(_ tag: Int32, missing: UInt32 = 0) -> UInt32 {
    unsafe vf_tiff_long(handle, UInt32(tag), missing)
  }

  func shortNumber(_ tag: Int32, missing: UInt16 = 0) -> UInt16 {
    unsafe vf_tiff_short(handle, UInt32(tag), missing)
  }

  var dimensions: Dimensions {
    Dimensions(width: Int(number(TIFFTAG_IMAGEWIDTH)), height: Int(number(TIFFTAG_IMAGELENGTH)))
  }

  var isTiled: Bool { unsafe TIFFIsTiled(handle) != 0 }

  /// How many rows libtiff decodes at once.
  var bandHeight: Int {
    let rows = isTiled ? number(TIFFTAG_TILELENGTH) : number(TIFFTAG_ROWSPERSTRIP, missing: .max)
    return max(Int(rows), 1)
  }

  /// What libtiff needs for them, in bytes.
  var bandSize: Int {
    let size = unsafe isTiled ? TIFFTileSize64(handle) : TIFFStripSize64(handle)
    let planes = shortNumber(TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE ? samples : 1
    let (bytes, overflows) = size.multipliedReportingOverflow(by: UInt64(planes))
    return overflows ? .max : Int(clamping: bytes)
  }

  private var samples: Int { Int(shortNumber(TIFFTAG_SAMPLESPERPIXEL, missing: 1)) }
}

// Rows.
extension TIFFFile {
  /// How the samples of a row become grey, RGB or RGBA.
  struct RowLayout {
    /// In the file.
    var samples: Int
    var bytesPerSample: Int
    /// In the result: 1, 3 or 4.
    var channels: Int
    var isInverted: Bool
    var isPremultiplied: Bool

    var format: PixelFormat { channels == 1 ? .grey : channels == 3 ? .rgb24 : .rgba32 }

    /// Takes the samples, of 16 bits the upper 8.
    func convert(_ line: [UInt8], to row: inout [UInt8]) {
      let upper = bytesPerSample == 2 && 1.littleEndian == 1 ? 1 : 0
      let pixels = row.count / channels
      let step = samples * bytesPerSample
      for x in 0..<pixels {
        for channel in 0..<channels {
          let value = line[x * step + channel * bytesPerSample + upper]
          row[x * channels + channel] = isInverted ? 255 - value : value
        }
        if isPremultiplied { divideByAlpha(&row, at: x * channels) }
      }
    }
  }

  /// For the kinds that libtiff gives row by row, whatever its strips are; `nil` for others.
  var rowLayout: RowLayout? {
    let bits = shortNumber(TIFFTAG_BITSPERSAMPLE, missing: 1)
    let photometric = Int32(shortNumber(TIFFTAG_PHOTOMETRIC, missing: .max))
    guard !isTiled, [8, 16].contains(bits),
      shortNumber(TIFFTAG_PLANARCONFIG, missing: 1) == PLANARCONFIG_CONTIG,
      shortNumber(TIFFTAG_SAMPLEFORMAT, missing: 1) == SAMPLEFORMAT_UINT
    else { return nil }
    var layout = RowLayout(
      samples: samples, bytesPerSample: Int(bits) / 8, channels: 1, isInverted: false,
      isPremultiplied: false)
    switch photometric {
    case PHOTOMETRIC_MINISBLACK where samples == 1: break
    case PHOTOMETRIC_MINISWHITE where samples == 1: layout.isInverted = true
    case PHOTOMETRIC_RGB where samples >= 3:
      let extra = unsafe Int32(vf_tiff_extra_sample(handle))
      let hasAlpha =
        samples > 3 && [EXTRASAMPLE_ASSOCALPHA, EXTRASAMPLE_UNASSALPHA].contains(extra)
      layout.channels = hasAlpha ? 4 : 3
      layout.isPremultiplied = hasAlpha && extra == EXTRASAMPLE_ASSOCALPHA
    default: return nil
    }
    return layout
  }

  /// The bytes of a row.
  var rowSize: Int { unsafe Int(clamping: TIFFScanlineSize64(handle)) }

  func read(_ line: inout [UInt8], row: Int) throws(CaptureError) {
    let code = unsafe line.withUnsafeMutableBytes { line in
      unsafe TIFFReadScanline(handle, line.baseAddress, UInt32(row), 0)
    }
    guard code == 1 else { throw damage("a row can't be read") }
  }
}
