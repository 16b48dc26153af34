import Viewfinder

/// HEIF (ISO/IEC 23008-12) with HEVC or AV1 pictures.
enum HEIFReader {
  static func read(_ bytes: ByteReader, _ type: ContentType) -> MediaInfo {
    var info = MediaInfo(type: type)
    // `meta` has version and flags before its boxes.
    guard let box = ISOBoxes(bytes).first(where: { $0.type == "meta" }) else {
      info.note("it has no description of its pictures (meta)")
      return info
    }
    if box.isCut { info.note("it is cut off") }
    let meta = box.content.part(from: 4)
    let items = HEIFItems(meta: meta, file: bytes)
    if let exif = items.content(type: "Exif"), let skipped = exif.uint32(at: 0) {
      info.readExif(exif.part(from: 4 + skipped))
    }
    let xmp = items.content(type: "mime", mimeType: "application/rdf+xml").flatMap { XMP($0) }
    info.read(xmp)
    info.motion =
      bytes.box("mpvd").flatMap(MotionPhoto.video)
      ?? MotionPhoto.find(in: bytes, xmp, camera: info.metadata.make)
    // HEIF's own properties turn the picture; Exif's orientation is only a remark (ISO/IEC 23008-12,
    // annex A).
    info.orientation = .up
    readProperties(meta, into: &info)
    if info.storedDimensions == nil { info.setSize(width: nil, height: nil) }
    return info
  }

  /// Reads the properties of the primary item, in the order in which they apply.
  private static func readProperties(_ meta: ByteReader, into info: inout MediaInfo) {
    guard let primary = meta.box("pitm"), let container = meta.box(["iprp", "ipco"]),
      let item = primary.unsigned(at: 4, size: primary.uint8(at: 0) == 0 ? 2 : 4)
    else { return }
    let properties = Array(ISOBoxes(container))
    var turned = Turn()
    for index in propertyIndices(of: item, in: meta)
    where index >= 1 && index <= properties.count {
      let content = properties[index - 1].content
      switch properties[index - 1].type {
      case "ispe":
        info.setSize(width: content.uint32(at: 4), height: content.uint32(at: 8))
      case "irot":
        // Units of 90° anticlockwise.
        turned.rotate(clockwise: -90 * ((content.uint8(at: 0) ?? 0) & 3))
      case "imir":
        turned.mirror(exchangingSides: (content.uint8(at: 0) ?? 0) & 1 == 1)
      default: break
      }
    }
    info.orientation = turned.orientation
  }

  /// Which properties an item has (`ipma`), numbered from 1.
  private static func propertyIndices(of item: Int, in meta: ByteReader) -> [Int] {
    guard let properties = meta.box("iprp") else { return [] }
    for box in ISOBoxes(properties) where box.type == "ipma" {
      let content = box.content
      let idSize = content.uint8(at: 0) == 0 ? 2 : 4
      let indexSize = (content.uint24(at: 1) ?? 0) & 1 == 1 ? 2 : 1
      var offset = 8
      for _ in 0..<min(content.uint32(at: 4) ?? 0, HEIFItems.limit) {
        guard let id = content.unsigned(at: offset, size: idSize),
          let count = content.uint8(at: offset + idSize)
        else { break }
        offset += idSize + 1
        if id == item {
          // The highest bit says whether the property is essential.
          return (0..<count).compactMap {
            content.unsigned(at: offset + $0 * indexSize, size: indexSize)
              .map { $0 & (indexSize == 2 ? 0x7fff : 0x7f) }
          }
        }
        offset += count * indexSize
      }
    }
    return []
  }
}

/// A turn, and then perhaps a mirroring across, that others are added to.
private struct Turn {
  private var degrees = 0
  private var isMirrored = false

  mutating func rotate(clockwise: Int) {
    // Turning after mirroring is turning the other way before it.
    degrees += isMirrored ? -clockwise : clockwise
  }

  /// Exchanges left and right, or else top and bottom, which is the same turned by 180°.
  mutating func mirror(exchangingSides: Bool) {
    isMirrored.toggle()
    if !exchangingSides { degrees += 180 }
  }

  var orientation: ImageOrientation {
    ImageOrientation(clockwiseRotation: degrees, mirrored: isMirrored) ?? .up
  }
}

/// The items of a HEIF file: pictures, and data such as Exif.
struct HEIFItems {
  /// Phones write some fifty: a grid of tiles.
  static let limit = 4096

  let meta: ByteReader
  let file: ByteReader

  /// The content of the first item of a type; of data in general, with a media type.
  func content(type: String, mimeType: String? = nil) -> ByteReader? {
    guard let infos = meta.box("iinf") else { return nil }
    let entries = infos.part(from: infos.uint8(at: 0) == 0 ? 6 : 8)
    for box in ISOBoxes(entries) where box.type == "infe" {
      let idSize = box.content.uint8(at: 0) == 3 ? 4 : 2
      if box.content.fourCC(at: 6 + idSize) == type,
        mimeType == nil || mimeType == self.mimeType(box.content.part(from: 10 + idSize)),
        let id = box.content.unsigned(at: 4, size: idSize)
      {
        return content(item: id)
      }
    }
    return nil
  }

  /// What follows an item's name.
  private func mimeType(_ names: ByteReader) -> String? {
    let name = names.bytes(at: 0, count: 256).firstIndex(of: 0)
    return name.flatMap { names.text(at: $0 + 1) }
  }

  /// What `iloc` says of an item's place; `nil` for items in several pieces.
  private func content(item: Int) -> ByteReader? {
    guard let locations = meta.box("iloc"), let version = locations.uint8(at: 0),
      let sizes = locations.uint16(at: 4)
    else { return nil }
    let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
    let (baseSize, indexSize) = (sizes >> 4 & 15, version > 0 ? sizes & 15 : 0)
    let wideSize = version < 2 ? 2 : 4
    var at = 6
    let count = locations.unsigned(at: at, size: wideSize) ?? 0
    at += wideSize
    for _ in 0..<min(count, Self.limit) {
      guard let id = locations.unsigned(at: at, size: wideSize) else { return nil }
      at += wideSize
      var method = 0
      if version > 0 {
        method = (locations.uint16(at: at) ?? 0) & 15
        at += 2
      }
      at += 2  // Which file the item is in: always this one.
      guard let base = locations.unsigned(at: at, size: baseSize),
        let extents = locations.uint16(at: at + baseSize)
      else { return nil }
      at += baseSize + 2
      if id == item {
        guard extents == 1,
          let offset = locations.unsigned(at: at + indexSize, size: offsetSize),
          let length = locations.unsigned(at: at + indexSize + offsetSize, size: lengthSize)
        else { return nil }
        let whole = method == 0 ? file : method == 1 ? meta.box("idat") : nil
        // A length of zero means all of it.
        return whole?.part(from: base + offset, count: length == 0 ? .max : length)
      }
      at += extents * (indexSize + offsetSize + lengthSize)
    }
    return nil
  }
}
