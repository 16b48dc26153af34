import Dispatch

// Makes photos of frames, and tells the delegates.
extension CapturePhotoOutput {
  /// Takes a request off a list because its photo is made now; `false` when it was withdrawn meanwhile.
  func beginProcessing(
    _ request: PhotoRequest, from list: WritableKeyPath<State, [PhotoRequest]>
  ) -> Bool {
    update { state in
      guard state[keyPath: list].take(request) else { return false }
      state.processingCount += 1
      return true
    }
  }

  /// Makes the photo, on the queue.
  func develop(
    _ request: PhotoRequest, _ frame: VideoFrame, _ connection: CaptureConnection
  ) {
    queue.async { [self] in
      if request.isFlashLit { connection.input.device.setFlash(lit: false) }
      process(request, frame, connection)
    }
  }

  private func process(
    _ request: PhotoRequest, _ frame: VideoFrame, _ connection: CaptureConnection
  ) {
    do throws(CaptureError) {
      let resolved = try makePhoto(request, frame, connection)
      // Whoever is told that the photo is finished may take the next.
      update { $0.processingCount -= 1 }
      request.delegate.photoOutput(self, didFinishCaptureFor: resolved, error: nil)
    } catch {
      update { $0.processingCount -= 1 }
      report(request, error)
    }
  }

  private func makePhoto(
    _ request: PhotoRequest, _ frame: VideoFrame, _ connection: CaptureConnection
  ) throws(CaptureError) -> CaptureResolvedPhotoSettings {
    let settings = request.settings
    let source = try PhotoSource(frame, orientation: settings.orientation ?? connection.orientation)
    let resolved = try resolve(request, source)
    request.resolved = resolved
    request.delegate.photoOutput(self, willBeginCaptureFor: resolved)
    request.delegate.photoOutput(self, willCapturePhotoFor: resolved)
    request.delegate.photoOutput(self, didCapturePhotoFor: resolved)
    let metadata = connection.input.device.photoMetadata(settings.metadata, date: frame.date)
    let rendered = try PhotoRenderer(encoder: try encoder())
      .render(source, crop: settings.crop, metadata: metadata)
    let photo = CapturePhoto(
      timestamp: frame.timestamp, date: frame.date, resolvedSettings: resolved,
      metadata: rendered.metadata, dimensions: rendered.dimensions, fileType: settings.fileType,
      photoCount: 1, data: rendered.data)
    request.delegate.photoOutput(self, didFinishProcessingPhoto: photo, error: nil)
    return resolved
  }

  private func encoder() throws(CaptureError) -> JPEGEncoder {
    if let encoder = state.withLock({ $0.encoder }) { return encoder }
    let encoder = try JPEGEncoder()
    state.withLock { $0.encoder = encoder }
    return encoder
  }

  private func resolve(_ request: PhotoRequest, _ source: PhotoSource)
    throws(CaptureError) -> CaptureResolvedPhotoSettings
  {
    let settings = request.settings
    let upright = source.uprightDimensions
    var photo = upright
    if let outline = settings.outline {
      photo = try outline.dimensions(in: upright)
    }
    let isCropped = settings.outline != nil || settings.rectifiedSize != nil
    let isTurned = isCropped || settings.fileType == .png
    return CaptureResolvedPhotoSettings(
      uniqueID: settings.uniqueID, captureDimensions: upright,
      photoDimensions: settings.rectifiedSize ?? photo,
      orientation: isTurned ? .up : source.orientation, isFlashEnabled: request.isFlashLit,
      expectedPhotoCount: 1)
  }

  /// Ends a request without a photo.
  func finish(_ request: PhotoRequest, with error: CaptureError) {
    stopSelfTimer(of: request)
    putOutFlash(of: request)
    queue.async { [self] in report(request, error) }
  }

  /// The delegate's last calls of a request that failed.
  private func report(_ request: PhotoRequest, _ error: CaptureError) {
    if request.resolved != nil {
      request.delegate.photoOutput(self, didFinishProcessingPhoto: nil, error: error)
    }
    let size =
      state.withLock { $0.format?.dimensions } ?? Dimensions(width: 0, height: 0)
    let resolved =
      request.resolved
      ?? CaptureResolvedPhotoSettings(
        uniqueID: request.settings.uniqueID, captureDimensions: size, photoDimensions: size,
        orientation: .up, isFlashEnabled: false, expectedPhotoCount: 0)
    request.delegate.photoOutput(self, didFinishCaptureFor: resolved, error: error)
  }
}
