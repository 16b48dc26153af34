import CViewfinder
import Foundation
import Testing

@testable import Viewfinder

@Suite struct DeviceMonitorTests {
  @Test func aCameraThatIsPluggedInAndPulledOutIsToldOfOnceEach() async throws {
    let machine = try FakeMachine()
    let changes = Log<CaptureDevice.Change>()
    let subscription = machine.monitor.subscribe { changes.append($0) }
    #expect(subscription.nodes.isEmpty)
    try machine.plugIn("video0", id: "usb-1")
    #expect(await eventually { changes.all.count == 1 })
    try machine.unplug("video0")
    #expect(await eventually { changes.all.count == 2 })
    guard case .connected(let new) = changes.all[0], case .disconnected(let old) = changes.all[1]
    else {
      Issue.record("\(changes.all)")
      return
    }
    #expect(new.uniqueID == "usb-1")
    #expect(new === old)
  }

  @Test func aCameraIsToldOfWhenItMayBeOpenedAndNotBefore() async throws {
    let machine = try FakeMachine()
    let changes = Log<CaptureDevice.Change>()
    let subscription = machine.monitor.subscribe { changes.append($0) }
    try machine.plugIn("video0", id: "usb-1", kind: UInt32(VF_DEVICE_UNREADABLE))
    try await Task.sleep(for: .milliseconds(300))
    #expect(changes.all.isEmpty)
    try machine.plugIn("video0", id: "usb-1")
    #expect(await eventually { changes.all.count == 1 })
    withExtendedLifetime(subscription) {}
  }

  @Test func metadataNodesAreNoNews() async throws {
    let machine = try FakeMachine()
    let changes = Log<CaptureDevice.Change>()
    let subscription = machine.monitor.subscribe { changes.append($0) }
    try machine.plugIn("video1", id: "usb-1:1", kind: UInt32(VF_DEVICE_METADATA))
    try machine.plugIn("video0", id: "usb-1")
    #expect(await eventually { !changes.all.isEmpty })
    #expect(changes.all.count == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test func aCameraUnderAnotherNodeIsTheSameCamera() async throws {
    let machine = try FakeMachine()
    try machine.plugIn("video0", id: "usb-1")
    let changes = Log<CaptureDevice.Change>()
    let subscription = machine.monitor.subscribe { changes.append($0) }
    #expect(subscription.nodes.map(\.path) == ["/dev/video0"])
    try machine.unplug("video0")
    try machine.plugIn("video2", id: "usb-1")
    #expect(await eventually { changes.all.contains { $0.path == "/dev/video2" } })
    guard case .connected(let device) = changes.all.last else {
      Issue.record("\(changes.all)")
      return
    }
    #expect(device.uniqueID == "usb-1")
    #expect(changes.all.allSatisfy { $0.device === device })
  }

  @Test func severalAreToldAndTheWatchEndsWithTheLast() async throws {
    let machine = try FakeMachine()
    let (first, second) = (Log<CaptureDevice.Change>(), Log<CaptureDevice.Change>())
    var a: DeviceMonitor.Subscription? = machine.monitor.subscribe { first.append($0) }
    let b = machine.monitor.subscribe { second.append($0) }
    try machine.plugIn("video0", id: "usb-1")
    #expect(await eventually { first.all.count == 1 && second.all.count == 1 })
    withExtendedLifetime(a) {}
    a = nil
    try machine.plugIn("video1", id: "usb-2")
    #expect(await eventually { second.all.count == 2 })
    #expect(first.all.count == 1)
    withExtendedLifetime(b) {}
  }
}

extension CaptureDevice.Change {
  fileprivate var device: CaptureDevice {
    switch self {
    case .connected(let device), .disconnected(let device): device
    }
  }

  fileprivate var path: String { device.path }
}
