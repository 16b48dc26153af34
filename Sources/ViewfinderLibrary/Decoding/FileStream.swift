import Viewfinder

/// A file's bytes one after the other, of which a part is in memory.
struct FileStream {
  private static let partSize = 1 << 16

  let file: FileReader
  private var part: [UInt8] = []
  private var place = 0
  /// Where the part ends in the file.
  private var end: Int

  init(_ file: FileReader, at offset: Int = 0) {
    self.file = file
    end = offset
  }

  /// Where the next byte is.
  var offset: Int { end - (part.count - place) }

  /// The next byte; what ends too early is damaged.
  mutating func next() throws(CaptureError) -> UInt8 {
    if place == part.count {
      do throws(PhotoLibraryError) {
        part = try file.read(at: end, count: Self.partSize)
      } catch {
        throw CaptureError(error)
      }
      guard !part.isEmpty else {
        throw .badImageData(what: "the picture", reason: "it ends too early")
      }
      end += part.count
      place = 0
    }
    defer { place += 1 }
    return part[place]
  }

  /// The next bytes, as many as that.
  mutating func next(_ count: Int) throws(CaptureError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for _ in 0..<count { bytes.append(try next()) }
    return bytes
  }

  /// The next two bytes as a number, the lower one first.
  mutating func nextNumber() throws(CaptureError) -> Int {
    let low = try next()
    return Int(low) | Int(try next()) << 8
  }

  mutating func skip(_ count: Int) throws(CaptureError) {
    for _ in 0..<count { _ = try next() }
  }
}

extension CaptureError {
  /// What reading a file found, as decoders say it.
  init(_ error: PhotoLibraryError) {
    switch error {
    case .cannotRead(let path, let code): self = .cannotRead(path: path, code: code)
    default: self = .badImageData(what: "the picture", reason: error.description)
    }
  }
}
