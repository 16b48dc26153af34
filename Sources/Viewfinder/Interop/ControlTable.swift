import CViewfinder

extension CaptureControl {
  /// The control that the C core listed.
  init(_ control: vf_control, menu: [vf_menu_item]) {
    id = control.id
    identifier = text(of: control.identifier)
    localizedName = text(of: control.name)
    kind =
      switch control.type {
      case 1, 5: .integer
      case 2: .boolean
      case 3, 9: .menu
      case 4: .button
      case 8: .bitmask
      default: .other
      }
    minimum = control.minimum
    maximum = control.maximum
    step = max(control.step, 1)
    defaultValue = control.default_value
    value = control.value
    isReadOnly = control.flags & 0x4 != 0
    isInactive = control.flags & 0x10 != 0
    isGrabbed = control.flags & 0x2 != 0
    isVolatile = control.flags & 0x80 != 0
    menuItems = menu.map { item in
      let name = text(of: item.name)
      return MenuItem(value: item.index, name: name.isEmpty ? String(item.value) : name)
    }
  }
}

extension Grabber {
  /// The camera's controls with their menus.
  func captureControls() throws(CaptureError) -> [CaptureControl] {
    var result: [CaptureControl] = []
    for control in try controls() {
      let isMenu = control.type == 3 || control.type == 9
      result.append(CaptureControl(control, menu: isMenu ? try menu(of: control) : []))
    }
    return result
  }
}
