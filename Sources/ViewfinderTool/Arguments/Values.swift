import ArgumentParser
import Foundation
import Viewfinder

/// Why an argument's text isn't understood.
struct ArgumentProblem: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// Readers of single values, each with an error that names what is wrong.
enum Value {
  static func size(_ text: String) throws -> Dimensions {
    guard let size = Dimensions(text) else {
      throw ArgumentProblem("a size is WIDTHxHEIGHT in pixels, each from 1 to 65500.")
    }
    return size
  }

  static func rate(_ text: String) throws -> Double {
    guard let rate = number(text), rate > 0, rate <= 10_000 else {
      throw ArgumentProblem("a rate is a number of frames a second, such as 30 or 29.97.")
    }
    return rate
  }

  static func seconds(_ text: String) throws -> Double {
    guard let seconds = number(text), (0...86_400).contains(seconds) else {
      throw ArgumentProblem("a time is a number of seconds from 0 to 86400.")
    }
    return seconds
  }

  static func count(_ text: String) throws -> Int {
    guard let count = Int(text), count >= 1 else {
      throw ArgumentProblem("a count is a whole number from 1.")
    }
    return count
  }

  /// A video node's path, also for its number alone.
  static func node(_ text: String) -> String {
    Int(text).map { "/dev/video\($0)" } ?? Path(argument: text)?.textualPath ?? text
  }

  static func quality(_ text: String) throws -> Double {
    guard let quality = number(text), (1...100).contains(quality) else {
      throw ArgumentProblem("the quality is a number from 1 to 100.")
    }
    return quality / 100
  }

  static func alignment(_ text: String) throws -> LosslessCrop.Alignment {
    guard let alignment = LosslessCrop.Alignment(rawValue: text) else {
      throw ArgumentProblem("a lossless crop is aligned to grid or mcu, such as --lossless=grid.")
    }
    return alignment
  }

  static func prioritization(
    _ text: String
  ) throws -> CapturePhotoOutput.QualityPrioritization {
    let named = CapturePhotoOutput.QualityPrioritization.allCases.first {
      "\($0)" == text.lowercased()
    }
    guard let named else {
      throw ArgumentProblem("what to prioritize is speed, balanced or quality.")
    }
    return named
  }

  static func pixelFormat(_ text: String) throws -> PixelFormat {
    switch text.uppercased() {
    case "MJPEG": return .mjpeg
    case "I420": return .i420
    case let code:
      guard code.allSatisfy({ $0.isASCII && !$0.isWhitespace }), code.count == 4 || code.count == 3,
        let format = PixelFormat(code)
      else {
        throw ArgumentProblem("a format is V4L2's four characters, such as MJPG, YUYV or NV12.")
      }
      return format
    }
  }

  static func fileType(_ text: String) throws -> PhotoFileType {
    switch text.lowercased() {
    case "jpeg", "jpg": return .jpeg
    case "png": return .png
    default: throw ArgumentProblem("a file is jpeg or png.")
    }
  }

  static func scene(_ text: String) throws -> SimulatedCamera.Scene {
    guard let scene = SimulatedCamera.Scene(rawValue: text.lowercased()) else {
      let names = SimulatedCamera.Scene.allCases.map(\.rawValue).joined(separator: ", ")
      throw ArgumentProblem("the scenes are \(names).")
    }
    return scene
  }

  static func orientation(_ text: String) throws -> ImageOrientation {
    let named = ImageOrientation.allCases.first {
      "\($0)".lowercased() == text.lowercased() || "\($0.rawValue)" == text
    }
    guard let named else {
      let names = ImageOrientation.allCases.map { "\($0)" }.joined(separator: ", ")
      throw ArgumentProblem("an orientation is Exif's 1 to 8, or one of \(names).")
    }
    return named
  }

  static func flash(_ text: String) throws -> CapturePhotoSettings.FlashMode {
    switch text.lowercased() {
    case "off": return .off
    case "on": return .on
    case "auto": return .auto
    default: throw ArgumentProblem("the flash is on, off or auto.")
    }
  }

  /// A finite number, with a point whatever the locale.
  static func number(_ text: some StringProtocol) -> Double? {
    // Double's own reader also takes "nan", "inf" and hexadecimal.
    guard !text.isEmpty, text.allSatisfy({ "0123456789.+-eE".contains($0) }),
      let value = Double(text), value.isFinite
    else { return nil }
    return value
  }
}

/// What lies around an outline.
struct Background {
  /// `nil` for transparency.
  var color: PhotoColor?

  init(_ text: String) throws {
    switch text.lowercased() {
    case "white": color = .white
    case "black": color = .black
    case "transparent": color = nil
    case let code:
      let digits = code.hasPrefix("#") ? code.dropFirst() : code[...]
      guard digits.count == 6, digits.allSatisfy(\.isHexDigit),
        let value = UInt32(digits, radix: 16)
      else {
        throw ArgumentProblem("a background is white, black, transparent or RRGGBB.")
      }
      color = PhotoColor(
        red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xff), blue: UInt8(value & 0xff))
    }
  }
}

/// A control and the value to give it, as in "brightness=10".
struct ControlSetting {
  var name: String
  /// The value, or a menu item's name.
  var value: String

  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw ArgumentProblem("a control is set with NAME=VALUE, such as brightness=10.")
    }
    (name, value) = (String(parts[0]), String(parts[1]))
  }

  /// Gives the control of a locked device its value, and returns what the driver made of it.
  func apply(to device: CaptureDevice) throws(CaptureError) -> Int64 {
    if let value = Int64(value) { return try device.setControl(name, to: value) }
    guard let control = try device.control(named: name) else {
      // For the error that lists the controls.
      return try device.setControl(name, to: 0)
    }
    let item = control.menuItems.first { $0.name.caseInsensitiveCompare(value) == .orderedSame }
    guard let item else {
      throw .valueOutOfRange(name: name, value: value, accepted: control.acceptedValues)
    }
    return try device.setControl(name, to: item.value)
  }
}
