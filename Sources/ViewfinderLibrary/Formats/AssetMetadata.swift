/// What a camera or a person wrote into a picture's Exif data (EXIF 2.32, CIPA DC-008).
///
/// What the file doesn't say is `nil`. Dates, position and orientation are properties of the asset itself.
public struct AssetMetadata: Hashable, Sendable {
  /// What the picture shows (ImageDescription, 0x010E).
  public var imageDescription: String?
  /// The camera's maker (Make, 0x010F).
  public var make: String?
  /// The camera (Model, 0x0110).
  public var model: String?
  /// The program that wrote the file (Software, 0x0131).
  public var software: String?
  /// Who took it (Artist, 0x013B).
  public var artist: String?
  /// Who holds the rights (Copyright, 0x8298).
  public var copyright: String?
  /// The exposure time, in seconds (ExposureTime, 0x829A).
  public var exposureTime: Double?
  /// The aperture's f-number (FNumber, 0x829D).
  public var fNumber: Double?
  /// The sensitivity (PhotographicSensitivity, 0x8827).
  public var iso: Int?
  /// Whether the flash fired (the first bit of Flash, 0x9209).
  public var isFlashFired: Bool?
  /// The focal length, in millimetres (FocalLength, 0x920A).
  public var focalLength: Double?
  /// The focal length of a lens with the same view on 35 mm film, in millimetres (0xA405).
  public var focalLengthIn35mmFilm: Int?
  /// The lens (LensModel, 0xA434).
  public var lens: String?

  init() {}

  /// Reads the first directory of an Exif block, and Exif's own.
  init(main: TIFFDirectory, exif: TIFFDirectory?) {
    imageDescription = main.text(0x010e)
    make = main.text(TIFFTag.make)
    model = main.text(TIFFTag.model)
    software = main.text(0x0131)
    artist = main.text(0x013b)
    copyright = main.text(0x8298)
    guard let exif else { return }
    exposureTime = exif.fractions(0x829a).first.flatMap { $0 }
    fNumber = exif.fractions(0x829d).first.flatMap { $0 }
    iso = exif.integer(0x8827)
    isFlashFired = exif.integer(0x9209).map { $0 & 1 == 1 }
    focalLength = exif.fractions(0x920a).first.flatMap { $0 }
    focalLengthIn35mmFilm = exif.integer(0xa405).flatMap { $0 > 0 ? $0 : nil }
    lens = exif.text(0xa434)
  }
}
