public import Foundation
public import Viewfinder
public import ViewfinderLibrary

// Albums and assets to choose from.
extension ImagePicker {
  /// The albums to choose from; for the saved photos, only the camera roll.
  ///
  /// - Throws: ``PickerError/sourceUnavailable(_:advice:)``, ``PickerError/library(_:)``.
  public func albums() async throws(PickerError) -> [Album] {
    let (library, source) = try openedLibrary()
    if source == .savedPhotosAlbum { return [library.album(.cameraRoll)] }
    do {
      return try await library.albums()
    } catch {
      throw PickerError(error)
    }
  }

  /// The assets to pick from, newest first.
  ///
  /// - Parameters:
  ///   - album: One of ``albums()``; `nil`, the default, for all of the source.
  ///   - days: When they were taken, by the camera's own clock; `nil`, the default, for any time.
  /// - Returns: A list that stays as it is; its `changes` tell what other programs do.
  /// - Throws: ``PickerError/sourceUnavailable(_:advice:)``, ``PickerError/library(_:)``.
  public func assets(in album: Album? = nil, captured days: Range<Date>? = nil)
    async throws(PickerError) -> AssetList
  {
    let (library, source) = try openedLibrary()
    let whole = library.album(source == .savedPhotosAlbum ? .cameraRoll : .all)
    var filter = configuration.assetFilter
    if let days { filter.captured = filter.captured?.clamped(to: days) ?? days }
    do {
      return try await (album ?? whole).assets(filter, order: .newestFirst)
    } catch {
      throw PickerError(error)
    }
  }

  /// An asset by its id, such as one that a page names.
  ///
  /// - Parameter id: The asset's `id`.
  /// - Returns: The asset.
  /// - Throws: ``PickerError/sourceUnavailable(_:advice:)``, ``PickerError/library(_:)`` for one that is gone.
  public func asset(id: UUID) async throws(PickerError) -> Asset {
    let (library, _) = try openedLibrary()
    do {
      guard let asset = try await library.asset(id: id), !asset.isRemoved else {
        throw PhotoLibraryError.notFound(what: "such photo any more")
      }
      return asset
    } catch {
      throw PickerError(error)
    }
  }

  /// A small upright picture of an asset.
  ///
  /// - Parameters:
  ///   - asset: The asset.
  ///   - size: The greatest length of the longer side. The default is 256 pixels.
  ///   - shape: The whole picture, or the square in its middle. The default is the square.
  /// - Returns: The picture.
  /// - Throws: ``PickerError/sourceUnavailable(_:advice:)``, ``PickerError/library(_:)``.
  public func thumbnail(
    of asset: Asset, size: ThumbnailSize = .large, shape: ThumbnailShape = .square
  ) async throws(PickerError) -> PixelBuffer {
    let (library, _) = try openedLibrary()
    do {
      return try await library.thumbnail(of: asset, size: size, shape: shape)
    } catch {
      throw PickerError(error)
    }
  }

  /// Selects an asset, or removes a selected one.
  ///
  /// With a limit of one, the picker is then done or, where ``Configuration/editing`` says so, shows the photo to crop.
  /// Where ``Configuration/cameraOutline`` is to be found, it looks for the card in the photo, and then shows its edges
  /// to be corrected.
  ///
  /// - Parameter asset: One of ``assets(in:captured:)``.
  /// - Throws: ``PickerError/limitReached(_:)``, ``PickerError/library(_:)`` for a damaged photo in a picker that
  ///   crops.
  public func toggle(_ asset: Asset) throws(PickerError) {
    let (picked, searched) = try update {
      (model) throws(PickerError) -> (PickedPhoto?, Search?) in
      try model.requireIdle()
      if let place = model.state.selection.firstIndex(where: { $0.id == asset.id }) {
        model.state.selection.remove(at: place)
        return (nil, nil)
      }
      let photo = PickedPhoto(asset, from: model.state.source)
      if configuration.selectionLimit == 1, let outline = configuration.detectedOutline,
        photo.mediaType == .image
      {
        model.isSearching = true
        return (nil, Search(photo: photo, outline: outline, presentation: model.presentation))
      }
      if configuration.selectionLimit == 1, let shape = configuration.editing,
        photo.mediaType == .image
      {
        try model.edit(photo, shape)
        return (nil, nil)
      }
      try model.pick(photo, configuration)
      return (photo, nil)
    }
    if let picked { finishIfComplete(with: picked) }
    if let searched { keep(searched.presentation, Task { await self.search(searched) }) }
  }

