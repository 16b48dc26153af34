import Checksums
import Foundation
import HTTPTypes
import Hummingbird
import Viewfinder
import WebServing

/// The other end, for those who have no server: takes photos by PUT and keeps them.
struct Receiver: Sendable {
  /// Its route, and how large a photo may be.
  static let path = "/uploads/{name}", limit = BodyLimit(size: 64 << 20, time: .seconds(30))

  private let folder: URL

  init(_ folder: URL) { self.folder = folder }

  /// Where a program at this address takes photos.
  static func url(at address: String) -> URL {
    var parts = URLComponents(string: address) ?? URLComponents()
    parts.path = "/uploads"
    return parts.url ?? URL(fileURLWithPath: "/")
  }

  func add(to router: Router<WebContext>) {
    router.blocking.put("uploads/:name") { request, context in
      let name = try context.parameters.require("name")
      guard name.hasSuffix(".jpg"),
        name.allSatisfy({ $0.isLetter || $0.isNumber || "-.".contains($0) }),
        !name.hasPrefix(".")
      else { throw WebError(.badRequest, "A photo's name is letters, digits, hyphens and .jpg.") }
      let body = Data(buffer: try await request.body.collect(upTo: Self.limit.size))
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // A photo that comes again, because the answer was lost, is the same photo.
      try PhotoFile.write(body, to: folder.appending(component: name))
      return Response(
        status: .created, headers: [HTTPField.Name(ReprDigest.name)!: ReprDigest.field(of: body)])
    }
  }
}
