import ArgumentParser
import Foundation
import Viewfinder

/// Lists a camera's controls, and sets them.
struct ControlsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "controls",
    abstract: "List a camera's controls, and set them.",
    discussion: """
      JSON: {"device": {…}, "controls": [{"name", "description", "kind", "minimum", "maximum", \
      "step", "default", "value", "readOnly", "inactive", "grabbed", "volatile", "menu": \
      [{"value", "name"}]}]}
      """)

  @OptionGroup(title: "Camera options") var camera: DeviceOptions

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Set a control, such as brightness=10 or power_line_frequency=\"50 Hz\"; repeatable, in "
        + "this order.", valueName: "name=value"),
    transform: ControlSetting.init)
  var settings: [ControlSetting] = []

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let device = try camera.open().device
    try device.configure { (device) throws(CaptureError) in
      for setting in settings {
        let granted = try setting.apply(to: device)
        if let wanted = Int64(setting.value), granted != wanted {
          Terminal.warn("\(setting.name) became \(granted) instead of \(wanted).")
        }
      }
    }
    let controls = try device.controls()
    if json {
      try JSON.print(
        Report(device: DeviceReport(device), controls: controls.map(ControlReport.init)))
      return
    }
    Terminal.table(
      [["CONTROL", "VALUE", "DEFAULT", "TAKES", "NOTE"]]
        + controls.map { control in
          [
            control.identifier, "\(control.value)", "\(control.defaultValue)",
            control.acceptedValues, Self.note(control),
          ]
        })
  }

  private static func note(_ control: CaptureControl) -> String {
    [
      control.isReadOnly ? "read only" : nil,
      control.isInactive ? "governed by an automatic" : nil,
      control.isGrabbed ? "can't change now" : nil,
    ].compactMap { $0 }.joined(separator: ", ")
  }

  struct Report: Encodable {
    var device: DeviceReport
    var controls: [ControlReport]
  }

  struct ControlReport: Encodable {
    struct Item: Encodable {
      var value: Int64
      var name: String
    }

    var name: String
    var description: String
    var kind: String
    var minimum: Int64
    var maximum: Int64
    var step: Int64
    var `default`: Int64
    var value: Int64
    var readOnly: Bool
    var inactive: Bool
    var grabbed: Bool
    var volatile: Bool
    var menu: [Item]

    init(_ control: CaptureControl) {
      name = control.identifier
      description = control.localizedName
      kind = "\(control.kind)"
      (minimum, maximum) = (control.minimum, control.maximum)
      (step, `default`, value) = (control.step, control.defaultValue, control.value)
      (readOnly, inactive) = (control.isReadOnly, control.isInactive)
      (grabbed, volatile) = (control.isGrabbed, control.isVolatile)
      menu = control.menuItems.map { Item(value: $0.value, name: $0.name) }
    }
  }
}
