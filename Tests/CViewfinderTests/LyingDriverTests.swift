import CViewfinder
import FaultInjection
import Foundation
import Testing

/// What drivers may claim, as the fuzzers found it: see `Tests/Fuzz`.
@Suite("Drivers that lie") struct LyingDriverTests {
  typealias Offset = TamperedSystem.Offset

  @Test("Listing a driver that repeats itself at each format and size takes few questions")
  func repeatedListing() throws {
    try SimulatedCamera().use { camera in
      let tampered = TamperedSystem(camera.system, path: camera.path)
      let grabber = try TestGrabber(tampered.system, camera.path)
      var formats: UInt32 = 0, questions = 0
      // VIDIOC_ENUM_FMT tells a new format each time; …_FRAMESIZES and …_FRAMEINTERVALS answer
      // every question with the first of YUYV.
      tampered.before = { call, argument in
        guard [.ioctl(2), .ioctl(74), .ioctl(75)].contains(call) else { return 0 }
        questions += 1
        argument?.storeBytes(of: 0, toByteOffset: Offset.index, as: UInt32.self)
        if call != .ioctl(2) { argument?.storeBytes(of: VF_YUYV, toByteOffset: 4, as: UInt32.self) }
        return 0
      }
      tampered.after = { call, argument in
        guard call == .ioctl(2) else { return }
        formats += 1
        argument?.storeBytes(of: formats, toByteOffset: 44, as: UInt32.self)
      }
      #expect(try !grabber.modes().isEmpty)
      #expect(questions > 1000 && questions < 20_000)
    }
  }

  @Test("A stamp that no number of nanoseconds holds is replaced by the present")
  func overflowingStamp() throws {
    try SimulatedCamera().use { camera in
      let tampered = TamperedSystem(camera.system, path: camera.path)
      tampered.after = { call, argument in
        guard call == .dequeue, let argument else { return }
        // In 64 bits as many nanoseconds as before.
        let seconds = argument.load(fromByteOffset: Offset.seconds, as: Int.self)
        argument.storeBytes(of: seconds + (1 << 55), toByteOffset: Offset.seconds, as: Int.self)
      }
      let grabber = try TestGrabber(tampered.system, camera.path)
      try grabber.start(options: GrabberFaultTests.everyFrame)
      try grabber.look(at: 3)
      #expect(grabber.statistics.restamped == 3)
    }
  }

  @Test("A frame that comes after the next one is late, not lost and no new one")
  func overtakenFrame() throws {
    try SimulatedCamera().use { camera in
      let tampered = TamperedSystem(camera.system, path: camera.path)
      var numbers: [UInt32] = [0, 1, 3, 2, 4, 5]
      var first: Int?
      tampered.after = { call, argument in
        guard call == .dequeue, let argument, !numbers.isEmpty else { return }
        let number = numbers.removeFirst()
        argument.storeBytes(of: number, toByteOffset: Offset.sequence, as: UInt32.self)
        let time = { argument.load(fromByteOffset: $0, as: Int.self) }
        if first == nil { first = time(Offset.seconds) * 1_000_000 + time(Offset.microseconds) }
        let stamp = first! + Int(number)
        argument.storeBytes(of: stamp / 1_000_000, toByteOffset: Offset.seconds, as: Int.self)
        argument.storeBytes(of: stamp % 1_000_000, toByteOffset: Offset.microseconds, as: Int.self)
      }
      let grabber = try TestGrabber(tampered.system, camera.path)
      try grabber.start(options: GrabberFaultTests.everyFrame)
      var sequences: [UInt32] = [], stamps: [Int64] = []
      try grabber.look(at: 5) { frame in
        sequences.append(frame.sequence)
        stamps.append(frame.timestamp)
      }
      #expect(sequences == [0, 1, 3, 4, 5])
      #expect(stamps == stamps.sorted())
      let statistics = grabber.statistics
      #expect(statistics.late == 1 && statistics.lost == 0)
      #expect(statistics.restamped == 0, "\(stamps)")
      #expect(statistics.produced == 6 && statistics.delivered == 5)
    }
  }

  @Test("A buffer exported without a descriptor is an error")
  func exportWithoutDescriptor() throws {
    try SimulatedCamera().use { camera in
      let tampered = TamperedSystem(camera.system, path: camera.path)
      tampered.after = { call, argument in
        guard call == .ioctl(16), let argument else { return }
        close(argument.load(fromByteOffset: 16, as: Int32.self))
        argument.storeBytes(of: -1, toByteOffset: 16, as: Int32.self)
      }
      let grabber = try TestGrabber(tampered.system, camera.path)
      try grabber.start()
      let frame = try #require(try grabber.next())
      defer { vf_frame_release(frame) }
      var failure = vf_failure()
      #expect(vf_frame_export(frame, 0, &failure) == -EIO)
      #expect(failure.code == EIO)
    }
  }

  @Test(
    "A call that is interrupted for ever fails",
    arguments: [.open, .queryCapabilities] as [TamperedSystem.Call])
  func endlessInterruptions(call: TamperedSystem.Call) throws {
    try SimulatedCamera().use { camera in
      let tampered = TamperedSystem(camera.system, path: camera.path)
      var interruptions = 0
      tampered.before = { made, _ in
        guard made == call else { return 0 }
        interruptions += 1
        return interruptions < 10_000 ? EINTR : ENODEV
      }
      #expect(throws: Failed(code: EINTR)) { try TestGrabber(tampered.system, camera.path) }
      #expect(camera.leaks == SimulatedCamera.Leaks())
    }
  }
}
