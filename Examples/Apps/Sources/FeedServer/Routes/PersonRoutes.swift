import Checksums
import Foundation
import Hummingbird
import NIOCore
import WebServing

/// Who asks, what they may have, and their devices.
struct PersonRoutes: Sendable {
  let records: any RecordEngine
  let limits: Limits

  func add(to router: Router<FeedContext>) {
    router.get("v1/me") { _, context in try Response.json(try await me(context.visitor)) }
    router.put("v1/me") { request, context in
      try await records.setClient(
        try Self.client(in: try await request.body(upTo: 10_000)), of: context.visitor)
      return Response(status: .noContent)
    }
    router.get("v1/devices") { _, context in
      let devices = try await records.devices(of: context.visitor.person)
      return try Response.json([
        "devices": devices.map { DeviceReport($0, isThis: $0.id == context.visitor.device) }
      ])
    }
    router.post("v1/devices") { request, context in
      let token = AccessToken()
      let device = try await records.addDevice(
        try Self.name(in: try await request.body(upTo: 10_000)), of: context.visitor.person,
        token: BearerGuard.hash(token.text))
      var response = try Response.json(DeviceReport(device, isThis: false, token: token.text))
      response.status = .created
      return response
    }
    router.delete("v1/devices/:id") { _, context in
      guard let id = Int64(try context.parameters.require("id")),
        try await records.removeDevice(id, of: context.visitor.person)
      else { throw WebError(.notFound, "You have no such device.") }
      return Response(status: .noContent)
    }
  }

  private struct NewDevice: Decodable {
    var name: String
  }

  private static func name(in body: ByteBuffer) throws -> String {
    let device = try? JSONDecoder().decode(NewDevice.self, from: Data(buffer: body))
    guard let name = device?.name, !name.isEmpty, name.count <= 100 else {
      throw WebError(
        .badRequest, "A device has a name: {\"name\": \"…\"}, of at most 100 characters.")
    }
    return name
  }

  private struct Introduction: Decodable {
    var client: String
  }

  private static func client(in body: ByteBuffer) throws -> String {
    let introduction = try? JSONDecoder().decode(Introduction.self, from: Data(buffer: body))
    // Texts of PostgreSQL have no U+0000.
    guard let client = introduction?.client, !client.isEmpty, client.count <= 100,
      !client.contains("\0")
    else {
      throw WebError(
        .badRequest,
        "A device says what it calls itself: {\"client\": \"…\"}, in at most 100 characters.")
    }
    return client
  }

  private func me(_ visitor: Visitor) async throws -> PersonReport {
    var feeds: [PersonReport.FeedReport] = []
    for feed in limits.feeds {
      feeds.append(
        PersonReport.FeedReport(
          name: feed.name, records: try await records.records(of: visitor.person, in: feed),
          maximumRecords: feed.maximumRecords, maximumRecordBytes: feed.maximumRecordBytes,
          maximumBlobBytes: feed.maximumBlobBytes, blobTypes: feed.blobTypes?.sorted()))
    }
    return PersonReport(
      server: records.server.uuidString.lowercased(),
      person: .init(id: "\(visitor.person)", name: visitor.name), device: "\(visitor.device)",
      bytes: try await records.bytes(of: visitor.person), maximumBytes: limits.bytes, feeds: feeds)
  }
}

/// `GET /v1/me`.
private struct PersonReport: Encodable {
  struct Person: Encodable {
    var id: String
    var name: String
  }

  struct FeedReport: Encodable {
    var name: String
    var records: Int
    var maximumRecords: Int
    var maximumRecordBytes: Int
    var maximumBlobBytes: Int
    var blobTypes: [String]?
  }

  var server: String
  var person: Person
  var device: String
  var bytes: Int
  var maximumBytes: Int
  var feeds: [FeedReport]
}

/// A device, as its person sees it.
private struct DeviceReport: Encodable {
  var id: String
  var name: String
  var made: Date
  var seen: Date?
  var client: String?
  var isThis: Bool
  var token: String?

  init(_ device: Device, isThis: Bool, token: String? = nil) {
    (id, name, made, seen) = ("\(device.id)", device.name, device.made, device.seen)
    (client, self.isThis, self.token) = (device.client, isThis, token)
  }
}
