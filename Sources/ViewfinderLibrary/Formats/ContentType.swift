/// What a file holds, by its content and never by its name.
public struct ContentType: Hashable, Sendable {
  /// What kind of thing it is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A picture.
    case image
    /// A camera's raw picture.
    case rawImage
    /// A video.
    case video
  }

  /// The media type, such as "image/jpeg".
  public let mimeType: String
  /// The kind of thing.
  public let kind: Kind
  /// The usual ending of file names, in lower case and without a dot, such as "jpg".
  public let pathExtension: String
}

extension ContentType {
  // Pictures.

  /// JPEG.
  public static let jpeg = ContentType(
    mimeType: "image/jpeg", kind: .image, pathExtension: "jpg")
  /// PNG.
  public static let png = ContentType(
    mimeType: "image/png", kind: .image, pathExtension: "png")
  /// GIF.
  public static let gif = ContentType(
    mimeType: "image/gif", kind: .image, pathExtension: "gif")
  /// A Windows bitmap.
  public static let bmp = ContentType(
    mimeType: "image/bmp", kind: .image, pathExtension: "bmp")
  /// WebP.
  public static let webP = ContentType(
    mimeType: "image/webp", kind: .image, pathExtension: "webp")
  /// TIFF, also BigTIFF.
  public static let tiff = ContentType(
    mimeType: "image/tiff", kind: .image, pathExtension: "tif")
  /// HEIF with HEVC pictures, as phones take them.
  public static let heic = ContentType(
    mimeType: "image/heic", kind: .image, pathExtension: "heic")
  /// HEIF with other pictures.
  public static let heif = ContentType(
    mimeType: "image/heif", kind: .image, pathExtension: "heif")
  /// AVIF.
  public static let avif = ContentType(
    mimeType: "image/avif", kind: .image, pathExtension: "avif")
  /// JPEG XL.
  public static let jpegXL = ContentType(
    mimeType: "image/jxl", kind: .image, pathExtension: "jxl")
  /// JPEG 2000.
  public static let jpeg2000 = ContentType(
    mimeType: "image/jp2", kind: .image, pathExtension: "jp2")

  // Raw pictures, with the media types of the freedesktop shared MIME database.

  /// Adobe's digital negative, which many phones write.
  public static let dng = ContentType(
    mimeType: "image/x-adobe-dng", kind: .rawImage, pathExtension: "dng")
  /// A Nikon raw picture.
  public static let nef = ContentType(
    mimeType: "image/x-nikon-nef", kind: .rawImage, pathExtension: "nef")
  /// A Sony raw picture.
  public static let arw = ContentType(
    mimeType: "image/x-sony-arw", kind: .rawImage, pathExtension: "arw")
  /// A Canon raw picture, based on TIFF.
  public static let cr2 = ContentType(
    mimeType: "image/x-canon-cr2", kind: .rawImage, pathExtension: "cr2")
  /// A Canon raw picture from before there was CR2 (CIFF).
  public static let crw = ContentType(
    mimeType: "image/x-canon-crw", kind: .rawImage, pathExtension: "crw")
  /// A Canon raw picture, based on ISO media boxes.
  public static let cr3 = ContentType(
    mimeType: "image/x-canon-cr3", kind: .rawImage, pathExtension: "cr3")
  /// A Pentax raw picture.
  public static let pef = ContentType(
    mimeType: "image/x-pentax-pef", kind: .rawImage, pathExtension: "pef")
  /// A Samsung raw picture.
  public static let srw = ContentType(
    mimeType: "image/x-samsung-srw", kind: .rawImage, pathExtension: "srw")
  /// An Olympus or OM System raw picture.
  public static let orf = ContentType(
    mimeType: "image/x-olympus-orf", kind: .rawImage, pathExtension: "orf")
  /// A Panasonic raw picture.
  public static let rw2 = ContentType(
    mimeType: "image/x-panasonic-rw2", kind: .rawImage, pathExtension: "rw2")
  /// A Fujifilm raw picture.
  public static let raf = ContentType(
    mimeType: "image/x-fuji-raf", kind: .rawImage, pathExtension: "raf")
  /// A Hasselblad raw picture.
  public static let hasselblad3FR = ContentType(
    mimeType: "image/x-hasselblad-3fr", kind: .rawImage, pathExtension: "3fr")
  /// A Minolta or Konica Minolta raw picture.
  public static let mrw = ContentType(
    mimeType: "image/x-minolta-mrw", kind: .rawImage, pathExtension: "mrw")
  /// A Sigma raw picture.
  public static let x3f = ContentType(
    mimeType: "image/x-sigma-x3f", kind: .rawImage, pathExtension: "x3f")
  /// A Phase One raw picture.
  public static let iiq = ContentType(
    mimeType: "image/x-phaseone-iiq", kind: .rawImage, pathExtension: "iiq")
  /// A raw picture of another maker, based on TIFF.
  public static let otherRaw = ContentType(
    mimeType: "image/x-dcraw", kind: .rawImage, pathExtension: "raw")

  // Videos.

  /// MPEG-4.
  public static let mpeg4 = ContentType(
    mimeType: "video/mp4", kind: .video, pathExtension: "mp4")
  /// Apple's variant of MPEG-4.
  public static let m4v = ContentType(
    mimeType: "video/x-m4v", kind: .video, pathExtension: "m4v")
  /// QuickTime.
  public static let quickTime = ContentType(
    mimeType: "video/quicktime", kind: .video, pathExtension: "mov")
  /// 3GPP and 3GPP2, of older phones.
  public static let threeGP = ContentType(
    mimeType: "video/3gpp", kind: .video, pathExtension: "3gp")
  /// Matroska.
  public static let matroska = ContentType(
    mimeType: "video/x-matroska", kind: .video, pathExtension: "mkv")
  /// WebM.
  public static let webM = ContentType(
    mimeType: "video/webm", kind: .video, pathExtension: "webm")
  /// AVI.
  public static let avi = ContentType(
    mimeType: "video/x-msvideo", kind: .video, pathExtension: "avi")
  /// An MPEG transport stream, as AVCHD cameras write it.
  public static let mpegTransportStream = ContentType(
    mimeType: "video/mp2t", kind: .video, pathExtension: "mts")
  /// An MPEG program stream.
  public static let mpegProgramStream = ContentType(
    mimeType: "video/mpeg", kind: .video, pathExtension: "mpg")
}
