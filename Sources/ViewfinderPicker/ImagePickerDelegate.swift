/// Gets what an ``ImagePicker`` picks; Apple's `UIImagePickerControllerDelegate`.
///
/// The calls come one after the other, on no particular thread. For each presentation exactly one of the last three
/// comes, after the picker has closed and released the camera.
public protocol ImagePickerDelegate: AnyObject, Sendable {
  /// The camera took a photo; the picker stays.
  func imagePicker(_ picker: ImagePicker, didTake photo: PickedPhoto)

  /// The person picked photos: one, or several in order.
  func imagePicker(_ picker: ImagePicker, didFinishPicking photos: [PickedPhoto])

  /// The person, or the program, cancelled.
  func imagePickerDidCancel(_ picker: ImagePicker)

  /// The picker couldn't be shown.
  func imagePicker(_ picker: ImagePicker, didFailWith error: PickerError)
}

extension ImagePickerDelegate {
  /// Does nothing.
  public func imagePicker(_ picker: ImagePicker, didTake photo: PickedPhoto) {}
  /// Does nothing.
  public func imagePickerDidCancel(_ picker: ImagePicker) {}
  /// Does nothing.
  public func imagePicker(_ picker: ImagePicker, didFailWith error: PickerError) {}
}
