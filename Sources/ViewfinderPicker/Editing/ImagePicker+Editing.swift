import Viewfinder
import ViewfinderLibrary

// Cropping before a photo is used.
extension ImagePicker {
  /// Moves, zooms or turns the photo that the person is cropping.
  ///
  /// ``usePhoto()`` then takes it as it lies, ``retake()`` gives it up.
  ///
  /// - Parameter change: Changes how the photo lies under the frame.
  /// - Throws: ``PickerError/invalidRequest(reason:)`` when the picker shows no photo to crop.
  public func adjust(_ change: (inout PhotoAdjustment) -> Void) throws(PickerError) {
    try update { (model) throws(PickerError) in
      try model.requireIdle()
      guard case .editing(let photo, var adjustment) = model.state.screen else {
        throw .invalidRequest(reason: "No photo is being cropped. Choose one first.")
      }
      change(&adjustment)
      model.state.screen = .editing(photo, adjustment)
    }
  }

  /// Lets the person crop the photo that is shown, to any rectangle.
  ///
  /// - Throws: ``PickerError/invalidRequest(reason:)`` when the picker shows no photo to use, or one that was cropped to
  ///   its outline already.
  public func crop() throws(PickerError) {
    try update { (model) throws(PickerError) in
      try model.requireIdle()
      guard case .review(let photo) = model.state.screen, photo.canBeCropped,
        let size = photo.originalDimensions
      else { throw .invalidRequest(reason: "No photo is shown that can be cropped.") }
      model.state.screen = .editing(photo, PhotoAdjustment(pictureSize: size, shape: .free))
    }
  }

  /// Moves the edges of the card in the photo on the screen, or turns it.
  ///
  /// ``usePhoto()`` then cuts it out along them, ``retake()`` gives the photo up.
  ///
  /// - Parameter change: Changes the edges.
  /// - Throws: ``PickerError/invalidRequest(reason:)`` when the picker shows no card to correct.
  public func correct(_ change: (inout OutlineCorrection) -> Void) throws(PickerError) {
    try update { (model) throws(PickerError) in
      try model.requireIdle()
      guard case .correcting(let photo, var correction) = model.state.screen else {
        throw .invalidRequest(reason: "No card is being cut out. Take or choose a photo first.")
      }
      change(&correction)
      model.state.screen = .correcting(photo, correction)
    }
  }
}

extension PickedPhoto {
  /// Whether ``ImagePicker/crop()`` takes it, while it is shown to be used.
  public var canBeCropped: Bool { edit == nil && originalDimensions != nil }
}

extension ImagePicker.Configuration {
  /// The outline of cards that are to be found; `nil` for other outlines, and without one.
  var detectedOutline: Outline? {
    switch cameraOutline {
    case .detected, .inPixels(.detected): cameraOutline
    default: nil
    }
  }
}

extension ImagePicker.Model {
  /// Shows a photo from the library to be cropped.
  mutating func edit(_ photo: PickedPhoto, _ shape: PhotoAdjustment.Shape) throws(PickerError) {
    if let error = photo.asset?.error { throw .library(error) }
    guard let size = photo.originalDimensions else {
      throw .library(
        .unsupported(what: photo.name, reason: "its size isn't known, so it can't be cropped"))
    }
    state.screen = .editing(photo, PhotoAdjustment(pictureSize: size, shape: shape))
    state.problem = nil
  }
}
