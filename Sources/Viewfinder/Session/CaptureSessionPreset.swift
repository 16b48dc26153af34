extension CaptureSession {
  /// A size and rate by name; Apple's `AVCaptureSession.Preset`.
  public struct Preset: RawRepresentable, Hashable, Sendable {
    /// Apple's string for the preset.
    public let rawValue: String

    /// Creates a preset from Apple's string.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The largest size, at up to 30 frames a second where the camera can.
    public static let photo = Preset(rawValue: "AVCaptureSessionPresetPhoto")
    /// 1920 × 1080, or the next best, at 30 frames a second.
    ///
    /// The default.
    public static let high = Preset(rawValue: "AVCaptureSessionPresetHigh")
    /// 1280 × 720, or the next best, at 30 frames a second.
    public static let medium = Preset(rawValue: "AVCaptureSessionPresetMedium")
    /// 640 × 480, or the next best, at 30 frames a second.
    public static let low = Preset(rawValue: "AVCaptureSessionPresetLow")
    /// 352 × 288 at 30 frames a second.
    public static let cif352x288 = Preset(rawValue: "AVCaptureSessionPreset352x288")
    /// 640 × 480 at 30 frames a second.
    public static let vga640x480 = Preset(rawValue: "AVCaptureSessionPreset640x480")
    /// 1280 × 720 at 30 frames a second.
    public static let hd1280x720 = Preset(rawValue: "AVCaptureSessionPreset1280x720")
    /// 1920 × 1080 at 30 frames a second.
    public static let hd1920x1080 = Preset(rawValue: "AVCaptureSessionPreset1920x1080")
    /// 3840 × 2160 at 30 frames a second.
    public static let hd4K3840x2160 = Preset(rawValue: "AVCaptureSessionPreset3840x2160")
    /// What ``CaptureDevice/setActiveFormat(_:)`` chose.
    public static let inputPriority = Preset(rawValue: "AVCaptureSessionPresetInputPriority")

    /// Those that there are.
    static let all: [Preset] = [
      .photo, .high, .medium, .low, .cif352x288, .vga640x480, .hd1280x720, .hd1920x1080,
      .hd4K3840x2160, .inputPriority,
    ]

    /// The size that the preset stands for; `nil` for the largest.
    var dimensions: Dimensions? {
      switch self {
      case .high, .hd1920x1080, .inputPriority: Dimensions(width: 1920, height: 1080)
      case .medium, .hd1280x720: Dimensions(width: 1280, height: 720)
      case .low, .vga640x480: Dimensions(width: 640, height: 480)
      case .cif352x288: Dimensions(width: 352, height: 288)
      case .hd4K3840x2160: Dimensions(width: 3840, height: 2160)
      default: nil
      }
    }

    /// Whether the preset names one size, which the camera must then have.
    var isExact: Bool {
      [.cif352x288, .vga640x480, .hd1280x720, .hd1920x1080, .hd4K3840x2160].contains(self)
    }
  }
}
