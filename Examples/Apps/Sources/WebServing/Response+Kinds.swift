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

  /// A picture as it is at this moment, or one that stays as it is, because its address names its content or version.
  public static func jpeg(_ data: Data, isForEver: Bool = false) -> Response {
    // Nobody else than this person may keep it.
    let keeping = isForEver ? "private, max-age=31536000, immutable" : "no-store"
    return Response(
      status: .ok, headers: [.contentType: "image/jpeg", .cacheControl: keeping],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
  }
}
