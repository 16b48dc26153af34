import Viewfinder
import ViewfinderLibrary

/// Lets a person, or a program, pick photos from a camera or the photo library; `UIImagePickerController` and
/// `PHPickerViewController` to Apple's apps.
///
/// The picker is a model: a presenter shows its ``state`` and calls its methods. The photos arrive in one of three
/// ways: from ``pick()``, in a completion, or at the ``delegate``.
///
/// ```swift
/// var configuration = ImagePicker.Configuration()
/// configuration.editing = .card()
/// let picker = ImagePicker(configuration, presenter: presenter)
/// if let photo = try await picker.pick() {
///   try await photo.write(to: url)
/// }
/// ```
public final class ImagePicker: Sendable {
  /// How a presentation ends.
  public enum Outcome: Sendable {
    /// The person picked photos: one, or several in order.
    case picked([PickedPhoto])
    /// The person, or the program, cancelled.
    case cancelled
    /// The picker couldn't be shown.
    case failed(PickerError)
  }

  struct Model {
    var state = State()
    /// Counts presentations, so that what is late for one doesn't reach the next.
    var presentation = 0
    /// Whether the picker was dismissed, but the camera isn't given back yet.
    var isEnding = false
    var completion: (@Sendable (Outcome) -> Void)?
    /// What runs as long as the picker is presented.
    var tasks: [Task<Void, Never>] = []
    /// Waits for a camera that can be used.
    var waiting: Task<Void, Never>?
    /// What was picked before, which stays if nothing is picked now.
    var lastSelection: [PickedPhoto] = []
    /// The camera that was started last.
    var device: CaptureDevice?
    var library: PhotoLibrary?
    var captures: CaptureFolder?
    /// Ends what ``CameraActivity`` says.
    var stopActivity: (@Sendable () -> Void)?
    /// The request that waits for a card.
    var automaticRequest: Int64?
    /// Whether a card is looked for in a photo from the library.
    var isSearching = false
    /// The card that took its photo last.
    var lastCard: Int?
    weak var delegate: (any ImagePickerDelegate)?
  }

  /// What the picker offers.
  public let configuration: Configuration
  let camera = PickerCamera()
  private let presenter: any ImagePickerPresenter
  private let model = Mutex(Model())
  private let broadcast = Broadcast<State>(.states)
  /// Held while a request that waits for a card is made or taken back.
  let arming = Mutex(())
  /// Held while the state is told, so that the newest is told last.
  private let telling = Mutex(())

  /// Creates a picker that isn't presented yet.
  public init(
    _ configuration: Configuration = Configuration(), presenter: any ImagePickerPresenter
  ) {
    self.configuration = configuration
    self.presenter = presenter
  }

  deinit { for task in model.withLock({ $0.tasks }) { task.cancel() } }

  // MARK: State

  /// What is shown now.
  public var state: State { model.withLock { $0.state } }

  /// The state now and after each change.
  ///
  /// Each use makes a sequence of its own, which goes on after a presentation and ends with the picker. A reader
  /// who falls behind gets the newest.
  public var states: AsyncStream<State> {
    telling.withLock { _ in broadcast.subscribe(beginningWith: state) }
  }

  /// The delegate, which gets what the person picks; the picker holds it weakly.
  public var delegate: (any ImagePickerDelegate)? {
    get { model.withLock { $0.delegate } }
    set { model.withLock { $0.delegate = newValue } }
  }

  /// Whether the picker is shown; setting it presents or cancels.
  public var isPresented: Bool {
    get { state.isPresented }
    set {
      if newValue { try? present() } else { cancel() }
    }
  }

  /// Changes the model and tells those who watch.
  @discardableResult
  func update<R: Sendable, E: Error>(_ change: (inout Model) throws(E) -> R) throws(E) -> R {
    let result = try model.withLock { (model) throws(E) in try change(&model) }
    tell()
    return result
  }

  private func tell() { telling.withLock { _ in broadcast.send(state) } }

  /// Changes the state of a presentation, unless it is over.
  func update(_ presentation: Int, _ change: (inout State) -> Void) {
    update { model in
      if model.presentation == presentation, model.state.isPresented { change(&model.state) }
    }
  }

  func read<R: Sendable>(_ body: (Model) -> R) -> R { model.withLock { body($0) } }

  // MARK: Presenting

  /// Shows the picker.
  ///
  /// - Parameters:
  ///   - source: The source to show first, in place of ``Configuration/sourceType``.
  ///   - completion: Called once, after the picker has closed and released the camera.
  /// - Throws: ``PickerError/alreadyPresented``.
  public func present(
    from source: SourceType? = nil, _ completion: (@Sendable (Outcome) -> Void)? = nil
  ) throws(PickerError) {
    try begin(source ?? configuration.sourceType, completion)
  }

