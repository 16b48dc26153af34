import CardExchange
import CardStore
import Foundation
import Hummingbird
import WebServing

/// Catima's files: read and written.
struct ExchangeRoutes: Sendable {
  private let imports: Imports
  private let store: CardStore

  init(_ imports: Imports, _ store: CardStore) { (self.imports, self.store) = (imports, store) }

  func add(to router: some RouterMethods<WebContext>) {
    router.post("import") { request, _ in
      let file = Data(buffer: try await request.body.collect(upTo: 512 << 20))
      return try Response.json(["id": imports.begin(file)])
    }
    router.get("export") { _, _ in
      let zip = try CatimaExport.zip(store)
      return Response(
        status: .ok,
        headers: [
          .contentType: "application/zip", .cacheControl: "no-store",
          .contentDisposition: "attachment; filename=\"my-cards.zip\"",
        ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: zip)))
    }
  }
}
