import Dispatch

// Photos that are taken later.
extension CapturePhotoOutput {
  /// The ticks of all self-timers from now on: at a timer's start, at each whole second that
  /// remains, and zero when it runs out or somebody cancels it.
  ///
  /// Each use makes a sequence of its own, which ends with the output. A reader who falls behind
  /// loses the oldest of more than 256 ticks.
  public var selfTimerTicks: AsyncStream<SelfTimerTick> { selfTimerBroadcast.subscribe() }

  /// Takes a request's photo when its self-timer runs out.
  func start(_ countdown: Countdown, of request: PhotoRequest) {
    let uniqueID = request.settings.uniqueID
    countdown.run(on: timerQueue) { [self] remaining in
      selfTimerBroadcast.send(SelfTimerTick(uniqueID: uniqueID, remaining: remaining))
      guard remaining > .zero else { return }
      request.tell { [self] in
        $0.photoOutput(self, selfTimerOf: uniqueID, didTick: remaining)
      }
    } completion: { [self] in
      release(request)
    }
  }

  /// Waits for a self-timer; cancelling the task ends that.
  func countDown(_ timer: SelfTimer, to uniqueID: Int64) async {
    let countdown = Countdown(timer)
    let (ticks, continuation) = AsyncStream.makeStream(
      of: Duration.self, bufferingPolicy: .bufferingNewest(sequenceLimit))
    countdown.run(on: timerQueue) {
      continuation.yield($0)
    } completion: {
      continuation.finish()
    }
    for await remaining in ticks {
      selfTimerBroadcast.send(SelfTimerTick(uniqueID: uniqueID, remaining: remaining))
    }
    if countdown.cancel() {
      selfTimerBroadcast.send(SelfTimerTick(uniqueID: uniqueID, remaining: .zero))
    }
  }

  /// Ends the self-timer of a request that has ended, if it runs.
  func stopSelfTimer(of request: PhotoRequest) {
    guard request.countdown?.cancel() == true else { return }
    selfTimerBroadcast.send(
      SelfTimerTick(uniqueID: request.settings.uniqueID, remaining: .zero))
  }
}
