import CardModel
import Hummingbird
import WebServing

/// The pictures of the list.
struct SmallPictureRoutes: Sendable {
  private let pictures: SmallPictures

  init(_ pictures: SmallPictures) { self.pictures = pictures }

  func add(to router: some RouterMethods<WebContext>) {
    router.get("pictures/:hash/small") { _, context in
      guard let hash = PictureHash(try context.parameters.require("hash")),
        let jpeg = try pictures.jpeg(hash)
      else { throw WebError(.notFound, "The picture isn't here yet.", code: "pictureAway") }
      return Response.jpeg(jpeg, isForEver: true)
    }
  }
}
