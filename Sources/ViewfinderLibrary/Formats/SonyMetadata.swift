/// What Sony's cameras write into MP4 as XML (NonRealTimeMeta): the local time and its zone, where the header has UTC.
final class SonyMetadata: XMLVisitor {
  private static let namespace = "urn:schemas-professionalDisc:nonRealTimeMeta:"

  private(set) var created: CaptureDate?
  private(set) var make: String?
  private(set) var model: String?

  init(_ bytes: ByteReader) {
    XMLReader.read(bytes.bytes(at: 0, count: min(bytes.count, XMP.byteLimit)), self)
  }

  func begin(_ name: String, _ attributes: XMLAttributes) -> Bool {
    guard name.hasPrefix(Self.namespace) else { return false }
    if name.hasSuffix(" CreationDate") {
      created = attributes.first { $0.name == "value" }.flatMap { CaptureDate(written: $0.value) }
    } else if name.hasSuffix(" Device") {
      for (name, value) in attributes {
        if name == "manufacturer" { make = value }
        if name == "modelName" { model = value }
      }
    }
    return true
  }

  func add(_ text: some Sequence<UInt8>) {}
  func end() {}
}
