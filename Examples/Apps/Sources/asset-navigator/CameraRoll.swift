import ErrorWords
import Foundation
import Synchronization
import ViewfinderLibrary
import ViewfinderPages
import ViewfinderPicker

/// Takes pictures with a picker, and saves them in the library.
///
/// A photo that can't be saved is kept until it can be, or until the person gives it up.
final class CameraRoll: Sendable {
  private struct Unsaved: Sendable {
    var photo: PickedPhoto
    /// The album to which it is added.
    var album: UUID?
  }

  private let picker: ImagePicker
  private let page: PickerPage
  private let library: NavigatorLibrary
  private let unsaved = Mutex<[Unsaved]>([])

  init(_ picker: ImagePicker, _ page: PickerPage, _ library: NavigatorLibrary) {
    (self.picker, self.page, self.library) = (picker, page, library)
  }

  /// Shows the camera, and saves the picture.
  ///
  /// - Parameters:
  ///   - album: An album that was made, to which the picture is added.
  ///   - asker: The page that asks; `nil` for all.
  /// - Throws: That the camera is shown already, here or on another page.
  func takePicture(into album: UUID?, for asker: String?) throws {
    try page.open(picker, for: asker) {
      try picker.present(from: .camera) { [self] outcome in
        switch outcome {
        case .picked(let photos):
          unsaved.withLock { $0 += photos.map { Unsaved(photo: $0, album: album) } }
          Task { await save() }
        case .failed(let error): library.change { $0.problem = ErrorWords(error) }
        case .cancelled: break
        }
      }
    }
  }

  /// Saves what waits; where that fails, tells why and keeps it.
  func save() async {
    var problem: ErrorWords?
    // What is taken out is saved by this call alone.
    while problem == nil, let next = unsaved.withLock({ $0.popLast() }) {
      do {
        let asset = try await library.opened().save(next.photo)
        library.change { $0.saved = .init(id: asset.id, name: asset.fileName) }
        problem = await problemOfAdding(asset, to: next.album)
      } catch {
        problem = ErrorWords(error)
        unsaved.withLock { $0.append(next) }
      }
    }
    tell(problem)
  }

  /// Gives up what waits.
  func discard() {
    unsaved.withLock { $0 = [] }
    tell(nil)
  }

  private func tell(_ problem: ErrorWords?) {
    let count = unsaved.withLock { $0.count }
    library.change { ($0.unsaved, $0.problem) = (count, problem) }
  }

  /// Adds a saved photo to an album; returns why that can't be.
  private func problemOfAdding(_ asset: Asset, to album: UUID?) async -> ErrorWords? {
    guard let album else { return nil }
    do {
      try await library.album(album).add([asset])
      return nil
    } catch {
      return ErrorWords(
        "\(asset.fileName) is saved, but not in the album. \(error)",
        Coded("notInAlbum", ["name": asset.fileName], because: [ErrorWords(error)]))
    }
  }
}
