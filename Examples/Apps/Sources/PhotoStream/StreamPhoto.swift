import Checksums
import Foundation

/// A photo of the stream, as its record says.
///
/// It never changes: another photo has another hash.
public struct StreamPhoto: Hashable, Sendable {
  /// What its file is called by.
  public var name: BlobName
  /// The device that sent it, for the person.
  public var device: String
  /// The name of its file there.
  public var fileName: String
  /// Its media type.
  public var type: String
  /// The size of its file, in bytes.
  public var size: Int
  /// When it was taken, by the camera's clock, if that is known: for the person alone.
  public var taken: Date?
  /// The name of a small JPEG of it, if there is one.
  public var preview: BlobName?

  /// The identifier of its record, which follows from its hash: a photo that two devices send is one.
  public var id: UUID { Self.id(of: name) }

  /// The identifier of a photo's record: the first half of its hash, as a UUID of version 8 (RFC 9562).
  static func id(of name: BlobName) -> UUID {
    var bytes = stride(from: 0, to: 32, by: 2).map { index -> UInt8 in
      let start = name.text.index(name.text.startIndex, offsetBy: index)
      return UInt8(name.text[start...].prefix(2), radix: 16) ?? 0
    }
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

/// A photo's record, or what is left of it.
struct StreamRecord: Codable {
  var id: String
  var sha256: String
  var blobs: [String]
  var deleted: Bool?
  var device: String?
  var name: String?
  var type: String?
  var size: Int?
  var taken: Date?
  var preview: String?

  init(_ photo: StreamPhoto) {
    (id, sha256) = (photo.id.uuidString.lowercased(), photo.name.text)
    blobs = [photo.name, photo.preview].compactMap { $0?.text }
    preview = photo.preview?.text
    (device, name, type) = (photo.device, photo.fileName, photo.type)
    (size, taken) = (photo.size, photo.taken)
  }

  /// What is left of a photo that the stream has no more.
  init(deleted name: BlobName) {
    (id, sha256) = (StreamPhoto.id(of: name).uuidString.lowercased(), name.text)
    (blobs, deleted) = ([], true)
  }

  /// Reads a record; `nil` for what isn't a photo's.
  init?(_ json: Data) {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let record = try? decoder.decode(Self.self, from: json), record.name?.count ?? 0 <= 255,
      let name = BlobName(record.sha256),
      record.id.lowercased() == StreamPhoto.id(of: name).uuidString.lowercased(),
      record.deleted == true || record.size ?? 0 > 0
    else { return nil }
    self = record
  }

  /// As the feed has it.
  var json: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self)
    }
  }

  /// The photo.
  var photo: StreamPhoto? {
    guard deleted != true, let name = BlobName(sha256), let size else { return nil }
    return StreamPhoto(
      name: name, device: device ?? "", fileName: self.name ?? "",
      type: type ?? "application/octet-stream", size: size, taken: taken,
      preview: preview.flatMap(BlobName.init))
  }
}
