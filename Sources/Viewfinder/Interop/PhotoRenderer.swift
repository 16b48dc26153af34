import CViewfinder
import Foundation

/// A picture to make a photo from: a file's bytes or a camera's frame, decoded as late and as
/// little as possible.
struct PhotoSource {
  private enum Pixels {
    case jpeg(Data)
    case png(Data)
    case jpegFrame(FrameLease, vf_jpeg_info)
    case picture(Picture)
  }

  /// What the picture is called in messages.
  let name: String
  /// As stored, in pixels.
  let dimensions: Dimensions
  /// How the stored picture is turned upright.
  let orientation: ImageOrientation
  /// TIFF data that the file came with.
  let tiff: Data?
  /// Whether the picture comes from a camera, whose bytes may become a file as they are.
  let isFrame: Bool
  private let pixels: Pixels

  /// A camera's own JPEG, and what its markers say.
  var jpegFrame: (lease: FrameLease, info: vf_jpeg_info)? {
    if case .jpegFrame(let lease, let info) = pixels { (lease, info) } else { nil }
  }

  /// Whether the decoder can scale the picture down.
  var canScale: Bool {
    switch pixels {
    case .jpeg, .jpegFrame: true
    case .png, .picture: false
    }
  }

  var uprightDimensions: Dimensions {
    orientation.swapsDimensions ? dimensions.swapped : dimensions
  }

  /// A JPEG or PNG file, told apart by content.
  init(data: Data, name: String, orientation: ImageOrientation? = nil) throws(CaptureError) {
    self.name = name
    isFrame = false
    let decoded = try PhotoSource.read(data, name)
    (dimensions, pixels, tiff) = (decoded.dimensions, decoded.pixels, decoded.tiff)
    self.orientation = orientation ?? decoded.orientation
  }

  /// A picture that is decoded and upright, with the Exif data (TIFF) of its file.
  init(_ picture: Picture, name: String, tiff: Data?) {
    self.name = name
    self.tiff = tiff
    dimensions = picture.dimensions
    orientation = .up
    isFrame = false
    pixels = .picture(picture)
  }

  private static func read(_ data: Data, _ name: String) throws(CaptureError) -> (
    dimensions: Dimensions, pixels: Pixels, tiff: Data?, orientation: ImageOrientation
  ) {
    try unsafe data.withBytes { bytes throws(CaptureError) in
      if unsafe PNGCodec.matches(bytes) {
        let info = try unsafe PNGCodec.inspect(bytes, name)
        let tiff = unsafe info.tiff(in: bytes)
        return (
          info.dimensions, .png(data), tiff,
          unsafe tiff?.withUnsafeBytes { unsafe ImageOrientation(tiff: $0) } ?? .up
        )
      }
      let info = try unsafe JPEGCodec.inspect(bytes, name)
      let tiff = unsafe info.tiff(in: bytes).map { unsafe Data($0) }
      return unsafe (info.dimensions, .jpeg(data), tiff, info.orientation(in: bytes))
    }
  }

  /// A camera's frame.
  init(_ frame: VideoFrame, orientation: ImageOrientation) throws(CaptureError) {
    name = "the frame"
    dimensions = frame.format.dimensions
    tiff = nil
    isFrame = true
    switch frame.storage {
    case .lease(let lease) where frame.format.pixelFormat.isJPEG:
      let info =
        if let known = lease.info { known } else {
          try unsafe JPEGCodec.inspect(lease.bytes, name)
        }
      // A replayed file may be turned by its own Exif data.
      self.orientation = unsafe info.orientation(in: lease.bytes).followed(by: orientation)
      pixels = .jpegFrame(lease, info)
    default:
      pixels = .picture(try frame.picture())
      self.orientation = orientation
    }
  }

  /// Lends the JPEG bytes to `body`, or `nil` when there are only pixels.
  func withJPEG<R>(_ body: (UnsafeRawBufferPointer?) throws(CaptureError) -> R)
    throws(CaptureError) -> R
  {
    switch pixels {
    case .jpeg(let data):
      try unsafe data.withBytes { bytes throws(CaptureError) in try unsafe body(bytes) }
    case .jpegFrame(let lease, _): try unsafe body(lease.bytes)
    case .png, .picture: try body(nil)
    }
  }

