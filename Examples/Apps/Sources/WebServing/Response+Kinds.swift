import Foundation
import Hummingbird

extension Response {
  /// A value as JSON, which nobody keeps.
  public static func json(_ value: some Encodable) throws -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return Response(
      status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(value))))
  }

  /// A picture as it is at this moment.
  public static func jpeg(_ data: Data) -> Response {
    Response(
      status: .ok, headers: [.contentType: "image/jpeg", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
  }
}
