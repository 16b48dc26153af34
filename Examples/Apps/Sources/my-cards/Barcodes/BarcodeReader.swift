import CardModel
import Foundation
import FoundationXML

/// Reads bar codes from photos, with ZBar's `zbarimg`.
public struct BarcodeReader: Sendable {
  /// A bar code that was found.
  public struct Barcode: Hashable, Sendable {
    /// Its kind.
    public var type: BarcodeType
    /// What it says.
    public var text: String

    /// Creates a bar code.
    public init(type: BarcodeType, text: String) { (self.type, self.text) = (type, text) }
  }

  private let program: HelperProgram

  /// Finds the program.
  ///
  /// - Throws: ``BarcodeError/notInstalled(program:package:)``.
  public init() throws(BarcodeError) {
    program = try HelperProgram("zbarimg", package: "zbar-tools")
  }

  /// Reads the bar codes of a photo, the surest first; none where there is none.
  ///
  /// - Parameter jpeg: The photo.
  /// - Returns: The bar codes.
  /// - Throws: ``BarcodeError/failed(program:reason:)``.
  public func barcodes(in jpeg: Data) async throws(BarcodeError) -> [Barcode] {
    let file = FileManager.default.temporaryDirectory
      .appending(component: "my-cards-\(UUID().uuidString).jpg")
    // For nobody else's eyes.
    guard
      FileManager.default.createFile(
        atPath: file.path, contents: jpeg, attributes: [.posixPermissions: 0o600])
    else { throw .failed(program: "zbarimg", reason: "the temporary folder can't be written") }
    defer { try? FileManager.default.removeItem(at: file) }
    // The prefix: whatever the bytes are, only a JPEG decoder gets them.
    let result = try await program.run(["-q", "--xml", "--", "jpeg:\(file.path)"], input: Data())
    // 4: there is no bar code.
    guard result.status == 0 || result.status == 4 else {
      throw .failed(program: "zbarimg", reason: "the photo can't be read")
    }
    return Symbols(parsing: result.output).found
  }
}

/// What zbarimg writes: symbols with a type, a quality and their data.
private final class Symbols: NSObject, XMLParserDelegate {
  private var symbols: [(barcode: BarcodeReader.Barcode, quality: Int)] = []
  private var attributes: [String: String] = [:]
  private var isBinary = false
  private var text = ""

  var found: [BarcodeReader.Barcode] {
    symbols.sorted { $0.quality > $1.quality }.map(\.barcode)
  }

  init(parsing data: Data) {
    super.init()
    let parser = XMLParser(data: data)
    parser.delegate = self
    _ = parser.parse()
  }

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    if element == "symbol" { self.attributes = attributes }
    if element == "data" { (text, isBinary) = ("", attributes["format"] == "base64") }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    text += String(decoding: block, as: UTF8.self)
  }

  func parser(
    _ parser: XMLParser, didEndElement element: String, namespaceURI: String?,
    qualifiedName: String?
  ) {
    // What isn't text can't be typed at a till.
    guard element == "symbol", !isBinary,
      let type = attributes["type"].flatMap(BarcodeType.init(zbar:)), !text.isEmpty
    else { return }
    symbols.append((.init(type: type, text: text), Int(attributes["quality"] ?? "") ?? 0))
  }
}
