public import Dispatch
public import Foundation

/// Receives what a ``CaptureMetadataOutput`` found; Apple's `AVCaptureMetadataOutputObjectsDelegate`.
public protocol CaptureMetadataOutputObjectsDelegate: AnyObject, Sendable {
  /// The output found something in a frame, or, when the list is empty, nothing any more. Called on the output's
  /// queue.
  func metadataOutput(
    _ output: CaptureMetadataOutput, didOutput metadataObjects: [any MetadataObject],
    from connection: CaptureConnection)
}

/// Finds cards, sheets and bar codes in the frames; Apple's `AVCaptureMetadataOutput`.
///
/// By delegate, or as a sequence:
///
/// ```swift
/// /// Tells of each card that the camera is shown.
/// func watch(_ output: CaptureMetadataOutput) async {
///   for await objects in output.metadataObjects {
///     for case let object as MetadataOutlineObject in objects {
///       print(object.card.identifier, object.card.outline.confidence, object.card.conditions.advice)
///     }
///   }
/// }
/// ```
///
/// Bar codes need the package trait `Barcodes`, and with it libzbar: without it they aren't among the
/// ``availableMetadataObjectTypes``.
///
/// It works beside the camera's other outputs, one frame at a time, and passes by the frames that come meanwhile: a slow
/// machine looks at fewer.
public final class CaptureMetadataOutput: CaptureOutput, @unchecked Sendable {
  private struct State {
    weak var delegate: (any CaptureMetadataOutputObjectsDelegate)?
    var queue: DispatchQueue?
    var types: [MetadataObjectType] = [.outline]
    var rectOfInterest = Outline.wholePicture
    /// The card in the last frame that was searched, and the codes in the last one that was read.
    var card: MetadataOutlineObject?
    var codes: [MetadataMachineReadableCodeObject] = []
    /// Whether frames come: what is found in the last one after the end counts no more.
    var isRunning = false
    /// Whether a frame's codes are being read.
    var isReading = false
    /// Whether what was told last was something.
    var hadObjects = false
    /// What the delegate hasn't been told of yet.
    var untold: [any MetadataObject]?
    /// The input whose frames are looked at.
    weak var followed: CaptureDeviceInput?
  }

  private let state = Mutex(State())
  private let broadcast = Broadcast<[any MetadataObject]>(.states)
  /// Reads codes: that takes longer than following a card, and keeps no card waiting.
  private let codeQueue = DispatchQueue(label: "viewfinder.codes", qos: .utility)
  private let reader = CodeReader()

  /// Creates an output that belongs to no session.
  public override init() { super.init() }

  deinit { state.withLock { $0.followed }?.outlineFollower.remove(self) }

  /// Sets the delegate, which the output holds weakly, and the serial queue for its calls.
  ///
  /// Without a delegate the calls end; without a queue, the output uses one of its own.
  public func setMetadataObjectsDelegate(
    _ delegate: (any CaptureMetadataOutputObjectsDelegate)?, queue: DispatchQueue?
  ) {
    state.withLock { state in
      state.delegate = delegate
      state.queue = delegate == nil ? nil : queue ?? DispatchQueue(label: "viewfinder.metadata")
    }
  }

  /// The delegate.
  public var metadataObjectsDelegate: (any CaptureMetadataOutputObjectsDelegate)? {
    state.withLock { $0.delegate }
  }

  /// What the output can find.
  public var availableMetadataObjectTypes: [MetadataObjectType] {
    [.outline] + CodeReader.types.keys.sorted { $0.rawValue < $1.rawValue }
  }

  /// What the output looks for; types that aren't available don't matter.
  ///
  /// The default is ``MetadataObjectType/outline``. With none it looks at no frame.
  public var metadataObjectTypes: [MetadataObjectType] {
    get { state.withLock { $0.types } }
    set { state.withLock { $0.types = newValue } }
  }

  /// The part of the upright picture, in its units, in which the middle of an object must lie.
  ///
  /// The default is the whole picture.
  public var rectOfInterest: CGRect {
    get { state.withLock { $0.rectOfInterest } }
    set { state.withLock { $0.rectOfInterest = newValue } }
  }