  /// Shows the picker; returns the presentation.
  @discardableResult
  private func begin(_ source: SourceType, _ completion: (@Sendable (Outcome) -> Void)?)
    throws(PickerError) -> Int
  {
    let presentation = try update { (model) throws(PickerError) in
      guard !model.state.isPresented, !model.isEnding else { throw .alreadyPresented }
      model.presentation += 1
      model.completion = completion
      model.lastSelection = model.state.selection
      model.state = State()
      model.state.camera.device = configuration.cameraDevice
      model.state.isPresented = true
      return model.presentation
    }
    keep(presentation, Task { await self.run(presentation, source) })
    return presentation
  }

  /// Shows the picker until the person picks a photo.
  ///
  /// Cancelling the task cancels the picker.
  ///
  /// - Returns: The first picked photo, or `nil` when the person cancelled.
  /// - Throws: ``PickerError/alreadyPresented``, ``PickerError/cancelled`` for a cancelled task,
  ///   ``PickerError/presenter(reason:)``.
  public func pick() async throws(PickerError) -> PickedPhoto? { try await pickPhotos().first }

  /// Shows the picker until the person picks photos.
  ///
  /// Cancelling the task cancels the picker.
  ///
  /// - Returns: The photos in order; none when the person cancelled.
  /// - Throws: ``PickerError/alreadyPresented``, ``PickerError/cancelled`` for a cancelled task,
  ///   ``PickerError/presenter(reason:)``.
  public func pickPhotos() async throws(PickerError) -> [PickedPhoto] {
    // Who is refused must not cancel the one that is shown.
    let own = Mutex<Int?>(nil)
    let cancelOwn = { @Sendable [self] in
      if let presentation = own.withLock({ $0 }) { finish(.cancelled, of: presentation) }
    }
    let result: Result<Outcome, PickerError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        do throws(PickerError) {
          let presentation = try begin(configuration.sourceType) {
            continuation.resume(returning: .success($0))
          }
          own.withLock { $0 = presentation }
          if Task.isCancelled { cancelOwn() }
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    } onCancel: {
      cancelOwn()
    }
    switch try result.get() {
    case .picked(let photos): return photos
    case .failed(let error): throw error
    case .cancelled:
      if Task.isCancelled { throw .cancelled }
      return []
    }
  }

  /// Dismisses the picker without a photo.
  ///
  /// It throws away a photo that the camera is taking, and does nothing when the picker isn't presented.
  public func cancel() { finish(.cancelled) }

  /// Dismisses the picker with the selection.
  ///
  /// - Throws: ``PickerError/busy`` while the camera takes a photo, ``PickerError/invalidRequest(reason:)`` when
  ///   nothing is picked.
  public func done() throws(PickerError) {
    let photos = try update { (model) throws(PickerError) in
      try model.requireIdle()
      guard !model.state.selection.isEmpty else {
        throw .invalidRequest(reason: "Nothing is picked yet. Take or choose a photo, or cancel.")
      }
      return model.state.selection
    }
    finish(.picked(photos))
  }

  /// Ends the presentation; the first call wins.
  func finish(_ outcome: Outcome, of presentation: Int? = nil) {
    let ending = update { model -> (tasks: [Task<Void, Never>], stop: (@Sendable () -> Void)?)? in
      guard model.state.isPresented, presentation ?? model.presentation == model.presentation
      else { return nil }
      model.state.isPresented = false
      model.state.screen = .source
      model.state.camera = Camera()
      if case .picked = outcome {} else { model.state.selection = model.lastSelection }
      model.lastSelection = []
      model.isEnding = true
      defer { (model.tasks, model.stopActivity, model.waiting) = ([], nil, nil) }
      return (model.tasks, model.stopActivity)
    }
    guard let ending else { return }
    ending.stop?()
    for task in ending.tasks { task.cancel() }
    Task {
      await camera.stop()
      let (delegate, completion) = update { model in
        model.isEnding = false
        defer { model.completion = nil }
        return (model.delegate, model.completion)
      }
      switch outcome {
      case .picked(let photos): delegate?.imagePicker(self, didFinishPicking: photos)
      case .cancelled: delegate?.imagePickerDidCancel(self)
      case .failed(let error): delegate?.imagePicker(self, didFailWith: error)
      }
      completion?(outcome)
    }
  }

  private func run(_ presentation: Int, _ wanted: SourceType) async {
    let first = await availableSource(preferring: wanted)
    keep(presentation, Task { try? await self.showSource(first) })
    do {
      try await presenter.present(self)
      finish(.cancelled, of: presentation)
    } catch {
      finish(.failed(PickerError(error)), of: presentation)
    }
  }

  /// Keeps a task until the presentation's end; ends it where that is over.
  func keep(_ presentation: Int, _ task: Task<Void, Never>) {
    let isOver = update { model in
      guard model.state.isPresented, model.presentation == presentation else { return true }
      model.tasks.append(task)
      return false
    }
    if isOver { task.cancel() }
  }
}

extension ImagePicker.Model {
  /// Refuses what can't be done while a photo is being taken or searched.
  func requireIdle() throws(PickerError) {
    guard state.isPresented else { throw .notPresented }
    guard state.camera.activity == .idle, !isSearching else { throw .busy }
  }
}
