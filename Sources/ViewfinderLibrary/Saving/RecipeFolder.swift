import Foundation
import Viewfinder

/// The crop recipes of the photos in one folder: `.viewfinder/recipes/NAME.json` for the photo `NAME`.
///
/// They lie beside their photos, hidden, so that a folder that is copied or moved keeps its crops. Names
/// are bytes, so a photo of any name has one.
struct RecipeFolder: Sendable {
  private let recipes: FilePath

  init(beside folder: FilePath) { recipes = Self.folder(beside: folder) }

  /// Where the recipes of a folder's photos lie.
  static func folder(beside folder: FilePath) -> FilePath {
    folder.appending(".viewfinder/recipes")
  }

  /// Far more than any recipe has.
  private static let maximumSize = 1 << 20

  private func path(of photo: FilePath) -> FilePath {
    recipes.appending(photo.name.withExtension("json"))
  }

  /// The recipe for a photo, or `nil` when it has none, or one for a picture that it has replaced.
  ///
  /// - Throws: ``PhotoLibraryError/damaged(what:reason:)`` for one that can't be read, which is left as
  ///   it is.
  func recipe(for photo: FilePath) throws(PhotoLibraryError) -> CropRecipe? {
    let path = path(of: photo)
    guard FileStatus(of: path) != nil || errno != ENOENT else { return nil }
    let data = try FileReader(path).readAll(limit: Self.maximumSize)
    do {
      let recipe = try JSONDecoder().decode(CropRecipe.self, from: data)
      guard recipe.originalSize == nil || recipe.originalSize == FileStatus(of: photo)?.size else {
        return nil
      }
      return recipe
    } catch {
      throw .damaged(what: "The crop recipe \(path)", reason: Self.reason(error))
    }
  }

  /// Changes a photo's recipe; `change` gets the present one, and what it leaves as `nil` is removed.
  ///
  /// Members that aren't known are kept, two programs take turns, and the file is whole at all times.
  func update(
    _ photo: FilePath, _ change: (inout CropRecipe?) -> Void
  ) throws(PhotoLibraryError) {
    guard let status = FileStatus(of: photo) else {
      throw .cannotRead(path: photo.description, code: errno)
    }
    try recipes.makeFolder()
    let lock = try LibraryLock(recipes.appending(".lock"))
    defer { lock.release() }
    let path = path(of: photo)
    let old = try recipe(for: photo)
    var recipe = old
    change(&recipe)
    guard var recipe else {
      let code = path.unlink()
      guard code == 0 || code == ENOENT else {
        throw .cannotWrite(path: path.description, code: code)
      }
      return FileDraft.syncFolder(of: path.bytes)
    }
    recipe.originalSize = status.size
    recipe.others.merge(old?.others ?? [:]) { new, _ in new }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data: Data
    do {
      data = try encoder.encode(recipe)
    } catch {
      throw .invalidRequest(reason: "The crop can't be kept: its numbers must be finite.")
    }
    try FileDraft.replace(path, with: data)
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case DecodingError.dataCorrupted(let context): context.debugDescription
    case DecodingError.keyNotFound(let key, _): "it lacks “\(key.stringValue)”"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      context.debugDescription
    default: "\(error)"
    }
  }
}
