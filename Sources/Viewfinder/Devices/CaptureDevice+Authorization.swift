import Foundation

extension CaptureDevice {
  /// Whether this process may use cameras.
  ///
  /// Linux grants access by the device node's owner, group and ACL. `.denied` means that there are
  /// nodes and this process may open none of them; ``authorizationDenial()`` then says what to do.
  /// The check opens all nodes and takes at most 10 seconds; ``requestAccess(for:)`` is the async
  /// form.
  public static func authorizationStatus(for mediaType: MediaType) -> AuthorizationStatus {
    guard mediaType == .video else { return .restricted }
    return authorizationDenial() == nil ? .authorized : .denied
  }

  /// Asks for access.
  ///
  /// Linux never asks the person: the answer is that of ``authorizationStatus(for:)``.
  ///
  /// - Parameters:
  ///   - mediaType: ``MediaType/video``.
  ///   - handler: Receives whether this process may use cameras, on a queue of the library.
  public static func requestAccess(
    for mediaType: MediaType, completionHandler handler: @escaping @Sendable (Bool) -> Void
  ) {
    Blocking.later { handler(authorizationStatus(for: mediaType) == .authorized) }
  }

  /// Asks for access.
  ///
  /// Linux never asks the person: the answer is that of ``authorizationStatus(for:)``.
  public static func requestAccess(for mediaType: MediaType) async -> Bool {
    await Blocking.run { authorizationStatus(for: mediaType) == .authorized }
  }

  /// Why this process may open no camera, and what to do about it; `nil` when it may open one, or
  /// there is none.
  ///
  /// The check opens all nodes and takes at most 10 seconds.
  public static func authorizationDenial() -> CaptureError? {
    let nodes = nodes()
    guard !nodes.contains(where: { $0.kind == .capture || $0.kind == .csi }) else { return nil }
    return nodes.first { [EACCES, EPERM, ENOENT].contains($0.accessError) }
      .map(CaptureError.init(opening:))
  }
}
