import Foundation
import Viewfinder

/// Pictures as the wallet keeps them: JPEGs of a size that a phone shows well, without anything but the picture.
public enum CardPhoto {
  /// The largest size of a card's side: twice the 300 dots an inch of a card are too fine for a screen.
  public static let cardBox = Dimensions(width: 1280, height: 1280)
  /// The largest size of the photo that it was cut out of.
  public static let originalBox = Dimensions(width: 2048, height: 2048)
  /// Good enough for fine print.
  public static let quality = 0.85

  /// Makes a wallet's picture of a JPEG or PNG file.
  ///
  /// - Parameters:
  ///   - data: The file.
  ///   - box: The largest size.
  /// - Returns: A JPEG, upright, without Exif data such as the place.
  /// - Throws: `CaptureError` for what is no picture.
  public static func jpeg(of data: Data, fitting box: Dimensions = cardBox) throws(CaptureError)
    -> Data
  {
    try PixelBuffer(decoding: data, fitting: box).jpegData(quality: quality)
  }
}
