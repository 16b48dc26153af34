import CardBarcodes
import CardModel
import Viewfinder
import ViewfinderPicker

/// Believes codes of a live picture when several looks in a row read the same, for as long as it takes to see them.
///
/// A look that reads nothing counts for nothing: in a hand that shakes, frames in between can't be read.
struct SteadyCodes {
  /// How many looks it takes.
  static let looks = 3
  /// For how long at least.
  static let time = Duration.milliseconds(500)

  /// Which kinds count; others are passed over.
  private let kinds: Set<BarcodeType>
  private var last: Set<BarcodeReader.Barcode> = []
  /// When the camera captured what was looked at last, and what was the first of the same.
  private var (newest, first) = (Duration.zero, Duration.zero)
  private var count = 0

  /// Has seen nothing yet; the default is to look for all kinds that a card can show.
  init(of kinds: Set<BarcodeType> = Set(BarcodeType.allCases)) { self.kinds = kinds }

  /// Looks once.
  ///
  /// - Parameter objects: What was found in the live picture.
  /// - Returns: The codes, in a fixed order, when they have been the same for long enough.
  mutating func look(at objects: [any MetadataObject]) -> [BarcodeReader.Barcode]? {
    let codes = objects.compactMap { $0 as? MetadataMachineReadableCodeObject }
    // Of a frame, its codes come again with each card that is found meanwhile.
    guard let time = codes.map(\.time).max(), time != newest else { return nil }
    newest = time
    let found = Set(codes.compactMap(BarcodeReader.Barcode.init)).filter {
      kinds.contains($0.type)
    }
    guard !found.isEmpty else { return nil }
    if found != last { (last, first, count) = (found, time, 0) }
    count += 1
    guard count >= Self.looks, time - first >= Self.time else { return nil }
    return found.sorted { ($0.type.rawValue, $0.text) < ($1.type.rawValue, $1.text) }
  }
}

extension BarcodeReader.Barcode {
  /// What a card can show; `nil` for other kinds, and for what isn't text.
  fileprivate init?(_ code: MetadataMachineReadableCodeObject) {
    guard let type = Self.types[code.type], let text = code.stringValue, !text.isEmpty else {
      return nil
    }
    self.init(type: type, text: text)
  }

  private static let types: [MetadataObjectType: BarcodeType] = [
    .ean13: .ean13, .ean8: .ean8, .upce: .upcE, .code39: .code39, .code93: .code93,
    .code128: .code128, .interleaved2of5: .itf, .codabar: .codabar, .qr: .qrCode,
  ]
}

extension ImagePicker {
  /// Whether the live picture is shown and no photo is being taken.
  var awaitsPhoto: Bool {
    let state = state
    guard state.isPresented, state.source == .camera, case .source = state.screen else {
      return false
    }
    return state.camera.activity == .idle
  }
}