  /// The stored pixels of a region, or all of them.
  ///
  /// Only a JPEG can be scaled; the region is in pixels at that scale.
  func decoded(_ region: vf_rectangle? = nil, scale: UInt8 = 8, keepsSubsampling: Bool = false)
    throws(CaptureError) -> (picture: Picture, hadDamage: Bool)
  {
    switch pixels {
    case .picture(let picture): return (try region.map(picture.cropped(to:)) ?? picture, false)
    case .png(let data):
      let picture = try unsafe data.withBytes { bytes throws(CaptureError) in
        try unsafe PNGCodec.decode(bytes, name, region: region)
      }
      return (picture, false)
    case .jpeg, .jpegFrame:
      return try unsafe withJPEG { bytes throws(CaptureError) in
        let result = try unsafe JPEGCodec.decode(
          bytes!, name, region: region, scale: scale, keepsSubsampling: keepsSubsampling,
          cores: cores(forScale: scale))
        return (result.picture, result.warnings > 0)
      }
    }
  }

  /// One for frames, which keep the cores busy as they are, and for small pictures, many of which are
  /// made at a time.
  private func cores(forScale scale: UInt8) -> Int {
    isFrame || scale < 4 ? 1 : JPEGEncoder.Options.coresOfPhoto
  }

  /// The stored pixels at a size no larger than the picture's own; a decoder that can scales down.
  func decoded(to size: Dimensions) throws(CaptureError) -> (picture: Picture, hadDamage: Bool) {
    if case .png(let data) = pixels {
      let picture = try unsafe data.withBytes { bytes throws(CaptureError) in
        try unsafe PNGCodec.decode(bytes, name, size: size)
      }
      return (picture, false)
    }
    let (decoded, hadDamage) = try decoded(scale: dimensions.eighths(for: size))
    return (try decoded.resized(to: size), hadDamage)
  }

  /// The stored pixels, of a file no more than about a box needs: what a decoder scales down by itself may be larger.
  func decoded(fitting box: Dimensions) throws(CaptureError) -> Picture {
    let size = dimensions.fitted(into: box)
    switch pixels {
    case .picture(let picture): return picture
    case .png: return try decoded(to: size).picture
    case .jpeg, .jpegFrame: return try decoded(scale: dimensions.eighths(for: size)).picture
    }
  }

  /// The upright pixels of a region of the upright picture, or all of them.
  func upright(_ region: vf_rectangle? = nil)
    throws(CaptureError) -> (picture: Picture, hadDamage: Bool)
  {
    let stored = region?.stored(in: dimensions, orientation: orientation)
    let (picture, hadDamage) = try decoded(stored)
    guard orientation != .up else { return (picture, hadDamage) }
    return (try picture.oriented(orientation), hadDamage)
  }
}

extension Data {
  /// Lends the bytes to `body`, with its typed error.
  package func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws(CaptureError) -> R)
    throws(CaptureError) -> R
  {
    let result = unsafe withUnsafeBytes { bytes in
      Result { () throws(CaptureError) in try unsafe body(bytes) }
    }
    return try result.get()
  }
}

/// Makes photo files from sources: crops, pulls straight, encodes, and writes the metadata.
struct PhotoRenderer {
  let encoder: JPEGEncoder
  /// What was found at the same place a moment ago.
  var expected: DetectedOutline?

  /// A finished file.
  struct Rendered {
    var content: PhotoContent
    /// As stored in the file.
    var dimensions: Dimensions
    /// What the file's Exif data say.
    var metadata: PhotoMetadata
    var hadDamage = false
    /// The crop with the outline that was found, if it was to be.
    var crop = PhotoCrop()
    /// What was found.
    var detected: DetectedOutline?
  }

  /// Makes the file that `crop` describes.
  ///
  /// Without an outline, the whole picture is stored as the camera gave it and the Exif orientation
  /// says how to turn it; a camera's JPEG is kept byte for byte. With one, the result is upright.
  func render(
    _ source: PhotoSource, crop: PhotoCrop, as encoding: PhotoEncoding, metadata: PhotoMetadata
  ) throws(CaptureError) -> Rendered {
    let (crop, detected) = try crop.found(in: source, expecting: expected)
    var rendered = try renderKnown(source, crop: crop, as: encoding, metadata: metadata)
    (rendered.crop, rendered.detected) = (crop, detected)
    return rendered
  }

