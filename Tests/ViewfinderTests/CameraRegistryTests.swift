import CViewfinder
import FaultInjection
import Foundation
import Testing

@testable import Viewfinder

@Suite struct CameraRegistryTests {
  @Test func aCameraIsOneObjectHoweverOftenItIsFound() throws {
    let machine = try FakeMachine()
    try machine.plugIn("video0", id: "usb-1")
    try machine.plugIn("video2", id: "usb-2")
    let first = machine.registry.camera(at: try machine.node("video0"))
    #expect(machine.registry.camera(at: try machine.node("video0")) === first)
    #expect(machine.registry.camera(at: try machine.node("video2")) !== first)
  }

  @Test func threadsThatSearchAtOnceFindTheSameObject() throws {
    let machine = try FakeMachine()
    for number in 0..<4 { try machine.plugIn("video\(number)", id: "usb-\(number)") }
    let registry = machine.registry
    let nodes = try (0..<4).map { try machine.node("video\($0)") }
    for _ in 0..<200 {
      let found = Log<[CaptureDevice]>()
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        // Some let go of theirs at once: the last reference goes while others search.
        let cameras = nodes.map { registry.camera(at: $0) }
        if thread % 2 == 0 { found.append(cameras) }
      }
      for cameras in found.all {
        #expect(zip(cameras, found.all[0]).allSatisfy { $0 === $1 })
        #expect(cameras.map(\.uniqueID) == ["usb-0", "usb-1", "usb-2", "usb-3"])
      }
    }
  }

  @Test func aCameraThatComesBackUnderAnotherNodeIsTheSameObject() throws {
    let machine = try FakeMachine()
    try machine.plugIn("video0", id: "usb-1")
    let camera = machine.registry.camera(at: try machine.node("video0"))
    try machine.unplug("video0")
    #expect(throws: CaptureError.disconnected(device: "Camera")) { try camera.openGrabber() }
    try machine.plugIn("video4", id: "usb-1")
    #expect(machine.registry.camera(at: try machine.node("video4")) === camera)
    #expect(camera.path == "/dev/video4")
  }

  @Test func anotherModelInThePortIsAnotherCamera() throws {
    let machine = try FakeMachine()
    try machine.plugIn("video0", id: "usb-1", model: "HD Cam")
    let camera = machine.registry.camera(at: try machine.node("video0"))
    try machine.plugIn("video0", id: "usb-1", model: "Microscope")
    let other = machine.registry.camera(at: try machine.node("video0"))
    #expect(other !== camera)
    #expect(other.localizedName == "Microscope")
  }

  @Test func anObjectIsLetGoOfUntilItWasLocked() throws {
    let machine = try FakeMachine()
    let calls = try Calls()
    let backend = calls.backend
    try machine.plugIn("video0", id: "usb-1")
    let node = try machine.node("video0")
    weak let unlocked = machine.registry.camera(at: node, through: backend)
    #expect(unlocked == nil)
    try machine.registry.camera(at: node, through: backend).configure {
      device throws(CaptureError) in
      try device.setActiveFormat(device.formats.first)
    }
    let found = machine.registry.camera(at: node, through: backend)
    #expect(found.activeFormat != nil)
    machine.registry.forgetAll()
  }

  @Test func simulatedCamerasKeepDevicesOfTheirOwn() throws {
    let (first, second) = (try SimulatedCamera(), try SimulatedCamera())
    #expect(first.device !== second.device)
    #expect(first.device != second.device)
    #expect(try first.device.usingLibv4l2() === first.device)
    try first.device.lockForConfiguration()
    #expect { try second.device.setControl("brightness", to: 1) } throws: { error in
      if case CaptureError.invalidSettings = error { true } else { false }
    }
  }

  @Test func aCameraThroughLibv4l2IsOneObjectToo() throws {
    let machine = try FakeMachine()
    try machine.plugIn("video0", id: "usb-1")
    let camera = machine.registry.camera(at: try machine.node("video0"))
    let emulated = try camera.usingLibv4l2()
    #expect(emulated !== camera)
    #expect(try camera.usingLibv4l2() === emulated)
    #expect(try emulated.usingLibv4l2() === emulated)
  }

  // MARK: Nodes that change

  @Test func aCameraThroughLibv4l2IsFoundUnderItsNewNode() throws {
    let machine = try FakeMachine()
    try machine.plugIn("video0", id: "usb-1")
    let emulated = try machine.registry.camera(at: try machine.node("video0")).usingLibv4l2()
    try machine.unplug("video0")
    try machine.plugIn("video94", id: "usb-1")
    // There is no such node on this machine: what matters is which is opened.
    #expect(throws: CaptureError.deviceNotFound(name: "/dev/video94", available: [])) {
      try emulated.openGrabber()
    }
    #expect(emulated.path == "/dev/video94")
  }

  @Test func aSessionThatStartsAfterTheNodeMovedOpensTheNewOne() async throws {
    let machine = try FakeMachine()
    try machine.plugIn("video0", id: "usb-1")
    let calls = try Calls()
    let camera = machine.registry.camera(at: try machine.node("video0"), through: calls.backend)
    let session = CaptureSession(limits: Rig.patience)
    try session.setSessionPreset(.low)
    try session.addInput(CaptureDeviceInput(device: camera))
    // Another camera took its place.
    try machine.plugIn("video0", id: "usb-2", model: "Other")
    try machine.plugIn("video1", id: "usb-1")
    calls.opened.value = []
    try await session.startRunning()
    #expect(Set(calls.opened.value) == ["/dev/video1"])
    #expect(camera.path == "/dev/video1")
    await session.stopRunning()
  }

  @Test func aCameraThatIsGoneIsNotMistakenForTheOneInItsPlace() throws {
    let machine = try FakeMachine()
    try machine.plugIn("video0", id: "usb-1")
    let calls = try Calls()
    let camera = machine.registry.camera(at: try machine.node("video0"), through: calls.backend)
    try machine.plugIn("video0", id: "usb-2", model: "Other")
    #expect(throws: CaptureError.disconnected(device: "Camera")) {
      try CaptureDeviceInput(device: camera)
    }
    #expect(calls.opened.value.isEmpty)
  }

  @Test func aCameraFoundBeforeUdevNamedItsPortIsStillThere() throws {
    let machine = try FakeMachine()
    try machine.plugIn("video0", id: "usb-0000:00:14.0-3", busInfo: "usb-0000:00:14.0-3")
    let calls = try Calls()
    let camera = machine.registry.camera(at: try machine.node("video0"), through: calls.backend)
    try machine.plugIn("video0", id: "pci-0000:00:14.0-usb-0:3:1.0", busInfo: "usb-0000:00:14.0-3")
    _ = try CaptureDeviceInput(device: camera)
    #expect(calls.opened.value == ["/dev/video0"])
  }
}

/// What answers the calls to a fake machine's cameras: a simulated one, at any path.
private final class Calls: Sendable {
  let backend: CameraAddress.Backend
  /// The paths that were opened.
  let opened = Shared<[String]>([])

  init() throws {
    var configuration = SimulatedCamera.Configuration()
    configuration.source = .scene(.steady)
    let simulator = try SimulatedCamera(configuration).simulator
    let calls = unsafe TamperedSystem(
      TestTable(pointer: simulator.system, owner: simulator), path: Simulator.path)
    calls.willOpen = { [opened] path in
      opened.withLock { $0.append(path) }
      return 0
    }
    backend = .simulated(TamperedTable(calls.system))
  }
}