  /// What was found in each frame from now on: only the newest, so that a loop that falls behind skips to it.
  ///
  /// After something was found and is gone, an empty list comes once.
  ///
  /// Each use makes a sequence of its own, which goes on across interruptions, stops and starts, and ends with the
  /// output.
  public var metadataObjects: AsyncStream<[any MetadataObject]> { broadcast.subscribe() }

  // MARK: For the session

  override func consume(_ frame: VideoFrame, from connection: CaptureConnection) {
    let (wantsCards, codes, isStale) = state.withLock { state in
      state.isRunning = true
      let types = state.delegate != nil || broadcast.hasSubscribers ? state.types : []
      let wantsCards = types.contains(.outline)
      let codes = types.filter { CodeReader.types[$0] != nil }
      // What isn't looked for any more isn't there any more.
      let isStale = !wantsCards && state.card != nil || codes.isEmpty && !state.codes.isEmpty
      return (wantsCards, codes, isStale)
    }
    if isStale {
      tell(connection) { state in
        if !wantsCards { state.card = nil }
        if codes.isEmpty { state.codes = [] }
      }
    }
    if !codes.isEmpty { read(codes, in: frame, connection) }
    follow(wantsCards ? connection : nil)
    if wantsCards { connection.input.outlineFollower.consume(frame) }
  }

  override func sessionDidStop() {
    follow(nil)
    forget()
  }

  override func streamWasInterrupted(_ reason: CaptureError) { forget() }

  /// Nothing is there any more.
  private func forget() {
    guard let connection else { return }
    tell(connection) { ($0.isRunning, $0.card, $0.codes) = (false, nil, []) }
  }

  /// Reads a frame's codes, unless others are being read.
  private func read(
    _ types: [MetadataObjectType], in frame: VideoFrame, _ connection: CaptureConnection
  ) {
    let isBusy = state.withLock { state in
      defer { state.isReading = true }
      return state.isReading
    }
    guard !isBusy else { return }
    codeQueue.async { [weak self] in
      guard let self else { return }
      // A frame that can't be read has none.
      let found = try? reader.codes(in: frame, types, orientation: connection.orientation)
      let codes = (found ?? []).filter {
        let bounds = $0.bounds
        return self.rectOfInterest.contains(CGPoint(x: bounds.midX, y: bounds.midY))
      }
      state.withLock { $0.isReading = false }
      tell(connection) { $0.codes = $0.isRunning ? codes : [] }
    }
  }

  /// Hears of the cards in a connection's frames, and of no other's.
  private func follow(_ connection: CaptureConnection?) {
    let (before, now) = state.withLock { state in
      let before = state.followed
      state.followed = connection?.input
      return (before, connection?.input)
    }
    guard before !== now else { return }
    before?.outlineFollower.remove(self)
    guard let connection else { return }
    connection.input.outlineFollower.add(self) { [weak self] frame, card in
      guard let self else { return }
      let object = (card?.upright(connection.orientation)).flatMap { card in
        self.rectOfInterest.contains(card.outline.quadrilateral.center)
          ? MetadataOutlineObject(time: frame.timestamp, card: card) : nil
      }
      self.tell(connection) { $0.card = $0.isRunning ? object : nil }
    }
  }

  /// Tells what is there after a change.
  private func tell(_ connection: CaptureConnection, _ change: @Sendable (inout State) -> Void) {
    let queue = state.withLock { state -> DispatchQueue? in
      change(&state)
      let objects: [any MetadataObject] = (state.card.map { [$0] } ?? []) + state.codes
      guard !objects.isEmpty || state.hadObjects else { return nil }
      state.hadObjects = !objects.isEmpty
      broadcast.send(objects)
      guard state.delegate != nil else { return nil }
      // A delegate that is busy hears of the newest alone.
      defer { state.untold = objects }
      return state.untold == nil ? state.queue : nil
    }
    queue?.async { [weak self] in
      guard let self, let objects = self.state.withLock({ $0.untold.take() }) else { return }
      self.metadataObjectsDelegate?.metadataOutput(self, didOutput: objects, from: connection)
    }
  }
}
