// Makes photos of frames, several at a time, and tells the delegates in the order of the frames.
extension CapturePhotoOutput {
  /// Makes the photo of a request that has its frame, on a thread of the output's.
  func develop(
    _ request: PhotoRequest, _ frame: VideoFrame, _ connection: CaptureConnection
  ) {
    request.isCaptured = true
    // As it is when the frame comes, however late the photo is made.
    let orientation = request.settings.orientation ?? connection.orientation
    if let resolved = request.resolved {
      request.tell { [self] in $0.photoOutput(self, didCapturePhotoFor: resolved) }
    }
    processing.begin { [self] in
      if request.isFlashLit { connection.input.device.setFlash(lit: false) }
      let photo = Result { () throws(CaptureError) in
        try makePhoto(request, frame, connection, orientation)
      }
      return { [self] in hand(photo, to: request) }
    }
  }

  private func hand(_ result: Result<CapturePhoto, CaptureError>, to request: PhotoRequest) {
    // Whoever is told that the photo is finished may take the next.
    update { $0.processingCount -= 1 }
    switch result {
    case .success(let photo):
      keep(photo.content)
      request.tell { [self] in
        $0.photoOutput(self, didFinishProcessingPhoto: photo, error: nil)
        $0.photoOutput(self, didFinishCaptureFor: photo.resolvedSettings, error: nil)
      }
    case .failure(let error): report(request, error)
    }
  }

  private func makePhoto(
    _ request: PhotoRequest, _ frame: VideoFrame, _ connection: CaptureConnection,
    _ orientation: ImageOrientation
  ) throws(CaptureError) -> CapturePhoto {
    let settings = request.settings
    let source = try PhotoSource(frame, orientation: orientation)
    let metadata = connection.input.device.photoMetadata(settings.metadata, date: frame.date)
    let renderer = PhotoRenderer(encoder: encoder, expected: request.steadyOutline?.outline)
    let rendered = try renderer.render(
      source, crop: settings.crop, as: settings.encoding, metadata: metadata)
    let resolved = try resolve(
      request, rendered.crop, source.dimensions, orientation: source.orientation)
    request.resolved = resolved
    return CapturePhoto(
      timestamp: frame.timestamp, date: frame.date, sequenceNumber: frame.sequenceNumber,
      resolvedSettings: resolved, metadata: rendered.metadata, dimensions: rendered.dimensions,
      crop: rendered.crop, detectedOutline: rendered.detected,
      trackedIdentifier: request.steadyOutline?.identifier, fileType: settings.encoding.fileType,
      content: rendered.content)
  }

  /// Lets a photo keep the camera's buffer for a while, and no other one.
  private func keep(_ content: PhotoContent) {
    let borrower =
      content.isBorrowed
      ? Borrower(content: content, due: monotonicTime() + PhotoContent.patience) : nil
    let previous = state.withLock { state in
      defer { state.borrower = borrower }
      return state.borrower?.content
    }
    previous?.giveBack()
    // One that was made while the session stopped sees no frame any more.
    if session?.isRunning != true { giveBack() }
  }

  /// Takes the camera's buffer from the newest photo, if it is due.
  ///
  /// Frames are the clock: a timer would wake threads for each photo, and most are written and gone by then.
  func giveBack(at time: Duration = .seconds(Int64.max)) {
    let content = state.withLock { state -> PhotoContent? in
      guard let borrower = state.borrower, time >= borrower.due else { return nil }
      state.borrower = nil
      return borrower.content
    }
    // It copies; the camera waits for this thread.
    if let content { Blocking.later { content.giveBack() } }
  }

  /// What becomes of a request's settings with a picture of a size, as stored, and a crop.
  func resolve(
    _ request: PhotoRequest, _ crop: PhotoCrop, _ size: Dimensions, orientation: ImageOrientation
  ) throws(CaptureError) -> CaptureResolvedPhotoSettings {
    let settings = request.settings
    let upright = orientation.swapsDimensions ? size.swapped : size
    var photo = upright
    if let outline = crop.outline {
      photo = try outline.dimensions(in: upright)
    }
    let isTurned = !crop.isWhole || settings.fileType == .png
    return CaptureResolvedPhotoSettings(
      uniqueID: settings.uniqueID, captureDimensions: upright,
      photoDimensions: crop.rectifiedSize ?? photo,
      orientation: isTurned ? .up : orientation, isFlashEnabled: request.isFlashLit,
      isOutlineClipped: crop.outline?.isClipped(in: upright) ?? false)
  }

  /// Ends a request without a photo.
  func finish(_ request: PhotoRequest, with error: CaptureError) {
    stopSelfTimer(of: request)
    endWatch(of: request)
    putOutFlash(of: request)
    report(request, error)
  }

  /// The delegate's last calls of a request that failed.
  private func report(_ request: PhotoRequest, _ error: CaptureError) {
    let size =
      state.withLock { $0.format?.dimensions } ?? Dimensions(width: 0, height: 0)
    let resolved =
      request.resolved
      ?? CaptureResolvedPhotoSettings(
        uniqueID: request.settings.uniqueID, captureDimensions: size, photoDimensions: size,
        orientation: .up, isFlashEnabled: false, isOutlineClipped: false)
    request.tell { [self] delegate in
      if request.isCaptured {
        delegate.photoOutput(self, didFinishProcessingPhoto: nil, error: error)
      }
      delegate.photoOutput(self, didFinishCaptureFor: resolved, error: error)
    }
  }
}
