// Which of a file's statements counts. Files are full of them, and programs that edit change one and leave another.

extension CaptureDate {
  /// What a date is the date of.
  ///
  /// The three are those of the Metadata Working Group's guidelines (version 2.0, “Date/Time”).
  enum Meaning: Int, Comparable {
    /// The picture was taken: Exif's DateTimeOriginal, XMP's `exif:DateTimeOriginal` and `photoshop:DateCreated`,
    /// IPTC's 2:55, what cameras write into videos.
    case taken
    /// It became a file: Exif's DateTimeDigitized, XMP's `xmp:CreateDate`, IPTC's 2:62, the header of a video. The same
    /// for a camera, but not for a scanner.
    case digitized
    /// It was last changed: Exif's DateTime, which is all that some old cameras write.
    case changed

    static func < (a: Meaning, b: Meaning) -> Bool { a.rawValue < b.rawValue }
  }

  /// How much a statement counts: the lowest rank wins.
  ///
  /// What the date means comes first, so that a scan of an old print has the day that a person gave it in XMP, and not
  /// Exif's day of the scan. Among equals it is Exif, XMP, IPTC as in the guidelines, then the container.
  struct Rank: Hashable, Comparable {
    var meaning: Meaning
    var source: Source

    static func < (a: Rank, b: Rank) -> Bool {
      (a.meaning, a.source.order) < (b.meaning, b.source.order)
    }
  }
}

extension CaptureDate.Source {
  /// Among statements with the same meaning, the one with the lowest number counts.
  fileprivate var order: Int {
    switch self {
    case .exif: 0
    case .xmp: 1
    case .iptc: 2
    case .container: 3
    case .sidecar: 4
    case .fileName: 5
    }
  }
}

extension MediaInfo {
  /// Notes a date, unless a better one is known; the first of equals stays.
  ///
  /// A day alone, which stands for its beginning, gets its time from a statement about the same day that counts less.
  mutating func state(
    _ date: CaptureDate?, _ meaning: CaptureDate.Meaning, by source: CaptureDate.Source
  ) {
    guard let date else { return }
    let rank = CaptureDate.Rank(meaning: meaning, source: source)
    let isBetter = dateRank.map { rank < $0 } ?? (captureDate == nil)
    let (better, worse) = isBetter ? (date, captureDate) : (captureDate, date)
    if isBetter { dateRank = rank }
    let isRefined = better.map { worse?.refines($0) == true } ?? false
    if isBetter != isRefined {
      captureDate = date
      captureDateSource = source
    }
  }

  /// Notes a position on Earth, unless a better one is known: Exif's counts before XMP's, and that before the
  /// container's.
  mutating func state(_ position: GeoPosition?, by source: CaptureDate.Source) {
    guard let position, position.isOnEarth,
      positionSource.map({ source.order < $0.order }) ?? (self.position == nil)
    else { return }
    self.position = position
    positionSource = source
  }
}

extension CaptureDate {
  private static let day: Int64 = 86_400

  /// Whether this is a time on the day that the other one is the beginning of.
  func refines(_ other: CaptureDate) -> Bool {
    other.localSeconds % Self.day == 0 && other.nanoseconds == nil && other.offset == nil
      && (1..<Self.day).contains(localSeconds - other.localSeconds)
  }
}
