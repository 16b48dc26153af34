import Foundation

/// What a store answers in XML.
public struct XMLElements: Sendable {
  private let text: String

  /// Reads an answer.
  public init(_ body: Data) { text = String(decoding: body, as: UTF8.self) }

  /// The text of the first element of a name; our own keys need no unescaping.
  public func element(_ name: String) -> String? { elements(name).first }

  /// The texts of all elements of a name.
  public func elements(_ name: String) -> [String] {
    text.components(separatedBy: "<\(name)>").dropFirst()
      .compactMap { $0.components(separatedBy: "</\(name)>").first }
  }

  /// The body that joins the parts of a multipart upload, by their ETags.
  public static func joining(_ etags: [String]) -> Data {
    let list = etags.enumerated().map { index, etag in
      "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(etag)</ETag></Part>"
    }
    return Data("<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>".utf8)
  }
}
