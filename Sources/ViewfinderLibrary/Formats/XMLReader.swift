import CLibExpat

/// What goes through a document's elements in their order.
protocol XMLVisitor: AnyObject {
  /// An element begins, whose name is its namespace, a blank and the local name; returns whether to go on.
  func begin(_ name: String, _ attributes: XMLAttributes) -> Bool
  /// A part of the text in the innermost element.
  func add(_ text: some Sequence<UInt8>)
  /// The innermost element ends.
  func end()
}

/// Reads XML with Expat, for documents that have no document type: one ends the reading.
///
/// So no entity but XML's five is ever expanded, and nothing outside the document is read. What stands before damage has
/// been visited. No other file calls Expat's functions.
@safe final class XMLReader {
  private let parser: OpaquePointer
  private let visitor: any XMLVisitor

  /// Lets a visitor go through a document.
  static func read(_ bytes: [UInt8], _ visitor: any XMLVisitor) {
    XMLReader(visitor)?.read(bytes)
  }

  private init?(_ visitor: any XMLVisitor) {
    guard let parser = unsafe XML_ParserCreateNS(nil, CChar(UInt8(ascii: " "))) else { return nil }
    unsafe self.parser = parser
    self.visitor = visitor
  }

  deinit { unsafe XML_ParserFree(parser) }

  private func read(_ bytes: [UInt8]) {
    // Programs pad what they write with zeros, also in front.
    let bytes = bytes.drop { $0 <= 0x20 }
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(
      parser,
      { user, name, attributes in
        guard let user = unsafe user, let name = unsafe name else { return }
        let reader = unsafe XMLReader.from(user)
        let attributes = unsafe XMLAttributes(rest: attributes)
        if unsafe !reader.visitor.begin(String(cString: name), attributes) { reader.stop() }
      },
      { user, _ in
        guard let user = unsafe user else { return }
        unsafe XMLReader.from(user).visitor.end()
      })
    unsafe XML_SetCharacterDataHandler(parser) { user, characters, count in
      guard let user = unsafe user, let characters = unsafe characters else { return }
      let part = unsafe UnsafeBufferPointer(start: characters, count: Int(count))
      unsafe XMLReader.from(user).visitor.add(part.lazy.map { UInt8(bitPattern: $0) })
    }
    unsafe XML_SetStartDoctypeDeclHandler(parser) { user, _, _, _, _ in
      guard let user = unsafe user else { return }
      unsafe XMLReader.from(user).stop()
    }
    unsafe bytes.withUnsafeBytes { buffer in
      let start = unsafe buffer.bindMemory(to: CChar.self).baseAddress
      _ = unsafe XML_Parse(parser, start, Int32(clamping: buffer.count), 1)
    }
  }

  private static func from(_ user: UnsafeMutableRawPointer) -> XMLReader {
    unsafe Unmanaged<XMLReader>.fromOpaque(user).takeUnretainedValue()
  }

  private func stop() { _ = unsafe XML_StopParser(parser, XML_Bool(XML_FALSE)) }
}

/// An element's attributes, as long as its beginning is visited.
@safe struct XMLAttributes: Sequence, IteratorProtocol {
  fileprivate var rest: UnsafeMutablePointer<UnsafePointer<CChar>?>?

  mutating func next() -> (name: String, value: String)? {
    guard let pair = unsafe rest, let name = unsafe pair[0], let value = unsafe pair[1] else {
      return nil
    }
    unsafe rest = pair + 2
    return unsafe (String(cString: name), String(cString: value))
  }
}
