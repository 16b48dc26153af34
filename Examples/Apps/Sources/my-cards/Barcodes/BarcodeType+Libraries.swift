import CZBar
import CZint
import CardModel

extension BarcodeType {
  /// The kind by ZBar's number; `nil` for one that wallets don't know.
  init?(_ symbol: zbar_symbol_type_t) {
    switch symbol {
    case ZBAR_EAN13, ZBAR_ISBN13: self = .ean13
    case ZBAR_EAN8: self = .ean8
    case ZBAR_UPCA: self = .upcA
    case ZBAR_UPCE: self = .upcE
    case ZBAR_CODE128: self = .code128
    case ZBAR_CODE39: self = .code39
    case ZBAR_CODE93: self = .code93
    case ZBAR_CODABAR: self = .codabar
    case ZBAR_I25: self = .itf
    case ZBAR_QRCODE: self = .qrCode
    case ZBAR_PDF417: self = .pdf417
    default: return nil
    }
  }

  /// The kind by Zint's number.
  var symbology: Int32 {
    switch self {
    case .itf: BARCODE_C25INTER
    case .code39: BARCODE_CODE39
    case .ean8, .ean13: BARCODE_EANX
    case .codabar: BARCODE_CODABAR
    case .code128: BARCODE_CODE128
    case .code93: BARCODE_CODE93
    case .upcA: BARCODE_UPCA
    case .upcE: BARCODE_UPCE
    case .pdf417: BARCODE_PDF417
    case .qrCode: BARCODE_QRCODE
    case .dataMatrix: BARCODE_DATAMATRIX
    case .aztec: BARCODE_AZTEC
    }
  }

  /// How much white a scanner wants around it, in modules.
  var quietZone: Int {
    switch self {
    case .ean13: 11
    case .upcA, .upcE: 9
    case .ean8: 7
    case .codabar, .code39, .code93, .code128, .itf: 10
    case .qrCode: 4
    case .pdf417, .dataMatrix, .aztec: 2
    }
  }
}
