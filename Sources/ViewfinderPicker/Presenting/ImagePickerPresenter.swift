/// Shows an ``ImagePicker``: in a window, on a page, or to nobody.
///
/// A presenter shows ``ImagePicker/states`` and calls the picker's methods for what the person does.
public protocol ImagePickerPresenter: Sendable {
  /// Shows the picker until it is dismissed, which also cancels the task.
  ///
  /// A presenter that returns while the picker is still presented, because somebody closed its window, cancels it.
  ///
  /// - Parameter picker: The picker, which is presented.
  /// - Throws: Why it can't be shown; the picker's result is then that error.
  func present(_ picker: ImagePicker) async throws
}

/// Shows a picker to nobody: a program does what a person would.
///
/// ```swift
/// let picker = ImagePicker(configuration, presenter: HeadlessPresenter { picker in
///   try await picker.takePicture()
///   try picker.usePhoto()
/// })
/// let photo = try await picker.pick()
/// ```
public struct HeadlessPresenter: ImagePickerPresenter {
  private let script: @Sendable (ImagePicker) async throws -> Void

  /// Creates a presenter.
  ///
  /// - Parameter script: Uses the picker, once its source is ready or known to be unusable. Its end cancels a picker
  ///   that is still presented.
  public init(_ script: @escaping @Sendable (ImagePicker) async throws -> Void) {
    self.script = script
  }

  /// Waits until the source is ready or can't be used, and runs the script.
  public func present(_ picker: ImagePicker) async throws {
    await picker.sourceDidSettle()
    try await script(picker)
  }
}
