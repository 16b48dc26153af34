import Viewfinder

/// Tags of Exif 2.32's own directory (CIPA DC-008).
private enum ExifTag {
  static let dateTimeOriginal = 0x9003
  static let dateTimeDigitized = 0x9004
  static let offsetTime = 0x9010
  static let offsetTimeOriginal = 0x9011
  static let offsetTimeDigitized = 0x9012
  static let subSecTime = 0x9290
  static let subSecTimeOriginal = 0x9291
  static let subSecTimeDigitized = 0x9292
}

/// Tags of Exif's GPS directory.
private enum GPSTag {
  static let latitudeRef = 1
  static let latitude = 2
  static let longitudeRef = 3
  static let longitude = 4
  static let altitudeRef = 5
  static let altitude = 6
}

extension MediaInfo {
  /// Reads an Exif block, as it is in JPEG, PNG, WebP and HEIF files.
  ///
  /// Returns whether it is one. Damage in it isn't damage of the picture: what can't be read is unknown.
  @discardableResult
  mutating func readExif(_ bytes: ByteReader) -> Bool {
    guard let block = TIFFBlock(bytes) else { return false }
    readExif(block)
    exif = bytes.range
    setPreviews(block.previews)
    return true
  }

  /// Reads orientation, camera, date and position.
  mutating func readExif(_ block: TIFFBlock) {
    if let main = block.directories.first { readExif(main) }
  }

  /// Reads them from the first directory and those that it points to.
  mutating func readExif(_ main: TIFFDirectory) {
    readMain(main)
    let exif = main.directory(TIFFTag.exifIFD)
    readDates(main: main, exif: exif)
    if let exif { MakerNote.read(exif, into: &self) }
    metadata = AssetMetadata(main: main, exif: exif)
    if let gps = main.directory(TIFFTag.gpsIFD) { readPosition(gps) }
  }

  /// Reads what stands in the first directory.
  mutating func readMain(_ main: TIFFDirectory) {
    // Values other than 1 to 8 mean nothing.
    orientation = main.integer(TIFFTag.orientation).flatMap(ImageOrientation.init) ?? .up
    setCamera(make: main.text(TIFFTag.make), model: main.text(TIFFTag.model))
  }

  /// Joins Make and Model; most makers begin the model with their name, and it isn't repeated.
  mutating func setCamera(make: String?, model: String?) {
    guard let make, let model else {
      camera = make ?? model
      return
    }
    camera = model.lowercased().hasPrefix(make.lowercased()) ? model : "\(make) \(model)"
  }

  /// Reads the dates, each with its own fraction and offset; some raw formats have them in the first directory
  /// (TIFF/EP).
  mutating func readDates(main: TIFFDirectory?, exif: TIFFDirectory?) {
    let taken = CaptureDate(
      exif: exif?.text(ExifTag.dateTimeOriginal) ?? main?.text(ExifTag.dateTimeOriginal),
      fraction: exif?.text(ExifTag.subSecTimeOriginal),
      offset: exif?.text(ExifTag.offsetTimeOriginal))
    let digitized = CaptureDate(
      exif: exif?.text(ExifTag.dateTimeDigitized) ?? main?.text(ExifTag.dateTimeDigitized),
      fraction: exif?.text(ExifTag.subSecTimeDigitized),
      offset: exif?.text(ExifTag.offsetTimeDigitized))
    let changed = CaptureDate(
      exif: main?.text(TIFFTag.dateTime), fraction: exif?.text(ExifTag.subSecTime),
      offset: exif?.text(ExifTag.offsetTime))
    state(taken, .taken, by: .exif)
    state(digitized, .digitized, by: .exif)
    state(changed, .changed, by: .exif)
  }

  /// Reads the GPS directory; a position without its hemispheres is none.
  mutating func readPosition(_ gps: TIFFDirectory) {
    func degrees(_ tag: Int, _ reference: Int, positive: String, negative: String) -> Double? {
      let parts = gps.fractions(tag)
      guard let degrees = parts.first ?? nil, degrees >= 0 else { return nil }
      // Minutes and seconds may be left out, and programs write 0/0 for none.
      let minutes = parts.dropFirst().first.flatMap { $0 } ?? 0
      let seconds = parts.dropFirst(2).first.flatMap { $0 } ?? 0
      let value = degrees + minutes / 60 + seconds / 3600
      switch gps.text(reference)?.uppercased() {
      case positive: return value
      case negative: return -value
      default: return nil
      }
    }
    guard
      let latitude = degrees(GPSTag.latitude, GPSTag.latitudeRef, positive: "N", negative: "S"),
      let longitude = degrees(GPSTag.longitude, GPSTag.longitudeRef, positive: "E", negative: "W")
    else { return }
    let altitude = gps.fractions(GPSTag.altitude).first.flatMap { $0 }
    let isBelowSea = gps.integer(GPSTag.altitudeRef) == 1
    let position = GeoPosition(
      latitude: latitude, longitude: longitude, altitude: altitude.map { isBelowSea ? -$0 : $0 })
    state(position, by: .exif)
  }
}
