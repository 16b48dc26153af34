import Checksums
import Foundation
import HTTPTypes
import Hummingbird

extension Response {
  /// Names content, in quotes: the same content has always the same name.
  public static func entityTag(of content: Data) -> String {
    "\"\(BlobName(of: content).text.prefix(32))\""
  }

  /// An answer whose content goes only to who doesn't have it yet; others get 304 (RFC 9110, section 13.1.2).
  ///
  /// - Parameters:
  ///   - entityTag: Names the content.
  ///   - type: The content's type.
  ///   - request: Says what the visitor has.
  ///   - headers: Fields of the answer, with content and without.
  ///   - content: The content, made only for who doesn't have it.
  /// - Returns: The answer.
  public static func tagged(
    _ entityTag: String, type: String, for request: Request, headers: HTTPFields,
    _ content: @autoclosure () throws -> ByteBuffer
  ) rethrows -> Response {
    var headers = headers
    headers[.eTag] = entityTag
    guard !request.knows(entityTag) else {
      var response = Response(status: .notModified, headers: headers)
      response.headers[.contentLength] = nil
      return response
    }
    headers[.contentType] = type
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: try content()))
  }
}

extension Request {
  /// Whether the visitor has what an entity tag names.
  fileprivate func knows(_ entityTag: String) -> Bool {
    headers[values: .ifNoneMatch].joined(separator: ",").split(separator: ",").contains {
      let tag = $0.trimmingCharacters(in: .whitespaces)
      return tag == "*" || tag == entityTag || tag == "W/\(entityTag)"
    }
  }
}
