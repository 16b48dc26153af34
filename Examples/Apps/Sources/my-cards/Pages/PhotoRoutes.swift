import CardModel
import CardStore
import Foundation
import Hummingbird
import WebServing

/// The pictures, and the picker for new ones.
struct PhotoRoutes: Sendable {
  private let photos: SidePhotos
  private let store: CardStore

  init(_ photos: SidePhotos, _ store: CardStore) {
    (self.photos, self.store) = (photos, store)
  }

  func add(to router: some RouterMethods<WebContext>) {
    router.post("photos") { request, _ in
      try Response.json(["id": photos.pick(for: request.page)])
    }
    router.post("scan") { request, _ in
      try Response.json(["id": photos.scan(for: request.page)])
    }
    router.get("pictures/:hash") { _, context in
      // A hash is 64 digits and letters: no path leads anywhere else.
      guard let hash = PictureHash(try context.parameters.require("hash")),
        let jpeg = try store.picture(hash)
      else { throw WebError(.notFound, "The picture isn't here yet.", code: "pictureAway") }
      return Response.jpeg(jpeg, isForEver: true)
    }
  }
}
