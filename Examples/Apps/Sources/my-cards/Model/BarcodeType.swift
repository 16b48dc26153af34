/// The kinds of bar codes that Catima knows, by its names.
public enum BarcodeType: String, CaseIterable, Sendable {
  case aztec = "AZTEC"
  case codabar = "CODABAR"
  case code39 = "CODE_39"
  case code93 = "CODE_93"
  case code128 = "CODE_128"
  case dataMatrix = "DATA_MATRIX"
  case ean8 = "EAN_8"
  case ean13 = "EAN_13"
  case itf = "ITF"
  case pdf417 = "PDF_417"
  case qrCode = "QR_CODE"
  case upcA = "UPC_A"
  case upcE = "UPC_E"

  /// Whether it has modules in two directions, and not bars.
  public var isMatrix: Bool {
    switch self {
    case .aztec, .dataMatrix, .pdf417, .qrCode: true
    default: false
    }
  }
}
