import Viewfinder
public import ViewfinderLibrary

extension PhotoLibrary {
  /// Saves a picked photo or video, with its original and the crop that the person made of it.
  ///
  /// The crop becomes the edited version beside the original, with its recipe, and can be changed with
  /// ``ViewfinderLibrary/PhotoLibrary/crop(_:to:)`` and undone with
  /// ``ViewfinderLibrary/PhotoLibrary/revertCrop(of:)``. A photo of this library gets its crop in place. If
  /// the person cropped an edited version, the library saves that version as a photo of its own, and crops
  /// the new photo.
  ///
  /// - Parameters:
  ///   - photo: The picked photo.
  ///   - album: An album that a person made, which gets the photo; `nil`, the default, for none.
  ///   - naming: How to name a new file. The default is DCF, as cameras do.
  /// - Returns: The new asset, or the one that the person picked.
  /// - Throws: What saving and cropping throw. When the crop can't be made, nothing is saved.
  @discardableResult
  public func save(
    _ photo: PickedPhoto, to album: Album? = nil, naming: PhotoNaming = .dcf()
  ) async throws(PhotoLibraryError) -> Asset {
    var saved: Asset
    if let present = try await present(photo) {
      saved = present
      if let edit = photo.edit { saved = try await crop(saved, to: CropRecipe(edit.crop)) }
    } else {
      saved = try await save([PhotoResource(.copy(photo.originalURL))], naming: naming)
      if let edit = photo.edit {
        do throws(PhotoLibraryError) {
          saved = try await crop(saved, to: CropRecipe(edit.crop))
        } catch {
          _ = try? await trash([saved])
          throw error
        }
      }
    }
    guard let album else { return saved }
    do throws(PhotoLibraryError) {
      try await album.add([saved])
    } catch {
      throw .notAdded(saved: saved, album: album.name, because: error)
    }
    return saved
  }

  /// The asset of this library that was picked, if a crop of it begins with the file that the person saw.
  private func present(_ photo: PickedPhoto) async throws(PhotoLibraryError) -> Asset? {
    guard let picked = photo.asset, let own = try await asset(id: picked.id) else { return nil }
    let files = try await own.representations()
    guard let file = files.first(where: { $0.fileURL == picked.fileURL }) else { return nil }
    return photo.edit == nil || file.role != .edited ? own : nil
  }
}
