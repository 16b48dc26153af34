import Checksums
import ErrorWords
import FeedClient
import Foundation
import Hummingbird
import PhotoStream
import ViewfinderLibrary
import WebServing

/// What a page shows of the photo stream.
struct StreamReport: Encodable, Equatable, Sendable {
  /// Whether this device has joined one.
  var isOn: Bool
  /// Where the server is.
  var address: String?
  /// What others are told that photos come from.
  var device: String?
  /// Whether photos of other devices come by themselves.
  var fetchesAll: Bool
  /// The camera whose photos are sent; `nil` for all photos.
  var camera: String?
  /// Whether smaller copies are sent of large photos.
  var sendsSmaller: Bool
  /// Whether photos are sent without the place where they were taken.
  var leavesPlaceOut: Bool
  /// How it is going; `nil` while it doesn't run.
  var status: StreamStatus?

  init(_ settings: StreamSettings?, _ status: StreamStatus?) {
    isOn = settings != nil
    address = settings?.url.absoluteString
    device = settings?.device
    fetchesAll = settings?.fetchesAll ?? true
    camera = settings?.camera
    sendsSmaller = settings?.sendsSmaller ?? false
    leavesPlaceOut = settings?.leavesPlaceOut ?? false
    self.status = status
  }
}

/// Joins and leaves the photo stream, and shows what is in it and not here; how it is going is a topic of its own.
struct StreamRoutes: Sendable {
  private struct Place: Decodable {
    var address: String
    var token: String
    /// Whether previews come alone.
    var previews: Bool?
  }

  /// What is to be another way; the rest stays.
  private struct Settings: Decodable {
    var fetchesAll: Bool?
    /// Empty for all cameras.
    var camera: String?
    var sendsSmaller: Bool?
    var leavesPlaceOut: Bool?
  }

  /// How long the stream has its photos.
  private struct RetentionReport: Encodable {
    var days: Int?
    var photos: Int?
    /// Why that isn't known.
    var problem: ErrorWords?
  }

  /// The person's devices, as the server has them.
  private struct DevicesReport: Encodable {
    var devices: [FeedClient.Device] = []
    /// Why they can't be listed.
    var problem: ErrorWords?
  }

  /// A photo of the stream that isn't here.
  private struct PhotoReport: Encodable {
    var id: String
    var name: String
    var device: String
    var size: Int
    var hasPreview: Bool
    var isComing: Bool

    init(_ offered: PhotoStream.Offered) {
      let photo = offered.photo
      (id, name, device, size) = (photo.name.text, photo.fileName, photo.device, photo.size)
      (hasPreview, isComing) = (offered.preview != nil, offered.isComing)
    }
  }

  private let membership: StreamMembership

  init(_ membership: StreamMembership) { self.membership = membership }

  func add(to router: some RouterMethods<WebContext>) {
    router.post("stream") { request, context in
      let place = try await request.decode(as: Place.self, context: context)
      try await membership.join(
        place.address, token: place.token, fetchesAll: place.previews != true)
      return Response(status: .noContent)
    }
    router.post("stream/settings") { request, context in
      let settings = try await request.decode(as: Settings.self, context: context)
      try membership.change { new in
        new.fetchesAll = settings.fetchesAll ?? new.fetchesAll
        if let camera = settings.camera { new.camera = camera.isEmpty ? nil : camera }
        new.sendsSmaller = settings.sendsSmaller ?? new.sendsSmaller
        new.leavesPlaceOut = settings.leavesPlaceOut ?? new.leavesPlaceOut
      }
      return Response(status: .noContent)
    }
    router.get("stream/cameras") { _, _ in try await Response.json(membership.cameras()) }
    router.post("stream/smaller") { _, _ in
      try await Response.json(["count": membership.stream().sendSmallerCopies()])
    }
    router.get("stream/retention") { _, _ in
      do {
        let retention = try await membership.retention()
        return try Response.json(RetentionReport(days: retention.days, photos: retention.photos))
      } catch let error as FeedError {
        return try Response.json(RetentionReport(problem: ErrorWords(error)))
      }
    }
    router.put("stream/retention") { request, context in
      try await membership.setRetention(
        try await request.decode(as: StreamRetention.self, context: context))
      return Response(status: .noContent)
    }
    router.post("stream/leave") { _, _ in
      try membership.leave()
      return Response(status: .noContent)
    }
    router.get("stream/devices") { _, _ in
      do {
        return try await Response.json(DevicesReport(devices: membership.devices()))
      } catch let error as FeedError {
        return try Response.json(DevicesReport(problem: ErrorWords(error)))
      }
    }
    router.delete("stream/devices/:id") { _, context in
      try await membership.removeDevice(context.parameters.require("id"))
      return Response(status: .noContent)
    }
    router.get("stream/photos") { _, _ in
      try await Response.json(membership.stream().offered().map(PhotoReport.init))
    }
    router.get("stream/photos/:id/preview") { _, context in
      guard let file = try membership.stream().preview(of: name(context)),
        let jpeg = try? Data(contentsOf: file)
      else { throw PhotoLibraryError.notFound(what: "such preview any more") }
      return Response.jpeg(jpeg)
    }
    router.post("stream/photos/:id") { _, context in
      try await membership.stream().ask(for: [name(context)])
      return Response(status: .noContent)
    }
  }

  private func name(_ context: WebContext) throws -> BlobName {
    guard let name = BlobName(try context.parameters.require("id")) else {
      throw WebError(.badRequest, "That isn't a photo's name.")
    }
    return name
  }
}
