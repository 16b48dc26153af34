import Viewfinder

/// XMP in a file of its own, beside the picture or video that it speaks of.
enum XMPSidecar {
  /// A sidecar holds a program's settings, too, but no pictures, in bytes.
  static let sizeLimit = 1 << 20

  /// Whether a file's name is a sidecar's.
  static func hasName(_ name: FilePath) -> Bool { name.pathExtension == "xmp" }

  /// The names that a photo's sidecar may have in its folder, in the order in which they count.
  ///
  /// `IMG_1.CR2.xmp` (darktable, digiKam) belongs to one file; `IMG_1.xmp` (Adobe, Capture One) to all of that stem,
  /// unless it says to which (``XMP/fileExtension``). Adobe writes the ending in small letters, cameras' cards have
  /// capitals.
  static func names(for photo: FilePath) -> [FilePath] {
    let (name, stem) = (photo.name.bytes, photo.stem.bytes)
    let endings = [".xmp", ".XMP"].map { Array($0.utf8) }
    let names = name == stem ? [name] : [name, stem]
    return names.flatMap { name in endings.map { FilePath(bytes: name + $0) } }
  }

  /// Reads a sidecar; `nil` where it states nothing that the library asks for.
  ///
  /// Throws when the file can't be read.
  static func read(_ file: FileReader) throws(PhotoLibraryError) -> XMP? {
    XMP(try file.read(at: 0, count: min(file.size, sizeLimit)))
  }

  /// Whether a sidecar with the photo's stem alone speaks of this photo.
  static func applies(_ xmp: XMP, to photo: FilePath) -> Bool {
    xmp.fileExtension.map { $0 == photo.pathExtension } ?? true
  }
}

extension MediaInfo {
  /// Takes over what a sidecar states.
  ///
  /// Programs that edit don't write into raw pictures and videos, so a sidecar of theirs has a person's last word on
  /// date and place, and on a raw picture's orientation. Into other pictures programs do write, and many that do know
  /// no sidecars: there it only fills what the file doesn't say.
  ///
  /// Add it to what ``MediaReader`` read, once.
  mutating func add(sidecar: XMP) {
    let hasLastWord = type?.kind == .rawImage || type?.kind == .video
    if let date = sidecar.taken ?? sidecar.digitized,
      hasLastWord || captureDate == nil || dateRank?.meaning == .changed
    {
      state(sidecar: date, sidecar.taken == nil ? .digitized : .taken)
    }
    if let position = sidecar.position, position.isOnEarth, hasLastWord || self.position == nil {
      self.position = position
      positionSource = .sidecar
    }
    if type?.kind == .rawImage, let orientation = sidecar.orientation {
      self.orientation = orientation
    }
    if camera == nil { setCamera(make: sidecar.make, model: sidecar.model) }
  }

  /// A copy of the file's own date says nothing new, and often less: programs drop fractions and zones.
  private mutating func state(sidecar date: CaptureDate, _ meaning: CaptureDate.Meaning) {
    guard captureDate?.localSeconds != date.localSeconds, captureDate?.refines(date) != true else {
      return
    }
    // A program that knows only when the file was made knows no better than the camera.
    if meaning == .digitized, dateRank?.meaning == .taken { return }
    captureDate = date
    captureDateSource = .sidecar
    dateRank = CaptureDate.Rank(meaning: meaning, source: .sidecar)
  }
}
