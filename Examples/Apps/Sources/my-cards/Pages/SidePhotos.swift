import BlockingWork
import CardBarcodes
import CardExchange
import CardModel
import CardStore
import ErrorWords
import Foundation
import Synchronization
import Viewfinder
import ViewfinderPicker
import ViewfinderPages
import WebServing

/// Photos of cards' sides: picked, cut to the card, made as large as a phone needs, and kept in the store.
final class SidePhotos: Sendable {
  /// What became of a request.
  struct Result: Codable, Sendable {
    struct Barcode: Codable, Sendable {
      var type: String
      var text: String
    }

    /// The request.
    var id: UUID
    /// The card; `nil` when the person cancelled.
    var picture: String?
    /// The photo that it was cut out of.
    var original: String?
    /// What the photo's bar codes say.
    var barcodes: [Barcode] = []
    /// What went wrong.
    var problem: ErrorWords?
  }

  let picker: ImagePicker
  let results = Watchers<Result>()
  private let page: PickerPage
  private let store: CardStore

  init(_ configuration: ImagePicker.Configuration, page: PickerPage, store: CardStore) {
    picker = ImagePicker(configuration, presenter: page)
    (self.page, self.store) = (page, store)
  }

  /// Shows the picker on a page.
  ///
  /// - Parameter page: The page that asks; `nil` for all.
  /// - Returns: The request that ``results`` tell of.
  /// - Throws: That the picker is shown already, here or on another page.
  func pick(for page: String?) throws -> UUID { try pick(for: page, keep) }

  /// Shows the picker for a side as ``pick(for:)`` does; codes that are read steadily in the live picture end it without a
  /// photo, and are all that the result has.
  ///
  /// - Parameter page: The page that asks; `nil` for all.
  /// - Returns: The request that ``results`` tell of.
  /// - Throws: That the picker is shown already, here or on another page.
  func scan(for page: String?) throws -> UUID { try pick(for: page, endsWithCodes: true, keep) }

  /// Shows the picker for a photo of another device's code, of which nothing is kept.
  ///
  /// - Parameters:
  ///   - page: The page that asks; `nil` for all.
  ///   - use: What is done with the code's text.
  /// - Returns: The request that ``results`` tell of, without the code.
  /// - Throws: That the picker is shown already, here or on another page.
  func pickCode(
    for page: String?, _ use: @escaping @Sendable (String) async throws -> Void
  ) throws -> UUID {
    try pick(for: page) { [self] photo, id in
      for picture in try await pictures(of: photo) {
        let codes = try BarcodeReader().barcodes(in: picture).filter { $0.type == .qrCode }
        guard let code = codes.first else { continue }
        try await use(code.text)
        return Result(id: id)
      }
      throw WebError(
        .unprocessableContent, "There is no QR code in the photo. Come closer, or paste its text.",
        code: "noQRCode")
    }
  }

  private func pick(
    for asker: String?, endsWithCodes: Bool = false,
    _ use: @escaping @Sendable (PickedPhoto, UUID) async throws -> Result
  ) throws -> UUID {
    let id = UUID()
    let reading = endsWithCodes ? Task { await steadyCodes() } : nil
    do {
      try page.open(picker, for: asker) {
        try picker.present { [self] outcome in
          reading?.cancel()
          Task(executorPreference: BlockingExecutor.shared) { [self] in
            var answer = await result(of: outcome, id, use)
            if case .cancelled = outcome { answer.barcodes = await reading?.value ?? [] }
            results.send(answer)
          }
        }
      }
    } catch {
      reading?.cancel()
      throw error
    }
    return id
  }

  /// Ends the picker when codes are read steadily; a photo that is taken or looked at goes before.
  private func steadyCodes() async -> [Result.Barcode] {
    var codes = SteadyCodes()
    for await objects in picker.metadataOutput.metadataObjects {
      guard let found = codes.look(at: objects), picker.awaitsPhoto, !Task.isCancelled else {
        continue
      }
      picker.cancel()
      return found.map { Result.Barcode(type: $0.type.rawValue, text: $0.text) }
    }
    return []
  }

  private func result(
    of outcome: ImagePicker.Outcome, _ id: UUID,
    _ use: (PickedPhoto, UUID) async throws -> Result
  ) async -> Result {
    switch outcome {
    case .picked(let photos):
      guard let photo = photos.first else { break }
      do {
        return try await use(photo, id)
      } catch {
        return Result(id: id, problem: ErrorWords(WebError(error)))
      }
    case .failed(let error): return Result(id: id, problem: ErrorWords(error))
    case .cancelled: break
    }
    return Result(id: id)
  }

  @Sendable private func keep(_ photo: PickedPhoto, _ id: UUID) async throws -> Result {
    let pictures = try await pictures(of: photo)
    var result = Result(id: id)
    result.picture = try store.addPicture(pictures[0]).text
    result.original = try store.addPicture(pictures[1]).text
    result.barcodes = barcodes(in: pictures)
    return result
  }

  /// The card, and the photo that it was cut out of.
  private func pictures(of photo: PickedPhoto) async throws -> [Data] {
    let card = try await photo.image(fitting: CardPhoto.cardBox)
    let original = try await photo.image(fitting: CardPhoto.originalBox, .original)
    return try [card, original].map { try $0.jpegData(quality: CardPhoto.quality) }
  }

  /// The bar codes of the first picture that has any.
  private func barcodes(in pictures: [Data]) -> [Result.Barcode] {
    for picture in pictures {
      let found = (try? BarcodeReader().barcodes(in: picture)) ?? []
      if !found.isEmpty { return found.map { .init(type: $0.type.rawValue, text: $0.text) } }
    }
    return []
  }
}
