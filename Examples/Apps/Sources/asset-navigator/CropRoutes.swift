import Foundation
import Hummingbird
import Viewfinder
import ViewfinderLibrary
import WebServing

/// How a photo is cropped, turned and mirrored, and its original again.
struct CropRoutes: Sendable {
  /// What a page needs to begin.
  private struct Report: Encodable {
    /// The file that is cropped.
    var file: UUID
    /// The size of the original when upright, in pixels.
    var width: Int
    var height: Int
    /// What was done before; a recipe of another program has no adjustment.
    var recipe: CropRecipe?
  }

  /// How the picture is turned after what its camera says.
  private struct Turn: Decodable {
    struct Adjustment: Decodable {
      var turns: Int
      var isMirrored: Bool
    }

    var adjustment: Adjustment
  }

  private let library: NavigatorLibrary

  init(_ library: NavigatorLibrary) { self.library = library }

  func add(to router: some RouterMethods<WebContext>) {
    router.get("assets/:id/crop") { _, context in
      let asset = try await asset(context)
      let original = try await original(of: asset)
      guard let size = original.dimensions else {
        throw PhotoLibraryError.unsupported(what: asset.fileName, reason: "its size isn’t known")
      }
      return try await Response.json(
        Report(
          file: original.id, width: size.width, height: size.height,
          recipe: library.opened().cropRecipe(of: asset)))
    }
    router.post("assets/:id/crop") { request, context in
      let asset = try await asset(context)
      let body = try await request.body.collect(upTo: 1 << 16)
      let recipe = try await recipe(Data(buffer: body), original(of: asset))
      try await library.opened().crop(asset, to: recipe)
      return Response(status: .noContent)
    }
    router.post("assets/:id/revert") { _, context in
      try await library.opened().revertCrop(of: asset(context))
      return Response(status: .noContent)
    }
  }

  private func asset(_ context: WebContext) async throws -> ViewfinderLibrary.Asset {
    try await library.asset(context.parameters.require("id", as: UUID.self))
  }

  /// The file that the library crops: of a pair, what every program reads.
  private func original(of asset: ViewfinderLibrary.Asset) async throws -> AssetRepresentation {
    let originals = try await asset.representations()
      .filter { $0.role != .edited && $0.contentType?.kind == .image }
    guard
      let original = originals.first(where: { [.jpeg, .png].contains($0.contentType) })
        ?? originals.first
    else {
      throw PhotoLibraryError.unsupported(
        what: asset.fileName, reason: "there is no picture of it that can be cropped")
    }
    return original
  }

  private func recipe(_ data: Data, _ original: AssetRepresentation) throws -> CropRecipe {
    let (decoder, unreadable) = (
      JSONDecoder(), WebError(.badRequest, "That is no crop that this program knows.")
    )
    guard var recipe = try? decoder.decode(CropRecipe.self, from: data),
      let turn = try? decoder.decode(Turn.self, from: data).adjustment,
      (-3...3).contains(turn.turns),
      let next = ImageOrientation(
        clockwiseRotation: turn.turns * 90, mirrored: turn.isMirrored)
    else { throw unreadable }
    recipe.orientation = original.orientation.followed(by: next)
    return recipe
  }
}
