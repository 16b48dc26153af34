/// A photo in a larger size than the stream's: the stream changes its format for it.
final class StillPhoto: StillCapture {
  private let request: PhotoRequest
  private let size: Dimensions
  private let output: CapturePhotoOutput
  /// The camera restarts, so its exposure settles again.
  private let meter = Mutex(ExposureMeter())

  init(_ request: PhotoRequest, of size: Dimensions, output: CapturePhotoOutput) {
    self.request = request
    self.size = size
    self.output = output
  }

  var wanted: StreamFormat { StreamFormat(dimensions: size) }

  var isWanted: Bool { output.isWaitingForStill(request) }

  func stillDidStart(_ format: VideoFormat) {
    meter.withLock { meter in
      meter = ExposureMeter()
      output.stillDidStart(format, for: request, &meter)
    }
  }

  func consumeStill(_ frame: VideoFrame) -> Bool {
    meter.withLock { meter in
      meter.begin(at: frame.timestamp)
      return output.consumeStill(frame, for: request, &meter)
    }
  }

  func stillDidFail(_ error: CaptureError) { output.stillDidFail(request, error) }
}