  /// A photo in which a card is looked for.
  private struct Search {
    var photo: PickedPhoto
    var outline: Outline
    var presentation: Int
  }

  /// The longer side of the picture in which a card is looked for, in pixels.
  private static let searchBox = Dimensions(width: 2016, height: 2016)

  /// Finds the edges of the card in a photo, and shows them.
  private func search(_ search: Search) async {
    do {
      let picture = try await search.photo.image(fitting: Self.searchBox, .original)
      let correction = try await offThread { () throws(CaptureError) in
        try OutlineCorrection(search.outline.withoutFallback, in: picture.dimensions) {
          least throws(CaptureError) -> [DetectedOutline] in
          try OutlineDetector().outlines(in: picture, minimumConfidence: least)
        }
      }
      update { model in
        // Whoever sees the photo may use it at once.
        model.isSearching = false
        guard model.presentation == search.presentation, model.state.isPresented else { return }
        model.state.screen = .correcting(
          search.photo, correction.scaled(to: search.photo.originalDimensions))
        model.state.problem = nil
      }
    } catch {
      update { $0.isSearching = false }
      _ = report(PickerError(error), search.presentation)
    }
  }

  // MARK: Opening

  private func openedLibrary() throws(PickerError) -> (PhotoLibrary, SourceType) {
    let (library, state) = read { ($0.library, $0.state) }
    guard state.isPresented else { throw .notPresented }
    guard state.source != .camera else {
      throw .invalidRequest(reason: "Show the library first.")
    }
    if let library { return (library, state.source) }
    var advice = "It is being opened. Try again in a moment."
    if case .unavailable(let error) = state.library { advice = error.description }
    throw .sourceUnavailable(state.source, advice: advice)
  }

  /// Opens the library, also again after it couldn't be used.
  func openLibrary(_ presentation: Int) async {
    if read({ $0.state.library }) == .open { return }
    update(presentation) { $0.library = .opening }
    do {
      let library: PhotoLibrary
      if let known = configuration.library ?? read({ $0.library }) {
        library = known
      } else {
        library = try await PhotoLibrary.open(configuration.libraryConfiguration)
        // A new index is empty before the first scan; the person shall not see an empty library.
        try await library.update()
      }
      let preselected = try await preselection(from: library)
      let changes = library.changes
      update { model in
        model.library = library
        guard model.presentation == presentation, model.state.isPresented else { return }
        let known = Set(model.state.selection.map(\.id))
        model.state.selection += preselected.filter { !known.contains($0.id) }
        model.state.library = .open
      }
      keep(
        presentation,
        Task { [weak self] in
          for await change in changes { await self?.forgetRemoved(change, presentation) }
        })
    } catch {
      let problem = PickerError(error)
      update(presentation) { $0.library = .unavailable(problem) }
    }
  }

  private func preselection(from library: PhotoLibrary) async throws -> [PickedPhoto] {
    var result: [PickedPhoto] = []
    for id in configuration.preselectedAssetIDs where configuration.allowsMore(than: result.count) {
      guard let asset = try await library.asset(id: id), !asset.isRemoved else { continue }
      result.append(PickedPhoto(asset, from: .photoLibrary))
    }
    return result
  }

  /// What another program took away isn't picked any more.
  private func forgetRemoved(_ change: LibraryChange, _ presentation: Int) async {
    guard let library = read({ $0.library }) else { return }
    for photo in state.selection where photo.asset != nil {
      guard change.isEverything || change.removed.contains(photo.id) else { continue }
      let asset = try? await library.asset(id: photo.id)
      guard asset?.isRemoved != false else { continue }
      update(presentation) { state in
        state.selection.removeAll { $0.id == photo.id }
        state.problem = .photoGone(name: photo.name)
      }
    }
  }
}
