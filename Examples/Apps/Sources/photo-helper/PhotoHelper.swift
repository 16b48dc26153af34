import ViewfinderPicker

/// Gets a photo for whoever wants one: offers what there is, and returns what was picked.
///
/// ```swift
/// helper.pick(from: .camera) { photo in timeline.add(photo) }
/// ```
final class PhotoHelper: Sendable {
  let picker: ImagePicker

  init(_ configuration: ImagePicker.Configuration, presenter: any ImagePickerPresenter) {
    picker = ImagePicker(configuration, presenter: presenter)
  }

  /// The sources to offer: the camera only where there is one.
  func choices() async -> [ImagePicker.SourceType] {
    var choices: [ImagePicker.SourceType] = []
    for source in [ImagePicker.SourceType.camera, .photoLibrary]
    where await picker.adviceForUnavailableSource(source) == nil {
      choices.append(source)
    }
    return choices
  }

  /// Picks a photo.
  ///
  /// - Parameters:
  ///   - source: One of ``choices()``.
  ///   - completion: Gets the photo, once; `nil` when the person cancelled.
  /// - Throws: ``PickerError/alreadyPresented``.
  func pick(
    from source: ImagePicker.SourceType, completion: @escaping @Sendable (PickedPhoto?) -> Void
  ) throws(PickerError) {
    try picker.present(from: source) { outcome in
      if case .picked(let photos) = outcome { completion(photos.first) } else { completion(nil) }
    }
  }
}
