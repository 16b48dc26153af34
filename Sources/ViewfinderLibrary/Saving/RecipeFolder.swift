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

  /// Where a photo's recipe is, if it has one.
  func path(of photo: FilePath) -> FilePath {
    recipes.appending(photo.name.withExtension("json"))
  }

  /// The photo whose recipe would be at a path; `nil` for a path where no recipe is.
  static func photo(ofRecipe path: FilePath) -> FilePath? {
    let photos = path.folder.folder.folder
    guard path.folder == folder(beside: photos), path.pathExtension == "json" else { return nil }
    return photos.appending(path.name.stem)
  }

  /// The recipe for a photo, or `nil` when it has none, or one for a picture that it has replaced.
  ///
  /// - Throws: ``PhotoLibraryError/damaged(what:reason:)`` for one that can't be read, which is left as
  ///   it is.
  func recipe(for photo: FilePath) throws(PhotoLibraryError) -> CropRecipe? {
    try entry(for: photo)?.recipe
  }

  /// Whether there is a recipe under a photo's name, also one for a picture that it has replaced.
  func hasRecipe(namedAfter photo: FilePath) -> Bool {
    FileStatus(of: path(of: photo), followsLinks: false) != nil
  }

  /// A photo's recipe and its file, which has the photo's present name or a former one.
  private func entry(
    for photo: FilePath
  ) throws(PhotoLibraryError) -> (path: FilePath, recipe: CropRecipe)? {
    let path = path(of: photo)
    if let recipe = try read(path) {
      guard recipe.originalSize == nil || recipe.originalSize == FileStatus(of: photo)?.size else {
        return nil
      }
      return (path, recipe)
    }
    return try formerEntry(for: photo)
  }

  /// The recipe of a photo that another program has renamed.
  private func formerEntry(
    for photo: FilePath
  ) throws(PhotoLibraryError) -> (path: FilePath, recipe: CropRecipe)? {
    guard let names = try? recipes.names() else { return nil }
    var content: ContentID?
    for name in names where name.pathExtension == "json" && !name.isHidden {
      let former = photo.folder.appending(name.stem)
      guard FileStatus(of: former, followsLinks: false) == nil,
        let recipe = try? read(recipes.appending(name)), let wanted = recipe.originalContent
      else { continue }
      if content == nil { content = try ContentID(of: FileReader(photo)) }
      if content == wanted { return (recipes.appending(name), recipe) }
    }
    return nil
  }

  private func read(_ path: FilePath) throws(PhotoLibraryError) -> CropRecipe? {
    guard FileStatus(of: path) != nil || errno != ENOENT else { return nil }
    let data = try FileReader(path).readAll(limit: Self.maximumSize)
    do {
      return try JSONDecoder().decode(CropRecipe.self, from: data)
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
    let original = try FileReader(photo)
    try recipes.makeFolder()
    let lock = try LibraryLock(recipes.appending(".lock"))
    defer { lock.release() }
    let path = path(of: photo)
    let old = try entry(for: photo)
    var recipe = old?.recipe
    change(&recipe)
    if var recipe {
      recipe.originalSize = original.size
      recipe.originalContent = try ContentID(of: original)
      recipe.others.merge(old?.recipe.others ?? [:]) { new, _ in new }
      try FileDraft.replace(path, with: try Self.encoded(recipe))
    } else {
      try remove(path)
    }
    // Under its former name it would be another photo's, should there be one.
    if let former = old?.path, former != path { try remove(former) }
  }

  private func remove(_ path: FilePath) throws(PhotoLibraryError) {
    let code = path.unlink()
    guard code == 0 || code == ENOENT else {
      throw .cannotWrite(path: path.description, code: code)
    }
    FileSystem.syncFolder(of: path.bytes)
  }

  private static func encoded(_ recipe: CropRecipe) throws(PhotoLibraryError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(recipe)
    } catch {
      throw .invalidRequest(reason: "The crop can't be kept: its numbers must be finite.")
    }
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