  private func renderKnown(
    _ source: PhotoSource, crop: PhotoCrop, as encoding: PhotoEncoding, metadata: PhotoMetadata
  ) throws(CaptureError) -> Rendered {
    var metadata = metadata
    guard !crop.isWhole else {
      return try renderWhole(source, as: encoding, metadata: metadata)
    }
    let background = crop.backgroundColor ?? (encoding.fileType == .jpeg ? .white : nil)
    let size = source.uprightDimensions
    let outline = crop.outline ?? .rectangle(CGRect(x: 0, y: 0, width: 1, height: 1))
    let (picture, hadDamage) =
      if let target = crop.rectifiedSize {
        try rectified(
          source, outline, in: size, to: target, cornerRadius: crop.cornerRadius, background,
          prioritizing: encoding.qualityPrioritization)
      } else {
        try cropped(source, outline, in: size, background)
      }
    if metadata.dotsPerInch == nil {
      metadata.dotsPerInch = cardResolution(outline, picture.dimensions, crop: crop)
    }
    let data = try encode(
      picture, orientation: .up, as: encoding, metadata: metadata, keeping: source.tiff)
    return Rendered(
      content: PhotoContent(data), dimensions: picture.dimensions, metadata: metadata,
      hadDamage: hadDamage)
  }

  private func cropped(
    _ source: PhotoSource, _ outline: Outline, in size: Dimensions, _ background: PhotoColor?
  ) throws(CaptureError) -> (Picture, Bool) {
    let pixels = PixelOutline(outline, in: size)
    let bounds = try pixels.bounds(in: size)
    let (part, hadDamage) = try source.upright(bounds)
    // Nobody else has it: a large picture isn't there twice.
    let picture = try (consume part).cropped(
      to: pixels, origin: bounds, of: size, background: background)
    return (picture, hadDamage)
  }

  private func rectified(
    _ source: PhotoSource, _ outline: Outline, in size: Dimensions, to target: Dimensions,
    cornerRadius: Double?, _ background: PhotoColor?,
    prioritizing priority: CapturePhotoOutput.QualityPrioritization
  ) throws(CaptureError) -> (Picture, Bool) {
    guard let corners = outline.quadrilateral(for: size)?.corners else {
      throw .invalidSettings(
        reason: "Only outlines with four corners can be rectified; a polygon needs exactly four.")
    }
    let points = corners.map {
      vf_point(x: $0.x * Double(size.width), y: $0.y * Double(size.height))
    }
    let bounds = try PixelOutline(outline, in: size).bounds(in: size)
    let region = bounds.widened(by: Self.filterMargin, in: size)
    let (straight, hadDamage) = try source.rectified(
      points, in: region, to: target, prioritizing: priority)
    guard let cornerRadius, cornerRadius > 0 else { return (straight, hadDamage) }
    let whole = CGRect(x: 0, y: 0, width: 1, height: 1)
    let pixels = PixelOutline(.roundedRectangle(whole, cornerRadius: cornerRadius), in: target)
    let picture = try (consume straight).cropped(
      to: pixels, origin: pixels.bounds(in: target), of: target, background: background)
    return (picture, hadDamage)
  }

  /// Pixels around the corners that the filter may look at.
  private static let filterMargin: UInt32 = 8

  /// Makes the part of a JPEG that shows a crop's outline, without decoding the JPEG.
  func renderLosslessly(
    _ source: PhotoSource, crop: PhotoCrop, alignment: LosslessCrop.Alignment, embedsThumbnail: Bool
  ) throws(CaptureError) -> LosslessCrop {
    guard crop.rectifiedSize == nil else {
      throw .invalidSettings(
        reason:
          "A picture that is pulled straight is a new one: a lossless crop can't have a rectified size."
      )
    }
    let (crop, detected) = try crop.found(in: source, expecting: expected)
    let size = source.uprightDimensions
    let outline = crop.outline ?? .rectangle(CGRect(x: 0, y: 0, width: 1, height: 1))
    let stored = try PixelOutline(outline, in: size).bounds(in: size)
      .stored(in: source.dimensions, orientation: source.orientation)
    let part = try unsafe source.withJPEG { bytes throws(CaptureError) in
      guard let bytes = unsafe bytes else {
        throw .unsupportedImage(
          what: source.name,
          reason: "only a JPEG can be cropped without loss; crop it without that option")
      }
      return try unsafe JPEGCodec.crop(bytes, to: stored, alignment: alignment, source.name)
    }
    let dimensions = Dimensions(width: Int(part.part.width), height: Int(part.part.height))
    var encoding = PhotoEncoding()
    encoding.embedsThumbnail = embedsThumbnail
    var small: Data?
    if let box = encoding.thumbnailBox(for: dimensions) {
      let source = try PhotoSource(data: part.data, name: source.name)
      small = try thumbnail(of: source.decoded(fitting: box), fitting: box)
    }
    let exif = try ExifWriter.segment(
      PhotoMetadata(), size: dimensions, orientation: source.orientation, thumbnail: small,
      keeping: source.tiff)
    let data = try unsafe part.data.withBytes { bytes throws(CaptureError) in
      try unsafe JPEGCodec.rewrite(bytes, info: nil, exif: exif, source.name)
    }
    // Back from where the picture is stored to where it is seen.
    let seen = part.part.stored(in: size, orientation: source.orientation.inverse)
    return LosslessCrop(
      data: data,
      dimensions: source.orientation.swapsDimensions ? dimensions.swapped : dimensions,
      originalDimensions: size,
      rectangle: CGRect(
        x: Int(seen.x), y: Int(seen.y), width: Int(seen.width), height: Int(seen.height)),
      alignment: part.alignment, detectedOutline: detected,
      isOutlineClipped: crop.outline?.isClipped(in: size) ?? false)
  }

