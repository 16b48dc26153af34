import FaultInjection
import Foundation
import Testing

@testable import Viewfinder

@Suite struct CaptureDeviceTests {
  @Test func formatsTellLayoutsSizesAndRates() throws {
    let device = try SimulatedCamera().device
    let formats = try device.supportedFormats()
    for format in [PixelFormat.yuyv, .nv12, .mjpeg, .grey] {
      let sizes = formats.filter { $0.pixelFormat == format }.map(\.dimensions)
      #expect(sizes.contains(.qvga), "\(format)")
      #expect(sizes.contains(Dimensions(width: 3840, height: 2160)), "\(format)")
    }
    let vga = try #require(formats.first { $0.pixelFormat == .mjpeg && $0.dimensions == .vga })
    #expect(vga.videoSupportedFrameRateRanges.map(\.maxFrameRate).contains(30))
    #expect(
      vga.videoSupportedFrameRateRanges
        == vga.videoSupportedFrameRateRanges.sorted {
          $0.maxFrameRate < $1.maxFrameRate
        })
    #expect(vga.description.contains("MJPG 640x480"))
  }

  @Test func changesNeedTheLock() throws {
    let device = try SimulatedCamera().device
    #expect {
      try device.setControl("brightness", to: 1)
    } throws: { error in
      guard case CaptureError.invalidSettings(let reason) = error else { return false }
      return reason.contains("lockForConfiguration")
    }
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    #expect(try device.setControl("brightness", to: 7) == 7)
    #expect(try device.control(named: "brightness")?.value == 7)
  }

  @Test func aValueOutOfRangeIsRefusedWithTheRange() throws {
    let device = try SimulatedCamera().device
    try device.lockForConfiguration()
    let control = try #require(try device.control(named: "power_line_frequency"))
    #expect {
      try device.setControl("power_line_frequency", to: 99)
    } throws: { error in
      error as? CaptureError
        == .valueOutOfRange(
          name: "power_line_frequency", value: "99", accepted: control.acceptedValues)
    }
  }

  @Test func anUnknownControlIsRefusedWithTheListOfKnownOnes() throws {
    let device = try SimulatedCamera().device
    try device.lockForConfiguration()
    #expect {
      try device.setControl("warp", to: 1)
    } throws: { error in
      guard case CaptureError.unsupportedControl("warp", _, let reason) = error else {
        return false
      }
      return reason.contains("brightness")
    }
  }

  @Test func aControlThatHoldsNoSingleNumberIsRefusedByName() throws {
    let rig = try TamperedRig()
    // The driver says that each control is a text.
    unsafe rig.calls.after = { call, argument in
      guard call == .queryControl, let argument = unsafe argument else { return }
      unsafe argument.storeBytes(
        of: 7, toByteOffset: TamperedSystem.Offset.controlType, as: UInt32.self)
    }
    try rig.device.lockForConfiguration()
    #expect(try rig.device.control(named: "brightness")?.kind == .other)
    #expect { try rig.device.setControl("brightness", to: 7) } throws: { error in
      if case CaptureError.unsupportedControl("brightness", _, _) = error { true } else { false }
    }
  }

  @Test func manualExposureIsRefusedWhileAutomaticAndWorksAfterIt() throws {
    let device = try SimulatedCamera().device
    try device.lockForConfiguration()
    #expect(device.exposureMode == .continuousAutoExposure)
    #expect(device.isExposureModeSupported(.custom))
    #expect(!device.isExposureModeSupported(.autoExpose))
    #expect { try device.setControl("exposure_time_absolute", to: 100) } throws: { error in
      if case CaptureError.unsupportedControl("exposure_time_absolute", _, _) = error {
        true
      } else {
        false
      }
    }
    try device.setExposureModeCustom(duration: 0.01)
    #expect(device.exposureMode == .custom)
    #expect(device.exposureDuration == 0.01)
    try device.setExposureMode(.continuousAutoExposure)
    #expect(device.exposureMode == .continuousAutoExposure)
  }

  @Test func focusLocksAtALensPosition() throws {
    let device = try SimulatedCamera().device
    try device.lockForConfiguration()
    try device.setFocusModeLocked(lensPosition: 0.5)
    #expect(device.focusMode == .locked)
    #expect(abs(try #require(device.lensPosition) - 0.5) < 0.05)
    try device.setFocusMode(.continuousAutoFocus)
    #expect(device.focusMode == .continuousAutoFocus)
  }

  @Test func whiteBalanceZoomAndTorchAreSetByTheirNames() throws {
    let device = try SimulatedCamera().device
    try device.lockForConfiguration()
    try device.setWhiteBalanceModeLocked(temperature: 5000)
    #expect(device.whiteBalanceMode == .locked)
    #expect(device.whiteBalanceTemperature == 5000)
    #expect(device.maxAvailableVideoZoomFactor > 1)
    try device.setVideoZoomFactor(2)
    #expect(device.videoZoomFactor == 2)
    try device.setVideoZoomFactor(1000)
    #expect(device.videoZoomFactor == device.maxAvailableVideoZoomFactor)
    #expect(device.hasTorch)
    try device.setTorchMode(.on)
    #expect(device.torchMode == .on)
    try device.setTorchMode(.off)
    #expect(device.torchMode == .off)
  }

  @Test func aFormatOfAnotherCameraIsRefusedWithWhatComesNear() throws {
    let device = try SimulatedCamera().device
    try device.lockForConfiguration()
    let foreign = CaptureDevice.Format(
      pixelFormat: .yuyv, dimensions: Dimensions(width: 123, height: 45),
      videoSupportedFrameRateRanges: [], localizedName: "", isEmulated: false, dimensionRange: nil)
    #expect {
      try device.setActiveFormat(foreign)
    } throws: { error in
      guard
        case .unsupportedFormat(Simulator.path, "YUYV 123x45", let nearest)? =
          error as? CaptureError
      else { return false }
      return nearest.count == 4 && nearest[0].hasPrefix("320x240 (YUYV, ")
        && "\(error)".contains("viewfinder formats --simulate")
    }
  }

  @Test func anErrorNamesAFewReadableSizesOfACameraThatOffersHundreds() throws {
    let layouts: [PixelFormat] =
      (0..<80).compactMap { PixelFormat("X\($0)") } + [.yuyv, .nv12, .mjpeg, .grey, .rgb24]
    let sizes = [(320, 180), (640, 360), (640, 480), (1280, 720), (1920, 1080), (3840, 2160)]
    let formats = layouts.flatMap { layout in
      sizes.map { width, height in
        CaptureDevice.Format(
          pixelFormat: layout, dimensions: Dimensions(width: width, height: height),
          videoSupportedFrameRateRanges: [], localizedName: "", isEmulated: false,
          dimensionRange: nil)
      }
    }
    let wanted = StreamFormat(pixelFormat: .nv12, dimensions: Dimensions(width: 1280, height: 800))
    #expect(
      formats.nearest(to: wanted) == [
        "1280x720 (NV12, YUYV, MJPG, GREY and 1 more)",
        "1920x1080 (NV12, YUYV, MJPG, GREY and 1 more)",
        "640x480 (NV12, YUYV, MJPG, GREY and 1 more)",
        "640x360 (NV12, YUYV, MJPG, GREY and 1 more)",
      ])
    #expect(formats.filter { !$0.pixelFormat.isReadable }.nearest(to: wanted).isEmpty)
  }

  @Test func theLayoutThatIsWantedIsNamedWhereItIsFarAway() {
    func format(_ layout: PixelFormat, _ width: Int) -> CaptureDevice.Format {
      CaptureDevice.Format(
        pixelFormat: layout, dimensions: Dimensions(width: width, height: width),
        videoSupportedFrameRateRanges: [], localizedName: "", isEmulated: false,
        dimensionRange: nil)
    }
    let formats = [100, 110, 120, 130, 140].map { format(.mjpeg, $0) } + [format(.yuyv, 2000)]
    let wanted = StreamFormat(pixelFormat: .yuyv, dimensions: Dimensions(width: 90, height: 90))
    #expect(
      formats.nearest(to: wanted) == [
        "100x100 (MJPG)", "110x110 (MJPG)", "120x120 (MJPG)", "2000x2000 (YUYV)",
      ])
  }

  @Test func aRateThatTheFormatLacksIsRefused() throws {
    let device = try SimulatedCamera().device
    try device.lockForConfiguration()
    let format = try #require(
      device.formats.first { $0.pixelFormat == .mjpeg && $0.dimensions == .vga })
    try device.setActiveFormat(format)
    #expect(
      throws: CaptureError.valueOutOfRange(
        name: "frame rate", value: "1000", accepted: "2, 5, 10, 15, 20, 25, 30, 60 frames/s")
    ) {
      try device.setActiveVideoFrameDuration(FrameInterval(numerator: 1, denominator: 1000))
    }
    try device.setActiveVideoFrameDuration(FrameInterval(numerator: 1, denominator: 30))
  }

  @Test func simulatedCamerasAreNeverFound() throws {
    let camera = try SimulatedCamera()
    let found = CaptureDevice.DiscoverySession(deviceTypes: [
      .builtInWideAngleCamera, .external, .simulated,
    ])
    #expect(!found.devices.contains(camera.device))
  }

  @Test func aCameraThatIsNotThereIsNamedInTheError() {
    #expect(throws: CaptureError.deviceNotFound(name: "/dev/video99", available: [])) {
      try CaptureDevice.named("/dev/video99")
    }
    #expect {
      try CaptureDevice.named("no such camera")
    } throws: { error in
      if case CaptureError.deviceNotFound("no such camera", _) = error { true } else { false }
    }
  }

  @Test func otherMediaTypesAreRestricted() async {
    #expect(CaptureDevice.authorizationStatus(for: .audio) == .restricted)
    #expect(await CaptureDevice.requestAccess(for: .audio) == false)
  }

  @Test(arguments: ["nonsense@1", "stall@", "error@x", "unplug@5:"])
  func faultsThatAreNotUnderstoodAreRefused(faults: String) {
    var configuration = SimulatedCamera.Configuration()
    configuration.faults = faults
    #expect { try SimulatedCamera(configuration) } throws: { error in
      if case CaptureError.invalidSettings = error { true } else { false }
    }
  }

  @Test func aReplayThatIsNotThereIsNamedInTheError() {
    #expect(throws: CaptureError.cannotRead(path: "/no/such/folder", code: ENOENT)) {
      try SimulatedCamera(replaying: "/no/such/folder")
    }
  }
}
