import Viewfinder

/// Tells what a file holds from its headers.
enum MediaReader {
  /// What the file says of itself, by its content alone.
  ///
  /// Throws only when the file can't be read. Damage is told in the result, together with everything
  /// that could be read in spite of it; the type of what is neither picture nor video is `nil`.
  static func read(_ file: FileReader) throws(PhotoLibraryError) -> MediaInfo {
    try read(FileWindows(file))
  }

  static func read(_ windows: FileWindows) throws(PhotoLibraryError) -> MediaInfo {
    var info = read(ByteReader(windows))
    if let failure = windows.failure { throw failure }
    // A limit of ours is no damage of the file's.
    if windows.isExhausted { info.damage = nil }
    return info
  }

  private static func read(_ bytes: ByteReader) -> MediaInfo {
    if bytes.count == 0 { return MediaInfo(damage: "it is empty") }
    for reader in readers {
      if let info = reader(bytes) { return info }
    }
    return MediaInfo()
  }

  /// Each knows its formats by their first bytes, and returns `nil` for others; the surest come first.
  private static let readers: [@Sendable (ByteReader) -> MediaInfo?] = [
    JPEGReader.read, PNGReader.read, ISOMediaReader.read, TIFFReader.read, RAFReader.read,
    CRWReader.read, MRWReader.read, X3FReader.read, RIFFReader.read, GIFReader.read,
    MatroskaReader.read, JPEGXLReader.read, JPEG2000Reader.read,
    BMPReader.read, MPEGReader.read,
  ]
}

extension MediaInfo {
  /// Notes the stored size, which must be that of a picture.
  mutating func setSize(width: Int?, height: Int?) {
    guard let width, let height else {
      note("it ends before the picture's size")
      return
    }
    // The largest that any format has, and their product can't overflow.
    let sides = 1...Int(Int32.max)
    guard sides.contains(width), sides.contains(height) else {
      note("its size of \(width) by \(height) pixels is none")
      return
    }
    storedDimensions = Dimensions(width: width, height: height)
  }

  /// Tells what is wrong, where nothing worse was found before.
  mutating func note(_ problem: String) {
    if damage == nil { damage = problem }
  }

  /// Sets ``preview`` and ``thumbnail`` to the largest and the smallest of these JPEGs.
  mutating func setPreviews(_ candidates: [EmbeddedJPEG]) {
    let sorted = candidates.sorted { ($0.area, $0.range.count) < ($1.area, $1.range.count) }
    preview = sorted.last?.range
    thumbnail = sorted.count > 1 ? sorted.first?.range : nil
  }

  /// Takes over what isn't known yet from the headers of a JPEG inside.
  mutating func complete(from other: MediaInfo) {
    if let rank = other.dateRank { state(other.captureDate, rank.meaning, by: rank.source) }
    if let source = other.positionSource { state(other.position, by: source) }
    camera = camera ?? other.camera
    storedDimensions = storedDimensions ?? other.storedDimensions
    if metadata == AssetMetadata() { metadata = other.metadata }
  }
}
