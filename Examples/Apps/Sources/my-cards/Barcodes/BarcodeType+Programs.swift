import CardModel

extension BarcodeType {
  /// The kind by ZBar's name; `nil` for one that wallets don't know.
  init?(zbar name: String) {
    switch name {
    case "EAN-13", "ISBN-13": self = .ean13
    case "EAN-8": self = .ean8
    case "UPC-A": self = .upcA
    case "UPC-E": self = .upcE
    case "CODE-128": self = .code128
    case "CODE-39": self = .code39
    case "CODE-93": self = .code93
    case "Codabar": self = .codabar
    case "I2/5": self = .itf
    case "QR-Code": self = .qrCode
    case "PDF417": self = .pdf417
    default: return nil
    }
  }

  /// The kind by Zint's number.
  var zintNumber: Int {
    switch self {
    case .itf: 3
    case .code39: 8
    case .ean8, .ean13: 13
    case .codabar: 18
    case .code128: 20
    case .code93: 25
    case .upcA: 34
    case .upcE: 37
    case .pdf417: 55
    case .qrCode: 58
    case .dataMatrix: 71
    case .aztec: 92
    }
  }
}