  private func renderWhole(
    _ source: PhotoSource, as encoding: PhotoEncoding, metadata: PhotoMetadata
  ) throws(CaptureError) -> Rendered {
    guard encoding.fileType == .jpeg, let (lease, info) = source.jpegFrame else {
      // PNG readers often ignore an orientation, and a file's copy is promised upright.
      let turns = encoding.fileType == .png || !source.isFrame
      let (picture, hadDamage) = try turns ? source.upright() : source.decoded()
      let data = try encode(
        picture, orientation: turns ? .up : source.orientation, as: encoding, metadata: metadata,
        keeping: source.tiff)
      return Rendered(
        content: PhotoContent(data), dimensions: picture.dimensions, metadata: metadata,
        hadDamage: hadDamage)
    }
    var small: Data?
    if let box = encoding.thumbnailBox(for: source.dimensions) {
      small = try thumbnail(of: source.decoded(fitting: box), fitting: box)
    }
    let exif = try ExifWriter.segment(
      metadata, size: source.dimensions, orientation: source.orientation, thumbnail: small)
    let content = try JPEGCodec.rewritten(lease, info: info, exif: exif, source.name)
    return Rendered(content: content, dimensions: source.dimensions, metadata: metadata)
  }

  private func encode(
    _ picture: Picture, orientation: ImageOrientation, as encoding: PhotoEncoding,
    metadata: PhotoMetadata, keeping original: Data?
  ) throws(CaptureError) -> Data {
    var small: Data?
    if let box = encoding.thumbnailBox(for: picture.dimensions) {
      small = try thumbnail(of: picture, fitting: box)
    }
    let exif = try ExifWriter.segment(
      metadata, size: picture.dimensions, orientation: orientation, thumbnail: small,
      keeping: original)
    let dotsPerInch = metadata.dotsPerInch ?? 0
    switch encoding.fileType {
    case .png:
      let tiff = exif.dropFirst(ExifWriter.header.count)
      return try PNGCodec.encode(picture, tiff: Data(tiff), dotsPerInch: dotsPerInch)
    case .jpeg:
      let options = JPEGEncoder.Options(
        quality: ijgQuality(encoding.quality), dotsPerInch: dotsPerInch, exif: exif,
        cores: JPEGEncoder.Options.coresOfPhoto)
      return try encoder.encode(picture, options)
    }
  }

  /// A thumbnail for the Exif data, which have 64 kB for it and everything else.
  private func thumbnail(of picture: Picture, fitting box: Dimensions) throws(CaptureError) -> Data
  {
    let small = try picture.thumbnail(picture.dimensions.fitted(into: box))
    var data = Data()
    for quality in [75, 60, 45, 30] {
      data = try encoder.encode(small, JPEGEncoder.Options(quality: quality, restartsPerRow: 0))
      if data.count <= 32 << 10 { break }
    }
    return data
  }

  /// The true resolution of a picture that shows just a card.
  private func cardResolution(_ outline: Outline, _ size: Dimensions, crop: PhotoCrop) -> Int? {
    let card = CardSize.id1
    let ratio = Double(size.width) / Double(size.height)
    let isCard =
      switch outline {
      case .id1Card, .centeredCard, .inPixels(.id1Card), .inPixels(.centeredCard): true
      default: crop.rectifiedSize != nil && abs(ratio / card.aspectRatio - 1) < 0.01
      }
    return isCard ? Int((Double(size.width) / card.width * 25.4).rounded()) : nil
  }
}

extension PhotoEncoding {
  /// What the thumbnail of a picture of this size, as stored, fits into; `nil` when there is to be none.
  fileprivate func thumbnailBox(for size: Dimensions) -> Dimensions? {
    guard embedsThumbnail, fileType == .jpeg else { return nil }
    let box = embeddedThumbnailDimensions
    return (size.width >= size.height) == (box.width >= box.height) ? box : box.swapped
  }
}
