import Foundation

extension CaptureDevice {
  /// What the camera tells about a photo, with `wanted`'s tags in place of the same.
  func photoMetadata(_ wanted: PhotoMetadata, date: Date) -> PhotoMetadata {
    var metadata = wanted
    metadata.make = wanted.make ?? (manufacturer.isEmpty ? nil : manufacturer)
    metadata.model = wanted.model ?? localizedName
    metadata.date = wanted.date ?? date
    metadata.uniqueID = wanted.uniqueID ?? Self.newUniqueID()
    let values = currentValues([
      ControlID.exposureAuto, ControlID.exposureAbsolute, ControlID.autoWhiteBalance,
      ControlID.isoSensitivity,
    ])
    let isExposureManual = values[ControlID.exposureAuto].map { $0 == 1 }
    metadata.isExposureManual = wanted.isExposureManual ?? isExposureManual
    // While the camera exposes by itself, most drivers keep reporting the last manual value.
    if isExposureManual == true {
      metadata.exposureTime =
        wanted.exposureTime ?? values[ControlID.exposureAbsolute].map(Self.seconds(ofExposure:))
    }
    metadata.isWhiteBalanceManual =
      wanted.isWhiteBalanceManual ?? values[ControlID.autoWhiteBalance].map { $0 == 0 }
    metadata.iso = wanted.iso ?? values[ControlID.isoSensitivity].map(Int.init)
    return metadata
  }

  /// 128 random bits in hexadecimal digits.
  private static func newUniqueID() -> String {
    (0..<2).reduce(into: "") { text, _ in
      let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
      text += String(repeating: "0", count: 16 - digits.count) + digits
    }
  }

  /// Lights the camera's lamp for a photo, or puts it out.
  ///
  /// No lock is needed, and the setting isn't remembered.
  func setFlash(lit: Bool) {
    setControlForNow(ControlID.flashLEDMode, to: lit ? 1 : 0)
    if lit, knownControl(ControlID.flashStrobe) != nil {
      setControlForNow(ControlID.flashStrobe, to: 1)
    }
  }
}
