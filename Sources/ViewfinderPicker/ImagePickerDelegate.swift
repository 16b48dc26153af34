/// Gets what an ``ImagePicker`` picks; Apple's `UIImagePickerControllerDelegate`.
///
/// The calls come one after the other, on no particular thread. Of the last three exactly one comes for each time that
/// the picker is presented, when it is dismissed and the camera given back.
public protocol ImagePickerDelegate: AnyObject, Sendable {
  /// A photo was taken; the picker stays.
  func imagePicker(_ picker: ImagePicker, didTake photo: PickedPhoto)

  /// Photos were picked: one, or several in order.
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
