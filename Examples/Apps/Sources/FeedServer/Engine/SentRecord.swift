import Checksums
import Foundation
import HTTPTypes
import StrictJSON
import WebServing

/// A record as it was sent, which is kept byte for byte.
struct SentRecord: Sendable {
  /// A UUID in small letters.
  let id: String
  /// Whether it is the trace of a deleted record.
  let isDeleted: Bool
  /// What was sent.
  let json: Data
  /// The blobs that it names.
  let blobs: Set<BlobName>

  /// How many blobs a record may name.
  static let maximumBlobs = 1000

  /// Takes a record for an address.
  ///
  /// - Throws: 400 for what isn't a record.
  init(_ json: Data, id: String) throws {
    let members: [String: Data]
    do {
      // What one client writes, all others must be able to read; and it is put into other JSON as it is.
      try StrictJSON.check(json)
      members = try StrictJSON.members(of: json)
    } catch {
      throw WebError(.badRequest, "A record is a JSON object; this isn't \(error).")
    }
    guard Self.value(String.self, members["id"])?.lowercased() == id else {
      throw WebError(.badRequest, "A record's id is the one in the address.")
    }
    switch members["deleted"].map({ String(decoding: $0, as: UTF8.self) }) {
    case nil, "false": isDeleted = false
    case "true": isDeleted = true
    default: throw WebError(.badRequest, "A record's member deleted is true or false.")
    }
    blobs = try Self.blobs(members["blobs"], in: json)
    self.id = id
    self.json = json
  }

  private static func blobs(_ member: Data?, in json: Data) throws -> Set<BlobName> {
    guard let member else { return named(in: json) }
    let names = value([String].self, member)?.map(BlobName.init)
    guard let names, names.count <= maximumBlobs, !names.contains(nil) else {
      throw WebError(
        .badRequest,
        "A record's member blobs is an array of at most \(maximumBlobs) SHA-256, each in 64 small hexadecimal digits."
      )
    }
    return Set(names.compactMap { $0 })
  }

  /// The blobs that a record without `blobs` names: each text in it that is a blob's name.
  static func named(in json: Data) -> Set<BlobName> {
    var names: Set<BlobName> = []
    for part in json.split(separator: UInt8(ascii: "\"")) where part.count == 64 {
      if let name = BlobName(String(decoding: part, as: UTF8.self)) { names.insert(name) }
    }
    return names
  }

  private static func value<Value: Decodable>(_ type: Value.Type, _ json: Data?) -> Value? {
    json.flatMap { try? JSONDecoder().decode(type, from: $0) }
  }
}
