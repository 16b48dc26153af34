import Foundation
public import Viewfinder
import ViewfinderLibrary

// What there is to pick from.
extension ImagePicker {
  /// Whether a source can be used on this machine.
  ///
  /// - Parameter source: The source.
  /// - Returns: For the camera, whether this process may open a connected one; for the library, whether it may read the
  ///   desktop's folder for pictures.
  public static func isSourceTypeAvailable(_ source: SourceType) async -> Bool {
    await advice(against: source, Configuration()) == nil
  }

  /// Whether there is such a camera on this machine: one camera counts as the rear one.
  public static func isCameraDeviceAvailable(_ device: CameraDevice) -> Bool {
    PickerCamera.device(device, of: nil) != nil
  }

  /// Whether a camera of this machine has a lamp.
  public static func isFlashAvailable(for device: CameraDevice) -> Bool {
    PickerCamera.device(device, of: nil)?.hasFlash ?? false
  }

  /// What a source offers: pictures from the camera, and also videos from the library.
  public static func availableMediaTypes(for source: SourceType) -> Set<MediaType> {
    source == .camera ? [.image] : [.image, .movie]
  }

  /// The kinds of bar codes that can be read in the live picture (``Configuration/codeTypes``): none without the package
  /// trait `Barcodes`.
  public static let availableCodeTypes: Set<MetadataObjectType> =
    Set(CaptureMetadataOutput().availableMetadataObjectTypes).subtracting([.outline])

  /// Why one of this picker's sources can't be used.
  ///
  /// - Parameter source: The source.
  /// - Returns: What the person can do, or `nil` when it can be used.
  public func adviceForUnavailableSource(_ source: SourceType) async -> String? {
    guard configuration.sourceTypes.contains(source),
      !configuration.mediaTypes.isDisjoint(with: Self.availableMediaTypes(for: source))
    else { return "This picker doesn't offer it." }
    return await Self.advice(against: source, configuration)
  }

  /// The source to begin with: the wanted one, or another where only that can be used.
  func availableSource(preferring wanted: SourceType) async -> SourceType {
    if await adviceForUnavailableSource(wanted) == nil { return wanted }
    for other in SourceType.allCases where other != wanted {
      if await adviceForUnavailableSource(other) == nil { return other }
    }
    return wanted
  }

  private static func advice(
    against source: SourceType, _ configuration: Configuration
  ) async -> String? {
    guard source == .camera else {
      if configuration.library != nil { return nil }
      let status = await PhotoLibrary.authorizationStatus(for: configuration.libraryConfiguration)
      guard case .denied(let problem) = status else { return nil }
      return problem.description
    }
    return PickerCamera.problem(with: configuration.cameras)?.description
  }

  // MARK: Switching

  /// Shows a source.
  ///
  /// Returns when the source is ready. A source that can't be used shows the reason in ``state``; the others stay
  /// usable.
  ///
  /// - Parameter source: One of the configuration's sources.
  /// - Throws: ``PickerError/notPresented``, ``PickerError/busy``, ``PickerError/invalidRequest(reason:)`` for a source that
  ///   the picker doesn't offer.
  public func showSource(_ source: SourceType) async throws(PickerError) {
    let presentation = try update { (model) throws(PickerError) in
      try model.requireIdle()
      guard configuration.sourceTypes.contains(source) else {
        throw .invalidRequest(reason: "This picker doesn't offer the \(source.name).")
      }
      model.state.source = source
      model.state.screen = .source
      model.state.problem = nil
      return model.presentation
    }
    if source == .camera {
      // A camera that runs, or waits for its plug, goes on.
      guard !state.camera.status.isAtWork else { return }
      await startCamera(presentation)
    } else {
      stopAwaitingCamera()
      await camera.stop()
      update(presentation) { $0.camera = Camera(device: $0.camera.device) }
      await openLibrary(presentation)
    }
  }

  /// Waits until the source is ready, or known to be unusable.
  func sourceDidSettle() async {
    for await state in states where state.isSettled { return }
  }
}

extension ImagePicker.CameraStatus {
  fileprivate var isAtWork: Bool {
    switch self {
    case .running, .interrupted, .starting: true
    case .off, .unavailable: false
    }
  }
}

extension ImagePicker.State {
  /// Whether it is known if the source can be used.
  var isSettled: Bool {
    guard isPresented else { return true }
    guard source == .camera else { return library != .closed && library != .opening }
    return camera.status != .off && camera.status != .starting
  }
}
