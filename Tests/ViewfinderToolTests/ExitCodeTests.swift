import Foundation
import Testing
import Viewfinder

@testable import viewfinder

@Suite struct ExitCodeTests {
  static let mistakes: [([String], String)] = [
    (["frob"], "frob"),
    (["photo", "--size", "1920"], "WIDTHxHEIGHT"),
    (["photo", "--rate", "-1"], "29.97"),
    (["photo", "--format", "TOOLONG"], "MJPG"),
    (["photo", "--quality", "0"], "1 to 100"),
    (["photo", "--background", "mauve"], "RRGGBB"),
    (["crop", "a.jpg", "-o", "b.jpg", "--prioritize", "best"], "speed, balanced or quality"),
    (["photo", "--orientation", "9"], "1 to 8"),
    (["photo", "--count", "0"], "from 1"),
    (["photo", "--set", "brightness"], "NAME=VALUE"),
    (["photo", "--simulate=moon"], "steady"),
    (["photo", "--simulate=moon", "--size", "320x240"], "steady"),
    (["photo", "--simulate="], "steady"),
    (["photo", "--simulate", "--replay", "x"], "exclude"),
    (["photo", "--faults", "eio@1"], "--simulate"),
    (["photo", "--simulate", "--interval", "2", "-o", "-"], "standard output"),
    (["photo", "--simulate", "--max-bytes", "0"], "from 1"),
    (["photo", "--simulate", "--json", "-o", "-"], "standard output"),
    (["photo", "--simulate", "--count", "2", "-o", "-"], "standard output"),
    (["photo", "--simulate", "--background", "transparent"], "png"),
    (["photo", "--simulate", "--outline", "rect:0,0,0,1"], "W must be"),
    (["photo", "--simulate", "-o", "a.gif"], "JPEG (.jpg) or PNG (.png)"),
    (["photo", "--simulate", "--type", "jpeg", "-o", "a.webp"], "JPEG (.jpg) or PNG (.png)"),
    (["photo", "--simulate", "--type", "png", "-o", "a.jpg"], ".png"),
    (["crop", "a.jpg", "-o", "b.HEIC"], "JPEG (.jpg) or PNG (.png)"),
    (["crop", "a.jpg"], "-o"),
    (["crop", "a.jpg", "b.jpg", "-o", "c.jpg"], "-o FOLDER/"),
    (["crop", "a/x.jpg", "b/x.jpg", "-o", "c/"], "x.jpg"),
    (["stream", "--type", "avi"], "mjpeg"),
  ]

  @Test("Wrong usage exits with 64 and says what is wrong", arguments: mistakes)
  func usage(arguments: [String], message: String) async throws {
    let folder = try Folder()
    let run = try await tool(arguments, in: folder)
    #expect(run.status == 64)
    #expect(run.errors.hasPrefix("viewfinder: "))
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(folder.names == [])
  }

  static let failures: [([String], Int32, String)] = [
    (["photo", "--outline", "rect:700,0,9,9"], 64, "640x480"),
    (["photo", "--set", "warp=9"], 64, "brightness"),
    (["photo", "--set", "brightness=9999"], 64, "-64 to 64"),
    (["photo", "--faults", "sneeze@1"], 64, "sneeze"),
    (["photo", "--flash", "on", "-o", "missing/x.jpg"], 74, "Create the folder"),
    (["photo", "-o", "/dev/full"], 74, "No space"),
    (["photo", "--faults", "unplug@0"], 69, "disconnected"),
  ]

  @Test("Each failure has its exit code and leaves no file", arguments: failures)
  func failure(arguments: [String], status: Int32, message: String) async throws {
    let folder = try Folder()
    let run = try await tool(arguments.prefix(1) + smallCamera + arguments.dropFirst(), in: folder)
    #expect(run.status == status)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(folder.names == [])
  }

  static let inputs: [([String], Int32, String)] = [
    (["photo", "--device", "no such camera"], 66, "no such camera"),
    (["photo", "--device", "/dev/null"], 66, "/dev/null"),
    (["formats", "--device", "/dev/video99"], 66, "/dev/video99"),
    (["photo", "--replay", "missing.jpg"], 66, "missing.jpg"),
    (["crop", "missing.jpg", "-o", "x.jpg"], 66, "missing.jpg"),
    (["crop", ".", "-o", "x.jpg"], 66, "directory"),
    (["crop", "/dev/null", "-o", "x.jpg"], 65, "no valid picture"),
    (["photo", "--simulate", "--size", "641x480"], 69, "640x480"),
    (["photo", "--simulate", "--format", "H264"], 69, "YUYV"),
  ]

  @Test("Missing and wrong inputs have their exit codes", arguments: inputs)
  func input(arguments: [String], status: Int32, message: String) async throws {
    let folder = try Folder()
    let run = try await tool(arguments, in: folder)
    #expect(run.status == status)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(folder.names == [])
  }

  static let errors: [(CaptureError, Int32)] = [
    (.deviceNotFound(name: "x", available: []), 66),
    (.permissionDenied(device: "x", advice: ""), 77),
    (.deviceInUse(device: "x", holders: []), 69),
    (.disconnected(device: "x"), 69),
    (.stalled(device: "x", seconds: 1), 69),
    (.needsLibcamera(device: "x", driver: "y"), 69),
    (.insufficientBandwidth(device: "x", format: "y", alternative: nil), 69),
    (.noSignal(device: "x"), 69),
    (.notACamera(device: "x", what: "y", available: []), 66),
    (.unsupportedFormat(device: "x", requested: "y", nearest: []), 69),
    (.unsupportedControl(name: "x", device: "y", reason: ""), 64),
    (.valueOutOfRange(name: "x", value: "1", accepted: "2"), 64),
    (.invalidSettings(reason: ""), 64),
    (.sessionNotRunning, 69),
    (.cancelled(reason: ""), 69),
    (.badImageData(what: "x", reason: ""), 65),
    (.unsupportedImage(what: "x", reason: ""), 65),
    (.cannotRead(path: "x", code: ENOENT), 66),
    (.cannotRead(path: "x", code: EACCES), 77),
    (.cannotRead(path: "x", code: EIO), 74),
    (.cannotWrite(path: "x", code: ENOSPC), 74),
    (.cannotWrite(path: "x", code: EACCES), 77),
    (.system(call: "x", code: EIO, subject: "y"), 74),
    (.system(call: "x", code: EPERM, subject: "y"), 77),
    (.system(call: "x", code: ENODEV, subject: "y"), 69),
  ]

  @Test("Every error of the library has an exit code", arguments: errors)
  func exitStatus(error: CaptureError, status: Int32) {
    #expect(error.exitStatus == status)
  }

  @Test("Help is no failure", arguments: ["", "devices", "photo", "crop", "stream", "demo"])
  func help(command: String) async throws {
    let run = try await tool([command, "--help"].filter { !$0.isEmpty }, in: Folder())
    #expect(run.status == 0)
    #expect(String(decoding: run.output, as: UTF8.self).contains("USAGE: viewfinder"))
    #expect(run.errors == "")
  }
}
