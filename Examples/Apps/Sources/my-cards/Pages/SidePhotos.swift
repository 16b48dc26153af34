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

  /// What the picker ended with.
  private enum Found {
    case photo(PickedPhoto)
    /// Those that were read steadily in the live picture.
    case codes([Result.Barcode])
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
  func scan(for page: String?) throws -> UUID { try pick(for: page, reading: SteadyCodes(), keep) }

  /// Shows the picker for another device's code, of which nothing is kept: in the live picture, which ends it, or in a photo.
  ///
  /// - Parameters:
  ///   - page: The page that asks; `nil` for all.
  ///   - use: What is done with the code's text.
  /// - Returns: The request that ``results`` tell of, without the code.
  /// - Throws: That the picker is shown already, here or on another page.
  func pickCode(
    for page: String?, _ use: @escaping @Sendable (String) async throws -> Void
  ) throws -> UUID {
    try pick(for: page, reading: SteadyCodes(of: [.qrCode])) { [self] found, id in
      try await use(try await qrCode(in: found))
      return Result(id: id)
    }
  }

  private func qrCode(in found: Found) async throws -> String {
    switch found {
    case .codes(let codes): return codes[0].text
    case .photo(let photo):
      for picture in try await pictures(of: photo) {
        let codes = try BarcodeReader().barcodes(in: picture).filter { $0.type == .qrCode }
        if let code = codes.first { return code.text }
      }
      throw WebError(
        .unprocessableContent, "There is no QR code in the photo. Come closer, or paste its text.",
        code: "noQRCode")
    }
  }

  private func pick(
    for asker: String?, reading codes: SteadyCodes? = nil,
    _ use: @escaping @Sendable (Found, UUID) async throws -> Result
  ) throws -> UUID {
    let id = UUID()
    let reading = codes.map { codes in Task { await read(codes) } }
    do {
      try page.open(picker, for: asker) {
        try picker.present { [self] outcome in
          reading?.cancel()
          Task(executorPreference: BlockingExecutor.shared) { [self] in
            results.send(await result(of: outcome, await reading?.value ?? [], id, use))
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
  private func read(_ codes: SteadyCodes) async -> [Result.Barcode] {
    var codes = codes
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
    of outcome: ImagePicker.Outcome, _ codes: [Result.Barcode], _ id: UUID,
    _ use: (Found, UUID) async throws -> Result
  ) async -> Result {
    let found: Found?
    switch outcome {
    case .picked(let photos): found = photos.first.map(Found.photo)
    case .failed(let error): return Result(id: id, problem: ErrorWords(error))
    case .cancelled: found = codes.isEmpty ? nil : .codes(codes)
    }
    guard let found else { return Result(id: id) }
    do {
      return try await use(found, id)
    } catch {
      return Result(id: id, problem: ErrorWords(WebError(error)))
    }
  }

  @Sendable private func keep(_ found: Found, _ id: UUID) async throws -> Result {
    var result = Result(id: id)
    switch found {
    case .codes(let codes): result.barcodes = codes
    case .photo(let photo): try await keep(photo, in: &result)
    }
    return result
  }

  private func keep(_ photo: PickedPhoto, in result: inout Result) async throws {
    let pictures = try await pictures(of: photo)
    result.picture = try store.addPicture(pictures[0]).text
    result.original = try store.addPicture(pictures[1]).text
    result.barcodes = barcodes(in: pictures)
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
