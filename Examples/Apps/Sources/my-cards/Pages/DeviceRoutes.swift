import CardBarcodes
import ErrorWords
import FeedClient
import Foundation
import Hummingbird
import WebServing

/// The person's devices: listed, let in by a code, and let in no more.
struct DeviceRoutes: Sendable {
  private struct Name: Decodable {
    var name: String
  }

  private struct Code: Decodable {
    var code: String
  }

  /// What the page shows of devices.
  private struct Report: Encodable {
    /// Where they agree; `nil` where this wallet is alone.
    var server: String?
    /// Whether that was given at the start.
    var isGiven: Bool
    var devices: [FeedClient.Device] = []
    /// Why the devices can't be listed.
    var problem: ErrorWords?
  }

  /// A code to show, which isn't told again.
  private struct Invitation: Encodable {
    var id: String
    var code: String
    /// The QR code as SVG; `nil` where it can't be drawn.
    var drawing: String?
    /// What is in the way.
    var problem: ErrorWords?
    /// For how many seconds it is to be shown.
    var seconds: Int64
  }

  private let sync: WalletSync
  private let photos: SidePhotos

  init(_ sync: WalletSync, _ photos: SidePhotos) { (self.sync, self.photos) = (sync, photos) }

  func add(to router: some RouterMethods<WebContext>) {
    router.get("devices") { _, _ in try Response.json(await report()) }
    router.post("devices") { request, context in
      let name = try await request.decode(as: Name.self, context: context).name
      return try Response.json(
        await invitation(name.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
    router.delete("devices/:id") { _, context in
      try await sync.remove(try context.parameters.require("id"))
      return Response(status: .noContent)
    }
    router.post("join") { request, context in
      try await sync.join(try await request.decode(as: Code.self, context: context).code)
      return Response(status: .noContent)
    }
    router.post("join/photo") { request, _ in
      try Response.json(["id": photos.pickCode(for: request.page) { try await sync.join($0) }])
    }
    router.post("sync") { _, _ in try Response.json(await sync.syncNow()) }
    router.post("leave") { _, _ in
      try await sync.leave()
      return Response(status: .noContent)
    }
  }

  private func report() async -> Report {
    var report = Report(
      server: sync.server.map { HTTPExchange.name(of: $0.server) }, isGiven: sync.isGiven)
    guard sync.server != nil else { return report }
    do { report.devices = try await sync.devices() } catch {
      report.problem = ErrorWords(WebError(error))
    }
    return report
  }

  private func invitation(_ name: String) async throws -> Invitation {
    guard !name.isEmpty else {
      throw WebError(.badRequest, "Give the device a name.", code: "noDeviceName")
    }
    let new = try await sync.invite(name)
    var invitation = Invitation(
      id: new.id, code: new.code.text, seconds: WalletSync.codeTime.components.seconds)
    if new.code.isForThisMachine {
      let name = HTTPExchange.name(of: new.code.server)
      invitation.problem = ErrorWords(
        "Only this machine reaches \(name).", Coded("onlyThisMachine", ["server": name]))
    }
    do {
      let drawing = try BarcodeDrawing(of: new.code.text, type: .qrCode)
      invitation.drawing = String(decoding: drawing.svg, as: UTF8.self)
    } catch {
      invitation.problem = ErrorWords(error)
    }
    return invitation
  }
}
