/// A camera control: any that the driver has, by its V4L2 name.
///
/// ``CaptureDevice/controls()`` lists them; ``CaptureDevice/setControl(_:to:)`` sets one.
public struct CaptureControl: Hashable, Sendable {
  /// What values a control takes.
  public enum Kind: Hashable, Sendable {
    /// Whole numbers from ``CaptureControl/minimum`` to ``CaptureControl/maximum`` in steps.
    case integer
    /// 0 or 1.
    case boolean
    /// One of ``CaptureControl/menuItems``.
    case menu
    /// Does something when you set it; has no value.
    case button
    /// A set of bits.
    case bitmask
    /// Text or a compound, which can't be set here.
    case other
  }

  /// A choice of a menu control.
  public struct MenuItem: Hashable, Sendable {
    /// The value to set.
    public let value: Int64
    /// The driver's words.
    public let name: String
  }

  /// The control's number (`V4L2_CID_…`).
  public let id: UInt32
  /// The name that `v4l2-ctl` shows, such as "white_balance_temperature".
  public let identifier: String
  /// The driver's name, such as "White Balance Temperature".
  public let localizedName: String
  /// What values the control takes.
  public let kind: Kind
  /// The lowest value.
  public let minimum: Int64
  /// The highest value.
  public let maximum: Int64
  /// The distance between values, at least 1.
  public let step: Int64
  /// The value that the driver starts with.
  public let defaultValue: Int64
  /// The value when the control was read.
  public let value: Int64
  /// Whether the control can only be read.
  public let isReadOnly: Bool
  /// Whether another control, usually an automatic one, keeps this one from having an effect
  /// (`V4L2_CTRL_FLAG_INACTIVE`).
  public let isInactive: Bool
  /// Whether the control can't be changed now, as while streaming (`V4L2_CTRL_FLAG_GRABBED`).
  public let isGrabbed: Bool
  /// Whether the camera changes the value itself (`V4L2_CTRL_FLAG_VOLATILE`).
  public let isVolatile: Bool
  /// The choices of a menu.
  public let menuItems: [MenuItem]

  /// The values that the control takes, in words.
  public var acceptedValues: String {
    switch kind {
    case .menu: menuItems.map { "\($0.value) (\($0.name))" }.joined(separator: ", ")
    case .boolean: "0 or 1"
    case .button: "no value"
    case .integer, .bitmask, .other:
      step == 1 ? "\(minimum) to \(maximum)" : "\(minimum) to \(maximum) in steps of \(step)"
    }
  }
}

/// The V4L2 controls that have a name of their own in ``CaptureDevice`` (`V4L2_CID_…`).
enum ControlID {
  static let autoWhiteBalance: UInt32 = 0x0098_090c
  static let doWhiteBalance: UInt32 = 0x0098_090d
  static let gain: UInt32 = 0x0098_0913
  static let whiteBalanceTemperature: UInt32 = 0x0098_091a
  static let exposureAuto: UInt32 = 0x009a_0901
  static let exposureAbsolute: UInt32 = 0x009a_0902
  static let focusAbsolute: UInt32 = 0x009a_090a
  static let focusAuto: UInt32 = 0x009a_090c
  static let zoomAbsolute: UInt32 = 0x009a_090d
  static let autoExposureBias: UInt32 = 0x009a_0913
  static let isoSensitivity: UInt32 = 0x009a_0917
  static let autoFocusStart: UInt32 = 0x009a_091c
  static let autoFocusStatus: UInt32 = 0x009a_091e
  static let cameraOrientation: UInt32 = 0x009a_0922
  static let flashLEDMode: UInt32 = 0x009c_0901
  static let flashStrobe: UInt32 = 0x009c_0903

  /// Controls that must be set before those that they govern.
  static let automatics: Set<UInt32> = [autoWhiteBalance, exposureAuto, focusAuto]
}
