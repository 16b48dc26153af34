import Foundation
import Viewfinder

// Crops that can be changed and undone.
extension PhotoLibrary {
  /// How an asset is cropped.
  ///
  /// - Parameter asset: A photo.
  /// - Returns: The recipe beside it; `nil` for a photo that isn't cropped.
  /// - Throws: ``PhotoLibraryError/damaged(what:reason:)`` for a recipe that can't be read.
  public func cropRecipe(of asset: Asset) async throws(PhotoLibraryError) -> CropRecipe? {
    let photo = try await CroppablePhoto(asset)
    return try await Blocking.run { () throws(PhotoLibraryError) in try photo.recipe() }
  }

  /// Crops a photo and keeps its original, so that the crop can be changed or undone.
  ///
  /// The cropped picture becomes a file beside the original, as the edited version of the same asset: a PNG for a PNG, else a
  /// JPEG. It has the original's Exif data. The recipe goes into `.viewfinder/recipes` beside them. Cropping again begins
  /// with the original.
  ///
  /// - Parameters:
  ///   - asset: A photo with an original in JPEG or PNG, or, with the package's traits, WebP, HEIC or AVIF.
  ///   - recipe: What to crop it to.
  /// - Returns: The asset as it is now.
  /// - Throws: ``PhotoLibraryError/invalidRequest(reason:)`` for an outline outside the picture,
  ///   ``PhotoLibraryError/unsupported(what:reason:)`` for other formats,
  ///   ``PhotoLibraryError/cannotWrite(path:code:)``, with `EEXIST` when the photo has an edited version that another
  ///   program made.
  @discardableResult
  public func crop(
    _ asset: Asset, to recipe: CropRecipe
  ) async throws(PhotoLibraryError) -> Asset {
    let trash = core.trash
    return try await change(asset) { (photo) throws(PhotoLibraryError) in
      try photo.crop(to: recipe, trash: trash)
    }
  }

  /// Undoes a crop: shows the original again, and puts the cropped file into the trash.
  ///
  /// - Parameter asset: A photo that ``crop(_:to:)`` cropped.
  /// - Returns: The asset as it is now.
  /// - Throws: ``PhotoLibraryError/invalidRequest(reason:)`` for a photo without a recipe,
  ///   ``PhotoLibraryError/cannotWrite(path:code:)``.
  @discardableResult
  public func revertCrop(of asset: Asset) async throws(PhotoLibraryError) -> Asset {
    let trash = core.trash
    return try await change(asset) { (photo) throws(PhotoLibraryError) in
      try photo.revert(trash: trash)
    }
  }

  private func change(
    _ asset: Asset, _ body: @escaping @Sendable (CroppablePhoto) throws(PhotoLibraryError) -> Void
  ) async throws(PhotoLibraryError) -> Asset {
    let photo = try await CroppablePhoto(asset)
    try await Blocking.run { [core] () throws(PhotoLibraryError) in
      try body(photo)
      try core.scanner.takeUp([photo.original, photo.edited])
    }
    guard let changed = try await self.asset(id: asset.id) else {
      throw .notFound(what: "\(photo.original) any more; another program took it away")
    }
    return changed
  }
}

/// A photo with its original and where the cropped version belongs.
private struct CroppablePhoto: Sendable {
  private let file: AssetRepresentation
  /// What the crop is.
  private let type: ContentType

  init(_ asset: Asset) async throws(PhotoLibraryError) {
    let originals = try await asset.representations().filter { $0.role != .edited }
    // Of a pair, what every program reads.
    let file =
      originals.first { [.jpeg, .png].contains($0.contentType) }
      ?? originals.first { PictureDecoder($0.contentType) != nil }
    guard let file else {
      throw .unsupported(
        what: asset.fileName, reason: PictureDecoder.reasonForNone(asset.contentType))
    }
    self.file = file
    type = file.contentType == .png ? .png : .jpeg
  }

  var original: FilePath { file.path }
  private var recipes: RecipeFolder { RecipeFolder(beside: original.folder) }
  var edited: FilePath { PhotoSaver.edited(of: original, type) }

  func recipe() throws(PhotoLibraryError) -> CropRecipe? { try recipes.recipe(for: original) }

  func crop(to recipe: CropRecipe, trash: Trash) throws(PhotoLibraryError) {
    let old = try self.recipe()
    let hasEdited = FileStatus(of: edited, followsLinks: false) != nil
    if hasEdited, old == nil, !recipes.hasRecipe(namedAfter: original) {
      throw .cannotWrite(path: edited.description, code: EEXIST)
    }
    let cropped = try file.reader().cropped(
      by: recipe.crop, orientation: recipe.orientation,
      as: PhotoEncoding(fileType: type == .png ? .png : .jpeg)
    ).data
    // A crop of the picture that was there before may be all that is left of it.
    if hasEdited, old == nil { _ = try trash.put(edited) }
    // The recipe comes first: who is killed in between leaves nothing that looks like another program's.
    try recipes.update(original) { $0 = recipe }
    do {
      let saver = PhotoSaver(folder: original.folder, naming: .dcf())
      _ = try saver.saveEdited(of: original, .data(cropped), type: type, replacesExisting: true)
    } catch {
      try? recipes.update(original) { $0 = old }
      throw error
    }
  }

  func revert(trash: Trash) throws(PhotoLibraryError) {
    guard try recipe() != nil || recipes.hasRecipe(namedAfter: original) else {
      throw .invalidRequest(reason: "\(original) has no crop that could be undone.")
    }
    if FileStatus(of: edited, followsLinks: false) != nil { _ = try trash.put(edited) }
    try recipes.update(original) { $0 = nil }
  }
}
