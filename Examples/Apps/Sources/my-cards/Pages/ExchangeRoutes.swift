import BlockingWork
import CardExchange
import CardStore
import Foundation
import Hummingbird
import NIOCore
import WebServing

/// Catima's files: read and written.
struct ExchangeRoutes: Sendable {
  /// An import may bring the pictures of some thousand cards.
  static let importLimit = BodyLimit(size: 2 << 30, time: .seconds(1800))

  private let imports: Imports
  private let store: CardStore
  /// Where files are while they are read.
  private let folder: URL

  init(_ imports: Imports, _ store: CardStore, folder: URL) {
    (self.imports, self.store, self.folder) = (imports, store, folder)
  }

  func add(to router: some RouterMethods<WebContext>) {
    router.post("import") { request, _ in
      let query = request.uri.queryParameters
      // A page that names the import can stop it before it has the answer.
      let id = try query["id"].map { try Self.identifier(String($0)) } ?? UUID()
      try await imports.run(id, named: query["name"].map { String($0.prefix(200)) }) { check in
        let file = try SpooledFile(in: folder)
        for try await part in request.body {
          try check()
          try file.write(part)
        }
        return file
      }
      return try Response.json(["id": id.uuidString.lowercased()])
    }
    router.delete("import/:id") { _, context in
      try imports.stop(try Self.identifier(context.parameters.require("id")))
      return Response(status: .noContent)
    }
    router.get("export") { _, _ in
      let export = try CatimaExport(of: store)
      // Made while it is taken: neither memory nor disk ever has it as a whole.
      let body = ResponseBody { writer in
        try await withTaskExecutorPreference(BlockingExecutor.shared) {
          while let part = try await export.next() {
            try Task.checkCancellation()
            try await writer.write(ByteBuffer(bytes: part))
          }
        }
        try await writer.finish(nil)
      }
      return Response(
        status: .ok,
        headers: [
          .contentType: "application/zip", .cacheControl: "no-store",
          .contentDisposition: "attachment; filename=\"my-cards.zip\"",
        ], body: body)
    }
  }

  private static func identifier(_ text: String) throws -> UUID {
    guard let id = UUID(uuidString: text) else {
      throw WebError(.badRequest, "An import's identifier is a UUID.")
    }
    return id
  }
}
