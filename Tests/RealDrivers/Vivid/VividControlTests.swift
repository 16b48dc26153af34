import Foundation
import Testing
import Viewfinder

extension VividTests {
  @Suite("Controls") struct Controls {
    private let vivid: Vivid

    init() throws { vivid = try Vivid() }

    @Test(
      "Controls of every type are set and read back, and refused out of range",
      arguments: [
        ("brightness", Int64(77)), ("boolean", 0), ("integer_32_bits", -123_456),
        ("integer_64_bits", 1 << 40), ("menu", 4), ("integer_menu", 5), ("bitmask", 0x8000_2000),
      ])
    func controls(name: String, value: Int64) throws {
      let control = try #require(try vivid.webcam.control(named: name))
      try vivid.webcam.configure { device throws(CaptureError) in
        #expect(try device.setControl(name, to: value) == value)
        #expect(try device.control(named: name)?.value == value)
        try device.setControl(name, to: control.defaultValue)
      }
      #expect(try vivid.webcam.control(named: name)?.value == control.defaultValue)
    }

    @Test(
      "Controls that hold no single number are listed, and refused by name",
      arguments: [
        "string", "area", "u8_2x3x4x5_array", "u16_8x16_matrix", "u32_dynamic_array",
        "u32_1_element_array",
      ])
    func otherControls(name: String) throws {
      let control = try #require(try vivid.webcam.control(named: name))
      #expect(control.kind == .other)
      #expect { try vivid.set(name, 20) } throws: { error in
        if case CaptureError.unsupportedControl(name, _, _) = error { true } else { false }
      }
    }

    @Test("What a control doesn't take is refused by name") func refusals() throws {
      try vivid.press("button")
      #expect { try vivid.set("menu", 99) } throws: { error in
        if case CaptureError.valueOutOfRange("menu", "99", _) = error { true } else { false }
      }
      let name = "read_only_integer_32_bits"
      #expect { try vivid.set(name, 1) } throws: { error in
        if case CaptureError.unsupportedControl(name, _, _) = error { true } else { false }
      }
    }

    @Test("A second session on a device is told that the first has it") func ownHolder()
      async throws
    {
      let run = try await CameraRun(vivid.webcam, .yuyv, Vivid.size)
      await #expect {
        _ = try await CameraRun(vivid.webcam, .yuyv, Vivid.size)
      } throws: { error in
        guard case CaptureError.deviceInUse = error else { return false }
        return "\(error)".contains("another session of this program")
      }
      try await run.waitForFrames(2)
      _ = await run.stop()
    }

    @Test("Another program that streams is named") func otherHolder() async throws {
      let other = try Program("v4l2-ctl", "-d", vivid.webcam.path, "--stream-mmap")
      defer { other.end() }
      try await Task.sleep(for: .seconds(1))
      await #expect {
        _ = try await CameraRun(vivid.webcam, .yuyv, Vivid.size)
      } throws: { error in
        guard case CaptureError.deviceInUse(_, let holders) = error else { return false }
        return holders.contains { $0.name == "v4l2-ctl" && $0.processID == other.processID }
      }
    }
  }
}
