import Foundation
import Testing
import Viewfinder
import ViewfinderLibrary

@testable import ViewfinderPicker

@Suite struct CameraTroubleTests {
  @Test("Without a camera the picker says so, and the library can be used")
  func noCamera() async throws {
    let rig = try PickerRig()
    try rig.add("a.png", try quarters(16, 16).pngData())
    let picker = rig.picker({
      $0.cameras = []
      $0.sourceTypes = [.camera, .photoLibrary]
    }) { picker in
      // It begins with what can be used.
      #expect(picker.state.source == .photoLibrary)
      try await picker.showSource(.camera)
      #expect(picker.state.camera.status == .unavailable(.noCamera))
      await #expect { try await picker.takePicture() } throws: { error in
        if case .sourceUnavailable(.camera, _) = error as? PickerError { true } else { false }
      }
      try await picker.showSource(.photoLibrary)
      let asset = try #require(try await picker.assets().asset(at: 0))
      try picker.toggle(asset)
    }
    #expect(try await picker.pick()?.asset?.fileName == "a.png")
  }

  @Test("Without a library the picker says so, and the camera can be used")
  func noLibrary() async throws {
    let rig = try PickerRig()
    try FileManager.default.removeItem(at: rig.pictures)
    let picker = rig.picker { picker in
      try await picker.showSource(.photoLibrary)
      guard case .unavailable(let problem) = picker.state.library else {
        Issue.record("\(picker.state.library)")
        return
      }
      let advice = problem.description
      #expect(advice.contains("Pictures"))
      await #expect(throws: PickerError.sourceUnavailable(.photoLibrary, advice: advice)) {
        try await picker.assets()
      }
      try await picker.showSource(.camera)
      try await picker.takePicture()
      try picker.usePhoto()
    }
    #expect(try await picker.pick()?.source == .camera)
  }

  @Test("A camera that is unplugged is told of, and goes on when it is back")
  func unplugged() async throws {
    let rig = try PickerRig()
    let picker = rig.picker { picker in
      rig.camera.unplug()
      for await state in picker.states {
        if case .interrupted(let reason) = state.camera.status {
          #expect(reason == .disconnected(device: "Simulated camera"))
          break
        }
      }
      await #expect { try await picker.takePicture() } throws: { error in
        if case PickerError.camera(.cancelled) = error { true } else { false }
      }
      #expect(picker.state.problem != nil)
      rig.camera.plugIn()
      for await state in picker.states where state.camera.status == .running { break }
      try await picker.takePicture()
      #expect(picker.state.message == nil)
      try picker.usePhoto()
    }
    #expect(try await picker.pick() != nil)
  }

  @Test("One camera is the rear one; with two, the person can switch")
  func switches() async throws {
    let rig = try PickerRig()
    let alone = rig.picker { picker in
      #expect(picker.state.camera.device == .rear)
      #expect(!picker.state.camera.canSwitch)
      #expect(!picker.state.camera.isPreviewMirrored)
      await #expect { try await picker.switchCamera() } throws: { error in
        if case PickerError.invalidRequest = error { true } else { false }
      }
    }
    _ = try await alone.pick()
    let both = rig.picker({ $0.cameras = [rig.camera.device, rig.second.device] }) { picker in
      #expect(picker.state.camera.canSwitch)
      try await picker.switchCamera()
      #expect(picker.state.camera.device == .front)
      #expect(picker.state.camera.status == .running)
      #expect(picker.state.camera.isPreviewMirrored)
      try await picker.takePicture()
      try picker.usePhoto()
    }
    #expect(try await both.pick() != nil)
  }

  @Test("The configuration names the camera to begin with, which another source doesn't change")
  func firstCamera() async throws {
    let rig = try PickerRig()
    let alone = rig.picker({ $0.cameraDevice = .front }) { picker in
      #expect(picker.state.camera.device == .rear)
      #expect(picker.state.camera.status == .running)
    }
    _ = try await alone.pick()
    let both = rig.picker({
      $0.cameras = [rig.camera.device, rig.second.device]
      $0.cameraDevice = .front
    }) { picker in
      #expect(picker.state.camera.device == .front)
      #expect(picker.state.camera.name == rig.second.device.localizedName)
      try await picker.showSource(.photoLibrary)
      try await picker.showSource(.camera)
      #expect(picker.state.camera.device == .front)
    }
    _ = try await both.pick()
  }

  @Test("Flash and zoom are set within what the camera has")
  func controls() async throws {
    let rig = try PickerRig()
    let picker = rig.picker { picker in
      #expect(picker.state.camera.flashModes.contains(.on))
      try picker.setFlashMode(.on)
      #expect(picker.state.camera.flashMode == .on)
      try picker.setZoomFactor(100)
      #expect(picker.state.camera.zoomFactor == picker.state.camera.maxZoomFactor)
      #expect { try picker.setZoomFactor(.nan) } throws: { error in
        if case PickerError.camera(.valueOutOfRange("zoom factor", "nan", _)) = error {
          true
        } else {
          false
        }
      }
      try picker.focus()
      try await picker.takePicture()
      try picker.usePhoto()
    }
    #expect(try await picker.pick() != nil)
  }

  @Test("While a timer runs it is shown, other controls are off, and it can be stopped")
  func timer() async throws {
    let rig = try PickerRig()
    let picker = rig.picker { picker in
      let shot = Task { try await picker.takePicture(after: .delay(.seconds(600))) }
      for await state in picker.states {
        if case .waiting(let remaining) = state.camera.activity {
          #expect(remaining <= .seconds(600))
          break
        }
      }
      #expect(!picker.state.camera.areControlsEnabled)
      #expect(throws: PickerError.busy) { try picker.setFlashMode(.on) }
      #expect(throws: PickerError.busy) { try picker.done() }
      await #expect(throws: PickerError.busy) { try await picker.showSource(.photoLibrary) }
      await #expect(throws: PickerError.busy) { try await picker.takePicture() }
      picker.stopCapture()
      await #expect { try await shot.value } throws: { error in
        if case PickerError.camera(.cancelled) = error { true } else { false }
      }
      #expect(picker.state.camera.areControlsEnabled)
      try await picker.takePicture(after: .delay(.milliseconds(20)))
      try picker.usePhoto()
    }
    #expect(try await picker.pick() != nil)
  }

  @Test("A photo that can't be saved is told of, and the picker goes on")
  func cannotSave() async throws {
    let rig = try PickerRig()
    let picker = rig.picker({ $0.captureFolder = URL(fileURLWithPath: "/proc/nowhere") }) {
      picker in
      await #expect(throws: PickerError.camera(.cannotWrite(path: "/proc/nowhere", code: ENOENT))) {
        try await picker.takePicture()
      }
      #expect(picker.state.message?.contains("/proc/nowhere") == true)
      #expect(picker.state.camera.areControlsEnabled)
    }
    #expect(try await picker.pick() == nil)
  }
}
