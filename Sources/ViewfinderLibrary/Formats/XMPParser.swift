/// Properties that the library asks for, by namespace and name as Expat joins them.
enum XMPProperty: String {
  case dateTimeOriginal = "http://ns.adobe.com/exif/1.0/ DateTimeOriginal"
  case subSecTimeOriginal = "http://ns.adobe.com/exif/1.0/ SubSecTimeOriginal"
  case dateTimeDigitized = "http://ns.adobe.com/exif/1.0/ DateTimeDigitized"
  case subSecTimeDigitized = "http://ns.adobe.com/exif/1.0/ SubSecTimeDigitized"
  case latitude = "http://ns.adobe.com/exif/1.0/ GPSLatitude"
  case longitude = "http://ns.adobe.com/exif/1.0/ GPSLongitude"
  case altitude = "http://ns.adobe.com/exif/1.0/ GPSAltitude"
  case altitudeRef = "http://ns.adobe.com/exif/1.0/ GPSAltitudeRef"
  case orientation = "http://ns.adobe.com/tiff/1.0/ Orientation"
  case make = "http://ns.adobe.com/tiff/1.0/ Make"
  case model = "http://ns.adobe.com/tiff/1.0/ Model"
  case createDate = "http://ns.adobe.com/xap/1.0/ CreateDate"
  case dateCreated = "http://ns.adobe.com/photoshop/1.0/ DateCreated"
  case sidecarForExtension = "http://ns.adobe.com/photoshop/1.0/ SidecarForExtension"
  case shotDate = "http://ns.adobe.com/xmp/1.0/DynamicMedia/ shotDate"
  case hasExtendedXMP = "http://ns.adobe.com/xmp/note/ HasExtendedXMP"
  case microVideoOffset = "http://ns.google.com/photos/1.0/camera/ MicroVideoOffset"
}

/// A part of a file by Google's container specification, in bytes.
struct XMPPart: Hashable, Sendable {
  /// Such as "Primary" or "MotionPhoto".
  var semantic = ""
  var length = 0
  /// What follows it.
  var padding = 0
}

/// What a packet states.
struct XMPStatements: Hashable, Sendable {
  var values: [XMPProperty: String] = [:]
  var parts: [XMPPart] = []
}

/// Reads XMP's RDF: the properties of what it describes, and not those of its history or of pictures inside.
final class XMPParser: XMLVisitor {
  /// Deeper elements, and longer values, are none that the library asks for.
  private static let depthLimit = 64
  private static let textLimit = 1024
  private static let partLimit = 64

  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns# "
  private static let directory = "http://ns.google.com/photos/1.0/container/ Directory"
  private static let item = "http://ns.google.com/photos/1.0/container/item/ "

  private var statements = XMPStatements()
  /// The elements around what is read now.
  private var path: [String] = []
  /// The text of the innermost element so far.
  private var text: [UInt8] = []

  /// What the packet states before its end, or the first damage in it.
  static func statements(in bytes: [UInt8]) -> XMPStatements {
    let parser = XMPParser()
    XMLReader.read(bytes, parser)
    return parser.statements
  }

  /// Where the innermost element is: RDF's description is `rdf:RDF`'s child, and the parent of its properties.
  private var descriptionIndex: Int? {
    path.firstIndex(of: Self.rdf + "RDF").map { $0 + 1 }
  }

  func begin(_ name: String, _ attributes: XMLAttributes) -> Bool {
    guard path.count < Self.depthLimit else { return false }
    path.append(name)
    text = []
    let isDescription = descriptionIndex == path.count - 1
    let isInDirectory = isInDirectory
    if isInDirectory, name == Self.rdf + "li", statements.parts.count < Self.partLimit {
      statements.parts.append(XMPPart())
    }
    if isDescription || isInDirectory {
      for (name, value) in attributes { state(name, value, isInDirectory: isInDirectory) }
    }
    return true
  }

  func add(_ text: some Sequence<UInt8>) {
    self.text += text.prefix(Self.textLimit - self.text.count)
  }

  func end() {
    guard let name = path.last else { return }
    if isInDirectory || descriptionIndex == path.count - 2 {
      state(name, String(decoding: text, as: UTF8.self), isInDirectory: isInDirectory)
    }
    path.removeLast()
    text = []
  }

  private var isInDirectory: Bool {
    guard let index = descriptionIndex, path.count > index + 1 else { return false }
    return path[index + 1] == Self.directory
  }

  /// The first statement of a property counts.
  private func state(_ name: String, _ value: String, isInDirectory: Bool) {
    let value = String(value.prefix(Self.textLimit)).trimmed
    guard !value.isEmpty else { return }
    if isInDirectory {
      guard name.hasPrefix(Self.item), let last = statements.parts.indices.last else { return }
      switch name.dropFirst(Self.item.count) {
      case "Semantic": statements.parts[last].semantic = value
      case "Length": statements.parts[last].length = Int(value) ?? 0
      case "Padding": statements.parts[last].padding = Int(value) ?? 0
      default: break
      }
    } else if let property = XMPProperty(rawValue: name), statements.values[property] == nil {
      statements.values[property] = value
    }
  }
}
