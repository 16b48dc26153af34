import ErrorWords
import Foundation
import Synchronization
import ViewfinderLibrary
import ViewfinderPages
import WebServing

/// The photo library, opened as soon as it may be, and what pages must know of it.
final class NavigatorLibrary: Sendable {
  private struct Model {
    var state = NavigatorState()
    var library: PhotoLibrary?
    var isOpening = false
  }

  private let configuration: PhotoLibrary.Configuration
  private let model = Mutex(Model())
  private let watchers = Watchers<NavigatorState>()

  init(_ configuration: PhotoLibrary.Configuration) {
    self.configuration = configuration
    change { $0.folder = configuration.roots?.first?.lastPathComponent ?? "" }
  }

  // MARK: State

  /// The state now and after each change, until the reader goes away.
  func watch() -> (values: AsyncStream<NavigatorState>, end: @Sendable () -> Void) {
    model.withLock { model in
      defer { watchers.send(model.state) }
      return watchers.watch()
    }
  }

  /// The state now.
  var state: NavigatorState { model.withLock { $0.state } }

  func change(_ body: (inout NavigatorState) -> Void) {
    // With the lock held, so that the newest is told last.
    model.withLock { model in
      let before = model.state
      body(&model.state)
      if model.state != before { watchers.send(model.state) }
    }
  }

  // MARK: Opening

  /// Opens the library, and again whenever its folders allow something else.
  func followAuthorization() async {
    for await _ in PhotoLibrary.authorizationUpdates(for: configuration) {
      // Who is opening it already may have looked too early.
      while await !open() { try? await Task.sleep(for: .milliseconds(100)) }
    }
  }

  /// Opens the library, also again after it couldn't be; of an open one it looks again what is allowed, and closes it
  /// where nothing is.
  ///
  /// `false` where it is being opened already.
  @discardableResult
  func open() async -> Bool {
    let begins = model.withLock { model in
      defer { model.isOpening = true }
      return !model.isOpening
    }
    guard begins else { return false }
    defer { model.withLock { $0.isOpening = false } }
    do {
      let status = await PhotoLibrary.authorizationStatus(for: configuration)
      if case .denied(let problem) = status { throw PhotoLibraryError.notAuthorized(problem) }
      if model.withLock({ $0.library }) == nil {
        follow(try await PhotoLibrary.open(configuration))
      }
      change { state in
        (state.access, state.advice, state.canSave) = (.open, nil, true)
        if case .readOnly(let problem) = status {
          (state.advice, state.canSave) = (ErrorWords(problem), false)
        }
      }
    } catch {
      close()
      change { state in
        state.access = .denied
        // Of what isn't allowed, only what to do: the page says the rest.
        if case PhotoLibraryError.notAuthorized(let problem) = error {
          state.advice = ErrorWords(problem)
        } else {
          state.advice = ErrorWords(error)
        }
      }
    }
    return true
  }

  /// Nothing is shown any more of folders that may not be read.
  private func close() {
    let library = model.withLock { model in
      defer { model.library = nil }
      return model.library
    }
    // Not with the lock held: it ends what it is doing.
    withExtendedLifetime(library) {}
  }

  private func follow(_ library: PhotoLibrary) {
    model.withLock { $0.library = library }
    change { $0.isScanning = true }
    let changes = library.changes
    Task { for await _ in changes { change { $0.version += 1 } } }
    Task { await scan(library) }
  }

  /// Waits for what other programs did while nobody looked.
  private func scan(_ library: PhotoLibrary) async {
    let problems: [ErrorWords]
    do {
      problems = try await library.update().problems.map { ErrorWords($0) }
    } catch {
      problems = [ErrorWords(error)]
    }
    change { state in
      (state.isScanning, state.problems) = (false, problems)
      state.version += 1
    }
  }

  // MARK: Finding

  /// The library.
  ///
  /// - Throws: Why it isn't open.
  func opened() throws -> PhotoLibrary {
    let (library, state) = model.withLock { ($0.library, $0.state) }
    guard let library else {
      let opens = ErrorWords(
        "The library is being opened. Try again in a moment.", Coded("libraryOpens"))
      throw WebError(.serviceUnavailable, state.advice ?? opens)
    }
    return library
  }

  func album(_ id: UUID) async throws -> Album {
    guard let album = try await opened().album(id: id) else {
      throw PhotoLibraryError.notFound(what: "such album any more")
    }
    return album
  }

  /// The assets with these ids that are still there.
  ///
  /// - Throws: An error where none is.
  func assets(_ ids: [UUID]) async throws -> [ViewfinderLibrary.Asset] {
    let assets = try await opened().assets(ids: ids)
    guard !assets.isEmpty else { throw PhotoLibraryError.notFound(what: "such photo any more") }
    return assets
  }

  func asset(_ id: UUID) async throws -> ViewfinderLibrary.Asset {
    guard let asset = try await opened().asset(id: id) else {
      throw PhotoLibraryError.notFound(what: "such photo any more")
    }
    return asset
  }
}
